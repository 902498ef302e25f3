"""A server in its own process for the duration of a measurement."""

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.measure import RULESTONE, loaded_home, rulebook_folder, run_command

PORT_PLACEHOLDER = "PORT"
"""The placeholder of the port in a command."""


@contextmanager
def running_server(*command: str) -> Iterator[int]:
    """Runs a server and yields its port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    server = subprocess.Popen([str(port) if word == PORT_PLACEHOLDER else word for word in command])
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


def with_constant_server(home: Path) -> tuple[str, ...]:
    """The command that serves a home with an additional constant route."""
    return sys.executable, "-m", "bench.speed.server", str(home), PORT_PLACEHOLDER


@contextmanager
def home_of_books() -> Iterator[Path]:
    """A temporary home with every rulebook."""
    with tempfile.TemporaryDirectory(prefix="rulestone-books-") as scratch:
        run_command([RULESTONE, "add", *loaded_home(rulebook_folder())], Path(scratch))
        yield Path(scratch)
