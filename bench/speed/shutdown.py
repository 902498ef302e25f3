"""Whether a server ends when it is told to: python -m bench.speed.shutdown [--times 10] [--kills 15] [--home DIR].

SIGTERM and SIGINT reach the main process or the whole process group (as systemd, a container and Ctrl+C send them), a while after
the start, idle or under load. Everything must have ended within 10 s, and a new server must get the same port at once.
Then workers are killed with SIGKILL, one every 10 s: the other one must answer `/healthz`, and each must be replaced, within 5 s.
"""

import argparse
import itertools
import os
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

from bench.measure import RULESTONE, run

MOST = 10.0
"""Seconds from the signal until the last process has ended."""
AFTER = (1.0, 5.0, 20.0)
"""Seconds from the start to the signal."""
LOAD = 8
"""Clients that search all the time."""
EACH = 10.0
"""Seconds between two kills of a worker."""
ANSWERED = 5.0
"""Seconds within which a server with a killed worker answers."""


class Case(NamedTuple):
    """One way of ending a server."""

    number: signal.Signals
    group: bool
    after: float
    loaded: bool

    def __str__(self) -> str:
        receiver = "process group" if self.group else "main process"
        return f"{self.number.name} to the {receiver} after {self.after:g} s, {'under load' if self.loaded else 'idle'}"


CASES = [
    Case(number, group, after, loaded)
    for number, group, after, loaded in itertools.product((signal.SIGTERM, signal.SIGINT), (False, True), AFTER, (False, True))
]


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def started(home: Path, port: int, workers: int = 2) -> subprocess.Popen[str]:
    """A server in a process group of its own, which has said that it serves."""
    command = [RULESTONE, "--home", str(home), "serve", "--port", str(port), "--workers", str(workers)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr
    line = process.stderr.readline()
    if not line.startswith("serving "):
        raise RuntimeError(line + process.stderr.read())
    return process


def ended(home: Path, case: Case, port: int) -> float | None:
    """Seconds from the signal until every process had ended; None where one was left after `MOST`, which is then killed."""
    with started(home, port) as process:
        with _load(port) if case.loaded else _idle():
            time.sleep(case.after)
            begun = time.monotonic()
            if case.group:
                os.killpg(process.pid, case.number)
            else:
                process.send_signal(case.number)
            seconds = _until_empty(process, begun)
        if seconds is None:
            os.killpg(process.pid, signal.SIGKILL)
    return seconds


def _until_empty(process: subprocess.Popen[str], begun: float) -> float | None:
    """Seconds until no process of the group was left."""
    while time.monotonic() < begun + MOST:
        process.poll()  # an ended process is part of its group until somebody has asked
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return time.monotonic() - begun
        time.sleep(0.05)
    return None


def replaced(home: Path, port: int, kills: int) -> list[tuple[float, float]]:
    """Seconds until `/healthz` answered and until a worker was there in place of the killed one, for each kill."""
    took = []
    with started(home, port) as process:
        for _ in range(kills):
            time.sleep(EACH)
            before = _workers(process.pid)
            os.kill(min(before), signal.SIGKILL)
            begun = time.monotonic()
            while not _healthy(port) and time.monotonic() < begun + MOST:
                time.sleep(0.05)
            answered = time.monotonic() - begun
            while len(_workers(process.pid) - before) < 1 and time.monotonic() < begun + MOST:
                time.sleep(0.05)
            took.append((answered, time.monotonic() - begun))
        os.killpg(process.pid, signal.SIGTERM)
    return took


def _workers(main_process: int) -> set[int]:
    """The worker processes of a server: its children but for the resource tracker of multiprocessing."""
    children = Path(f"/proc/{main_process}/task/{main_process}/children").read_text().split()
    return {int(child) for child in children if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()}


def _healthy(port: int) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
        return bool(answer.status == 200)
    return False


@contextmanager
def _idle() -> Iterator[None]:
    yield


@contextmanager
def _load(port: int) -> Iterator[None]:
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/search?q=graveyard", timeout=20) as answer:
                answer.read()
            time.sleep(0.01)

    clients = [threading.Thread(target=ask, daemon=True) for _ in range(LOAD)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        stop.set()
        for client in clients:
            client.join()


def main() -> bool:
    """Whether every server ended in time, each on the port of the one before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10, help="servers ended in each way")
    parser.add_argument("--home", type=Path, help="a knowledge base; without it one of the digest")
    parser.add_argument("--kills", type=int, default=15, help="workers killed with SIGKILL")
    given = parser.parse_args()
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with tempfile.TemporaryDirectory(prefix="rulestone-shutdown-") as scratch:
        home = given.home or Path(scratch) / "home"
        if given.home is None:
            run([RULESTONE, "build", "--later"], home)
        port, sound = free_port(), True
        for case in CASES:
            took = [ended(home, case, port) for _ in range(given.times)]
            there = [seconds for seconds in took if seconds is not None]
            lost = len(took) - len(there)
            slowest = max(there, default=0.0)
            print(
                f"{'HANG' if lost else 'ok  '} {case}: {len(there)} of {len(took)} ended, the slowest in {slowest:.1f} s",
                flush=True,
            )
            sound = sound and not lost
        kills = replaced(home, port, given.kills)
        answered, renewed = (max((times[part] for times in kills), default=0.0) for part in (0, 1))
        late = max(answered, renewed) > ANSWERED
        print(
            f"{'LATE' if late else 'ok  '} SIGKILL of a worker: {len(kills)} times, /healthz answered within {answered:.1f} s, "
            f"the worker was replaced within {renewed:.1f} s",
            flush=True,
        )
    return sound and not late


if __name__ == "__main__":
    sys.exit(not main())
