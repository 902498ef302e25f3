"""Servers in processes of their own."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from tests.support.texts import ROOT

PROGRAM = (sys.executable, "-m", "api.cli.app")
HANG_SECONDS = 120.0
"""Seconds after which a server is held to hang: far more than it takes to answer or to end on a busy machine."""


class Server(NamedTuple):
    """A running `rulestone serve`."""

    process: subprocess.Popen[str]
    port: int


def start(home: Path, *options: str, program: Sequence[str] = PROGRAM, cwd: Path = ROOT, **how: object) -> Server:
    """Starts `serve` over a home on a free port; it accepts connections when it has said so in a line."""
    command = [*program, "--home", str(home), "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=cwd, **how)  # type: ignore[call-overload]
    assert process.stderr
    line = process.stderr.readline()
    assert line.startswith("serving "), line + process.stderr.read()
    return Server(process, int(line.split()[1].rstrip(":").rpartition(":")[2]))


@contextmanager
def serving(
    home: Path, *options: str, program: Sequence[str] = PROGRAM, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """A server that is ended afterwards, whatever happens."""
    server = start(home, *options, program=program, cwd=cwd, env=env)
    try:
        yield server
    finally:
        server.process.terminate()
        try:
            server.process.wait(HANG_SECONDS)
        except subprocess.TimeoutExpired:
            server.process.kill()
            raise
        finally:
            assert server.process.stderr
            server.process.stderr.close()


def workers(server: Server) -> set[int]:
    """The worker processes of a server, on Linux."""
    pid = server.process.pid
    pids = set()
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):  # ended meanwhile
            if b"multiprocessing.spawn" in Path(f"/proc/{child}/cmdline").read_bytes():
                pids.add(int(child))
    return pids
