"""A server in its own process for the duration of a measurement: its responses, its health and its memory."""

import http.client
import math
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import NamedTuple

from bench.measure import RULESTONE, loaded_home, rulebook_folder, run_command

PORT_PLACEHOLDER = "PORT"
"""The placeholder of the port in a command."""
LISTENING_SECONDS = 60.0
"""Maximum seconds until a server listens."""


class Server(NamedTuple):
    """A running server: its main process, in a process group of its own, and its port."""

    process: subprocess.Popen[bytes]
    port: int


def free_port() -> int:
    """A free port below those that the system chooses for other programs (32768 and above on Linux), which do not take it."""
    while True:
        port = random.randrange(20_000, 32_768)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def running_server(*command: str, port: int | None = None) -> Iterator[Server]:
    """Runs a server, on a free port if none is given; raises RuntimeError if it does not listen."""
    port = port or free_port()
    words = [str(port) if word == PORT_PLACEHOLDER else word for word in command]
    with subprocess.Popen(words, start_new_session=True) as process:
        try:
            until = time.monotonic() + LISTENING_SECONDS
            while not _is_listening(port):
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"{' '.join(words)} does not listen")
                time.sleep(0.1)
            yield Server(process, port)
        finally:
            process.send_signal(signal.SIGTERM)


def _is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def serve_command(home: Path, workers: int = 2) -> tuple[str, ...]:
    """The command that serves a home."""
    return RULESTONE, "--home", str(home), "serve", "--port", PORT_PLACEHOLDER, "--workers", str(workers)


def with_constant_server(home: Path) -> tuple[str, ...]:
    """The command that serves a home with an additional constant route."""
    return sys.executable, "-m", "bench.speed.server", str(home), PORT_PLACEHOLDER


@contextmanager
def home_of_books() -> Iterator[Path]:
    """A temporary home with every rulebook."""
    with tempfile.TemporaryDirectory(prefix="rulestone-books-") as scratch:
        run_command([RULESTONE, "add", *loaded_home(rulebook_folder())], Path(scratch))
        yield Path(scratch)


def fetch(port: int, path: str, timeout: float = 60) -> bytes:
    """The body of a successful response, over a new connection; raises OSError if there is none."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=timeout) as response:
        body: bytes = response.read()
    return body


def connect(port: int, timeout: float = 60) -> http.client.HTTPConnection:
    """A connection to a server on this machine."""
    return http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)


def get(connection: http.client.HTTPConnection, path: str, accept: str = "*/*") -> tuple[int, bytes]:
    """Status and body of a response; a connection that the server closed while it was idle is reopened (RFC 9112, 9.3.1)."""
    for is_last in (connection.sock is None, True):
        try:
            connection.request("GET", path, headers={"Accept": accept})
            response = connection.getresponse()
            return response.status, response.read()
        except ConnectionError:
            connection.close()
            if is_last:
                raise
    raise AssertionError


def get_body(connection: http.client.HTTPConnection, path: str) -> bytes:
    """The body of a response; raises RuntimeError if it is not a success."""
    status, body = get(connection, path)
    if status != 200:
        raise RuntimeError(f"{path} answers {status}: {body[:200]!r}")
    return body


def probe_health(port: int, pause: float, seconds: float = math.inf, stop: Event | None = None) -> list[float]:
    """The milliseconds of `/healthz`, requested repeatedly for some seconds or until a stop; infinity where it failed."""
    until, milliseconds = time.monotonic() + seconds, []
    while (start := time.monotonic()) < until and not (stop and stop.is_set()):
        try:
            fetch(port, "/healthz")
            milliseconds.append(1000 * (time.monotonic() - start))
        except OSError:
            milliseconds.append(math.inf)
        time.sleep(pause)
    return milliseconds


def memory_megabytes(marker: str) -> float:
    """Proportional set size in megabytes of the processes with this text in their command or environment, such as a home's path."""
    kilobytes = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            if marker in (folder / "environ").read_text(errors="replace") + (folder / "cmdline").read_text(errors="replace"):
                kilobytes += int(re.findall(r"^Pss:\s+(\d+)", (folder / "smaps_rollup").read_text(), re.M)[0])
    return kilobytes / 1024
