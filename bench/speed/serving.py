"""A server in a process of its own, for as long as it is measured."""

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.measure import RULESTONE, books, run, texts

PORT = "PORT"
"""The placeholder of the port in a command."""


@contextmanager
def serving(*command: str) -> Iterator[int]:
    """A server of a command; gives its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    server = subprocess.Popen([str(port) if word == PORT else word for word in command])
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        server.terminate()
        server.wait()


def beside_constant(home: Path) -> tuple[str, ...]:
    """The command that serves a home with a constant route beside its own."""
    return sys.executable, "-m", "bench.speed.server", str(home), PORT


@contextmanager
def home_of_books(given: Path | None) -> Iterator[Path]:
    """A home that is given, or else one of every rulebook, for as long as it is measured."""
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="rulestone-books-") as scratch:
        run([RULESTONE, "add", *books(texts())], Path(scratch))
        yield Path(scratch)
