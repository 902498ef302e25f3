"""A server under load and attack for a long time: python -m bench.speed.soak [--minutes 60].

It is asked at 80 % of its maximum request rate, over 8 connections, while 200 more are idle, some senders are slow, and a
file is added every five minutes (at least once in each tenth of the time). Beside these, abusive clients attack it: see
`bench.speed.abuse`. No request of an ordinary client may fail, `/healthz` must answer in time, and the memory must be given back.
"""

import argparse
import http.client
import json
import math
import multiprocessing
import os
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from bench.measure import RULESTONE, report_figure, run_command
from bench.speed.abuse import COSTLY, LARGE, LARGE_BOOK, allowed_only, attack
from bench.speed.load import paths
from bench.speed.serving import connect, fetch, get, memory_megabytes, probe_health, running_server, serve_command
from rulestone import Library

CONNECTIONS, IDLE, SLOW, SHARE = 8, 200, 5, 0.8
ADDING_SECONDS = 300.0
"""Seconds between two adds."""
FILLING_ROUNDS = 4
"""Number of rounds of all requests before memory is measured."""
SAMPLING_SECONDS = 10.0
"""Seconds between two measurements of memory."""
PROBING_SECONDS = 10.0
"""Seconds for determining the maximum rate."""
HEALTH_SECONDS = 0.1
"""Seconds between two requests of `/healthz`."""
SLOWEST, GROWN = 500.0, 150.0
"""Maximum milliseconds for `/healthz`, and maximum growth of the memory of all processes in megabytes."""


class LoadFigures(NamedTuple):
    """The milliseconds of the responses by kind, and the failed requests."""

    milliseconds: list[tuple[str, float]]
    failed: list[str]


def mixed_requests(home: Path) -> list[str]:
    """Rules, searches, terms and zones in turn, in a realistic mix: mostly rules."""
    with Library.open(home) as library:
        kinds = paths(library)
    rules, searches, terms = kinds["rules"], kinds["search"], kinds["terms"][:50]
    mixed_paths = []
    for nth, rule in enumerate(rules):
        mixed_paths += [rule, rules[-nth - 1], searches[nth % len(searches)], terms[nth % len(terms)]]
    return [*mixed_paths, *kinds["zones"]]


def run_load(
    port: int, paths: Sequence[str], seconds: float, rate: float | None = None, max_requests: float = math.inf
) -> LoadFigures:
    """Sends requests over several connections for some seconds: as fast as possible or at a total rate, at most `max_requests`."""
    start, places, figures = time.monotonic(), count(), LoadFigures([], [])
    sys.setswitchinterval(0.0005)  # a thread that reads a response should not wait for others

    def ask_repeatedly(_: int) -> None:
        with closing(connect(port)) as connection:
            while (now := time.monotonic()) < start + seconds and (place := next(places)) < max_requests:
                if rate is not None and (ahead := start + place / rate - now) > 0:
                    time.sleep(ahead)
                _ask(connection, paths[place % len(paths)], figures)

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(ask_repeatedly, range(CONNECTIONS)))
    return figures


def _ask(connection: http.client.HTTPConnection, path: str, figures: LoadFigures) -> None:
    start = time.perf_counter()
    try:
        status, _ = get(connection, path)
    except (OSError, http.client.HTTPException) as fault:
        connection.close()
        figures.failed.append(f"{path}: {fault!r}")
        return
    figures.milliseconds.append((path.split("?")[0].removeprefix("/v1").split("/")[1], 1000 * (time.perf_counter() - start)))
    if status != 200:
        figures.failed.append(f"{path}: {status}")


@contextmanager
def idle_connections(port: int) -> Iterator[None]:
    """Idle connections, and senders that never complete a request."""
    with ExitStack() as stack:
        for nth in range(IDLE + SLOW):
            idle = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            if nth >= IDLE:
                idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n")
        yield


def add_repeatedly(home: Path, interval: float, stop: threading.Event) -> None:
    """Repeatedly adds a new edition of an invented book and removes the last but one."""
    for nth in count():
        if stop.wait(interval):
            return
        book = home.parent / f"piers{nth}.txt"
        rules = "".join(f"100.{rule}. Pier {rule} has {nth + 2} ropes.\n" for rule in range(1, 200))
        book.write_text(f"The Game of Ferrymen: Comprehensive Rules\n\n100. Piers\n{rules}", encoding="utf-8")
        hints = ["--game", "ferry", "--book", "piers", "--lang", "en", "--edition", f"2025-01-{nth % 28 + 1:02}"]
        run_command([RULESTONE, "--home", str(home), "add", str(book), *hints])
        if nth:
            run_command([RULESTONE, "--home", str(home), "remove", f"piers{nth - 1}.txt"])


def stays_healthy(home: Path, minutes: float) -> bool:
    """Whether the server stayed healthy for this time."""
    paths, served_home = mixed_requests(home), home.with_name("served")
    served_home.symlink_to(home)  # a unique name
    with running_server(*serve_command(served_home)) as server, idle_connections(port := server.port):
        fill_caches(port, paths)
        rate = SHARE * len(run_load(port, paths, PROBING_SECONDS).milliseconds) / PROBING_SECONDS
        before, stop = memory_megabytes(str(served_home)), threading.Event()
        spawning = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(2, spawning) as beside, ThreadPoolExecutor(2) as pool:
            health_probe = beside.submit(probe_health, port, HEALTH_SECONDS, minutes * 60)
            attack_result = beside.submit(attack, port, minutes * 60)
            adding = pool.submit(add_repeatedly, home, min(ADDING_SECONDS, minutes * 6), stop)
            memory_peak = pool.submit(peak_megabytes, served_home, stop)
            load = run_load(port, paths, minutes * 60, rate)
            stop.set()
            adding.result()
            wait_for_newest_bundle(port, home)
            attack_result.result()
            fill_caches(port, paths)  # as before, because new processes use less
            after = memory_megabytes(str(served_home))
    print(*load.failed[:10], sep="\n", file=sys.stderr)
    behind = f"{len(load.milliseconds)} answers in {minutes:g} minutes, {rate:.0f} asked a second, {IDLE} idle connections"
    fits = [report_figure("failed requests", len(load.failed), 0, "", behind)]
    for kind in sorted({kind for kind, _ in load.milliseconds}):
        took = [milliseconds for of, milliseconds in load.milliseconds if of == kind]
        print(f"     {kind}: p50 {statistics.median(took):.1f} p99 {p99(took):.1f} ms", flush=True)
    health, attacked = health_probe.result(), attack_result.result()
    behind = f"p50 {statistics.median(health):.1f}, p99 {p99(health):.1f}, {len(health)} times"
    fits.append(report_figure("/healthz under attack", max(health), SLOWEST, "ms", behind))
    behind = f"{before:.0f} MB before, {memory_peak.result():.0f} at most"
    fits.append(report_figure("memory after it", after - before, GROWN, "MB", behind))
    print("     attack:", ", ".join(f"{attacked[each]} × {each}" for each in sorted(attacked)), flush=True)
    return all(fits) and allowed_only(attacked)


def p99(values: Sequence[float]) -> float:
    """The 99th percentile."""
    return statistics.quantiles(values, n=100)[98]


def fill_caches(port: int, paths: Sequence[str]) -> None:
    """Requests everything several times, so that caches are full and both processes have opened all files."""
    costly = [path.format(1) for path in (*COSTLY, LARGE)] * 2
    for _ in range(FILLING_ROUNDS):  # each over new connections, which either process may take
        run_load(port, costly, 600, max_requests=len(costly))  # some are refused
        run_load(port, paths, 600, max_requests=len(paths))


def peak_megabytes(served_home: Path, stop: threading.Event) -> float:
    """The peak memory, also while a bundle is replaced."""
    most = 0.0
    while not stop.wait(SAMPLING_SECONDS):
        most = max(most, memory_megabytes(str(served_home)))
    return most


def wait_for_newest_bundle(port: int, home: Path) -> None:
    """Waits until the server uses the newest bundle."""
    with Library.open(home) as library:
        newest = library.health()["bundle"]
    while json.loads(fetch(port, "/healthz"))["bundle"] != newest:
        time.sleep(1)


def main() -> bool:
    """Whether a server withstands the load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    minutes = parser.parse_args().minutes
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with tempfile.TemporaryDirectory(prefix="rulestone-soak-") as scratch:
        home = Path(scratch) / "home"
        book = Path(scratch) / "large.txt"
        book.write_text(LARGE_BOOK, encoding="utf-8")
        hints = ["--game", "ferry", "--book", "cr", "--lang", "en", "--edition", "2025-01-01"]
        run_command([RULESTONE, "add", "--later", str(book), *hints], home)
        return stays_healthy(home, minutes)


if __name__ == "__main__":
    sys.exit(not main())
