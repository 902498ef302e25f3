"""Whether a server ends after a signal: `python -m bench.speed.shutdown [--times 10]`.

SIGTERM and SIGINT are sent to the main process or the process group (as by systemd, a container and Ctrl+C), some time after the
start, idle or under load. All processes must end within 10 s, and a new server must be able to use the port immediately. Then
workers are killed with SIGKILL, one every 10 s: within 5 s the other worker must answer `/healthz` and the killed one must be
replaced.
"""

import argparse
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.measure import RULESTONE, run_command
from bench.speed.serving import fetch, free_port, running_server, serve_command

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


def seconds_to_end(home: Path, case: Case, port: int, limit: float = MAX_SECONDS) -> float | None:
    """Seconds from the signal until all processes ended; None if one is left after `limit` seconds, which is then killed."""
    with running_server(*serve_command(home), port=port) as server:
        with searching_clients(port) if case.loaded else nullcontext():
            time.sleep(case.after)
            start = time.monotonic()
            if case.group:
                os.killpg(server.process.pid, case.number)
            else:
                server.process.send_signal(case.number)
            seconds = seconds_until(lambda: _has_ended(server.process), start, limit)
        if seconds >= limit:
            os.killpg(server.process.pid, signal.SIGKILL)
            return None
    return seconds


def seconds_until(holds: Callable[[], bool], start: float, limit: float) -> float:
    """Seconds from the start until something holds, or the limit."""
    while not holds() and time.monotonic() < start + limit:
        time.sleep(0.05)
    return min(time.monotonic() - start, limit)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process group is empty."""
    process.poll()  # an ended process stays in its group until it is waited for
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def seconds_to_replace(home: Path, port: int) -> list[tuple[float, float]]:
    """Seconds until `/healthz` answers and until the killed worker is replaced, for each kill."""
    took = []
    with running_server(*serve_command(home), port=port) as server:
        for _ in range(KILL_COUNT):
            time.sleep(MAX_SECONDS_EACH)
            before = _worker_ids(server.process.pid)
            os.kill(min(before), signal.SIGKILL)
            start = time.monotonic()
            answered = seconds_until(lambda: _is_healthy(port), start, MAX_SECONDS)
            replaced = seconds_until(partial(_is_replaced, server.process.pid, before), start, MAX_SECONDS)
            took.append((answered, replaced))
    return took


def _worker_ids(main_process: int) -> set[int]:
    """The worker processes of a server: its children except multiprocessing's resource tracker."""
    children = Path(f"/proc/{main_process}/task/{main_process}/children").read_text().split()
    return {int(child) for child in children if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes()}


def _is_replaced(main_process: int, before: set[int]) -> bool:
    return not _worker_ids(main_process) <= before


def _is_healthy(port: int) -> bool:
    with suppress(OSError):
        return bool(fetch(port, "/healthz", 5))
    return False


@contextmanager
def searching_clients(port: int) -> Iterator[None]:
    """Clients that search continuously, each over new connections."""
    stop = threading.Event()

    def ask(_: int) -> None:
        while not stop.wait(0.01):
            with suppress(OSError):
                fetch(port, "/v1/search?q=graveyard", 20)

    with ThreadPoolExecutor(CLIENT_COUNT) as pool:
        pool.map(ask, range(CLIENT_COUNT))
        try:
            yield
        finally:
            stop.set()


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
            ended = [seconds for seconds in took if seconds is not None]
            verdict = "ok  " if len(ended) == times else "HANG"
            print(f"{verdict} {case}: {len(ended)} of {times} ended, the slowest in {max(ended, default=0.0):.1f} s", flush=True)
            sound = sound and len(ended) == times
        kills = seconds_to_replace(home, port)
    answered, replaced = (max(seconds) for seconds in zip(*kills, strict=True))
    late = max(answered, replaced) > MAX_ANSWER_SECONDS
    print(
        f"{'LATE' if late else 'ok  '} SIGKILL of a worker: {len(kills)} times, /healthz answered within {answered:.1f} s, "
        f"the worker was replaced within {replaced:.1f} s"
    )
    return sound and not late


if __name__ == "__main__":
    sys.exit(not main())
