"""Whether a server ends after a signal: `python -m bench.speed.shutdown [--times 10]`.

SIGTERM and SIGINT are sent to the main process or the process group (as by systemd, a container and Ctrl+C), some time after the
start, idle or under load. All processes must end within 10 s, and a new server must be able to use the port immediately. Then
workers are killed with SIGKILL, one every 10 s: within 5 s the other worker must answer `/healthz` and the killed one must be
replaced.
"""

import argparse
import itertools
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from bench.measure import RULESTONE, run_command

MAX_SECONDS = 10.0
"""Seconds from the signal until the last process has ended."""
SIGNAL_DELAYS = (1.0, 5.0, 20.0)
"""Seconds from the start to the signal."""
KILL_COUNT = 15
"""Number of workers killed with SIGKILL."""
CLIENT_COUNT = 8
"""Number of clients that search continuously."""
MAX_SECONDS_EACH = 10.0
"""Seconds between two kills of a worker."""
MAX_ANSWER_SECONDS = 5.0
"""Maximum seconds until a server with a killed worker answers."""


class Case(NamedTuple):
    """One way to end a server."""

    number: signal.Signals
    group: bool
    after: float
    loaded: bool

    def __str__(self) -> str:
        receiver = "process group" if self.group else "main process"
        return f"{self.number.name} to the {receiver} after {self.after:g} s, {'under load' if self.loaded else 'idle'}"


CASES = [
    Case(number, group, after, loaded)
    for number, group, after, loaded in itertools.product(
        (signal.SIGTERM, signal.SIGINT), (False, True), SIGNAL_DELAYS, (False, True)
    )
]


def free_port() -> int:
    """A free port below those that the system chooses for other programs (32768 and above on Linux), which do not take it."""
    while True:
        port = random.randrange(20_000, 32_768)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def running_server(home: Path, port: int, workers: int = 2) -> subprocess.Popen[str]:
    """A server in its own process group, after it has reported its address."""
    command = [RULESTONE, "--home", str(home), "serve", "--port", str(port), "--workers", str(workers)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr
    line = process.stderr.readline()
    if not line.startswith("serving "):
        raise RuntimeError(line + process.stderr.read())
    return process


def seconds_to_end(home: Path, case: Case, port: int, limit: float = MAX_SECONDS) -> float | None:
    """Seconds from the signal until all processes ended; None if one is left after `limit` seconds, which is then killed."""
    with running_server(home, port) as process:
        with _background_load(port) if case.loaded else _no_load():
            time.sleep(case.after)
            start = time.monotonic()
            if case.group:
                os.killpg(process.pid, case.number)
            else:
                process.send_signal(case.number)
            seconds = _wait_until_empty(process, start, limit)
        if seconds is None:
            os.killpg(process.pid, signal.SIGKILL)
    return seconds


def _wait_until_empty(process: subprocess.Popen[str], start: float, limit: float) -> float | None:
    """Seconds until the process group is empty."""
    while time.monotonic() < start + limit:
        process.poll()  # an ended process stays in its group until it is waited for
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return time.monotonic() - start
        time.sleep(0.05)
    return None


def seconds_to_replace(home: Path, port: int) -> list[tuple[float, float]]:
    """Seconds until `/healthz` answers and until the killed worker is replaced, for each kill."""
    took = []
    with running_server(home, port) as process:
        for _ in range(KILL_COUNT):
            time.sleep(MAX_SECONDS_EACH)
            before = _worker_ids(process.pid)
            os.kill(min(before), signal.SIGKILL)
            start = time.monotonic()
            while not _is_healthy(port) and time.monotonic() < start + MAX_SECONDS:
                time.sleep(0.05)
            answer_seconds = time.monotonic() - start
            while len(_worker_ids(process.pid) - before) < 1 and time.monotonic() < start + MAX_SECONDS:
                time.sleep(0.05)
            took.append((answer_seconds, time.monotonic() - start))
        os.killpg(process.pid, signal.SIGTERM)
    return took


def _worker_ids(main_process: int) -> set[int]:
    """The worker processes of a server: its children except multiprocessing's resource tracker."""
    children = Path(f"/proc/{main_process}/task/{main_process}/children").read_text().split()
    return {int(child) for child in children if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()}


def _is_healthy(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


@contextmanager
def _no_load() -> Iterator[None]:
    yield


@contextmanager
def _background_load(port: int) -> Iterator[None]:
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/search?q=graveyard", timeout=20) as answer:
                answer.read()
            time.sleep(0.01)

    clients = [threading.Thread(target=ask, daemon=True) for _ in range(CLIENT_COUNT)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        stop.set()
        for client in clients:
            client.join()


def main() -> bool:
    """Whether every server ended in time; all use the same port."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="servers ended in each way")
    times = parser.parse_args().times
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with tempfile.TemporaryDirectory(prefix="rulestone-shutdown-") as scratch:
        home = Path(scratch) / "home"
        run_command([RULESTONE, "build", "--later"], home)
        port, sound = free_port(), True
        for case in CASES:
            took = [seconds_to_end(home, case, port) for _ in range(times)]
            there = [seconds for seconds in took if seconds is not None]
            hang_count = len(took) - len(there)
            slowest = max(there, default=0.0)
            print(
                f"{'HANG' if hang_count else 'ok  '} {case}: {len(there)} of {len(took)} ended, the slowest in {slowest:.1f} s",
                flush=True,
            )
            sound = sound and not hang_count
        kills = seconds_to_replace(home, port)
        to_answer, to_renew = (max(seconds[part] for seconds in kills) for part in (0, 1))
        late = max(to_answer, to_renew) > MAX_ANSWER_SECONDS
        print(
            f"{'LATE' if late else 'ok  '} SIGKILL of a worker: {len(kills)} times, /healthz answered within {to_answer:.1f} s, "
            f"the worker was replaced within {to_renew:.1f} s",
            flush=True,
        )
    return sound and not late


if __name__ == "__main__":
    sys.exit(not main())
