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
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from bench.measure import RULESTONE, report_figure, run_command
from bench.speed.abuse import COSTLY, LARGE, LARGE_BOOK, allowed_only, attack
from bench.speed.attacks import memory_megabytes
from bench.speed.load import paths
from bench.speed.serving import PORT_PLACEHOLDER, running_server
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


class SoakFigures(NamedTuple):
    """The figures of the load with its rate, those of the attack, the milliseconds of `/healthz`, and megabytes of memory."""

    load: LoadFigures
    rate: float
    attacked: Counter[str]
    health: list[float]
    before: float
    after: float
    most: float


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
    start, places = time.monotonic(), count()
    sys.setswitchinterval(0.0005)  # a thread that reads a response should not wait for others

    def ask_repeatedly(_: int) -> LoadFigures:
        load_figures = LoadFigures([], [])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while (now := time.monotonic()) < start + seconds:
            if (place := next(places)) >= max_requests:
                break
            if rate is not None and (ahead := start + place / rate - now) > 0:
                time.sleep(ahead)
            _ask(connection, paths[place % len(paths)], load_figures)
        connection.close()
        return load_figures

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        every = list(pool.map(ask_repeatedly, range(CONNECTIONS)))
    return LoadFigures(
        [took for load_figures in every for took in load_figures.milliseconds],
        [fault for load_figures in every for fault in load_figures.failed],
    )


def _ask(connection: http.client.HTTPConnection, path: str, figures: LoadFigures) -> None:
    start = time.perf_counter()
    try:
        status, _ = _answer(connection, path)
    except (OSError, http.client.HTTPException) as fault:
        connection.close()
        figures.failed.append(f"{path}: {fault!r}")
        return
    figures.milliseconds.append((path.split("?")[0].removeprefix("/v1").split("/")[1], 1000 * (time.perf_counter() - start)))
    if status != 200:
        figures.failed.append(f"{path}: {status}")


def _answer(connection: http.client.HTTPConnection, path: str) -> tuple[int, bytes]:
    """Status and body of a response; a connection that the server closed while it was idle is reopened (RFC 9112, 9.3.1)."""
    for last in (connection.sock is None, True):
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
        except ConnectionError:
            connection.close()
            if last:
                raise
        else:
            return answer.status, body
    raise AssertionError


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


def probe_health(port: int, seconds: float) -> list[float]:
    """The milliseconds of `/healthz`, requested again and again for some seconds; infinity where it failed."""
    until, milliseconds = time.monotonic() + seconds, []
    while (start := time.monotonic()) < until:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as answer:
                answer.read()
            milliseconds.append(1000 * (time.monotonic() - start))
        except OSError:
            milliseconds.append(math.inf)
        time.sleep(HEALTH_SECONDS)
    return milliseconds


def stays_healthy(home: Path, minutes: float) -> bool:
    """Whether the server stayed healthy for this time."""
    paths, served_home = mixed_requests(home), home.with_name("served")
    served_home.symlink_to(home)  # a unique name
    with (
        running_server(RULESTONE, "--home", str(served_home), "serve", "--port", PORT_PLACEHOLDER, "--workers", "2") as port,
        idle_connections(port),
    ):
        fill_caches(port, paths)
        rate = SHARE * len(run_load(port, paths, PROBING_SECONDS).milliseconds) / PROBING_SECONDS
        before, stop = memory_megabytes(str(served_home)), threading.Event()
        spawning = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(2, spawning) as beside, ThreadPoolExecutor(2) as pool:
            health_probe, attack_result = beside.submit(probe_health, port, minutes * 60), beside.submit(attack, port, minutes * 60)
            adding = pool.submit(add_repeatedly, home, min(ADDING_SECONDS, minutes * 6), stop)
            memory_peak = pool.submit(peak_megabytes, served_home, stop)
            load = run_load(port, paths, minutes * 60, rate)
            stop.set()
            adding.result()
            wait_for_newest_bundle(port, home)
            attack_result.result()
            fill_caches(port, paths)  # as before, because new processes use less
            after = memory_megabytes(str(served_home))
    figures = SoakFigures(load, rate, attack_result.result(), health_probe.result(), before, after, memory_peak.result())
    return _print_result(figures, minutes)


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
    while json.loads(_answer(http.client.HTTPConnection("127.0.0.1", port, timeout=60), "/healthz")[1])["bundle"] != newest:
        time.sleep(1)


def _print_result(figures: SoakFigures, minutes: float) -> bool:
    load, attacks, health = figures.load, figures.attacked, figures.health
    print(*load.failed[:10], sep="\n", file=sys.stderr)
    behind = f"{len(load.milliseconds)} answers in {minutes:g} minutes, {figures.rate:.0f} asked a second, {IDLE} idle connections"
    is_sound = report_figure("failed requests", len(load.failed), 0, "", behind)
    for kind in sorted({kind for kind, _ in load.milliseconds}):
        took = [milliseconds for of, milliseconds in load.milliseconds if of == kind]
        print(f"     {kind}: p50 {statistics.median(took):.1f} p99 {statistics.quantiles(took, n=100)[98]:.1f} ms", flush=True)
    p99 = statistics.quantiles(health, n=100)[98]
    behind = f"p50 {statistics.median(health):.1f}, p99 {p99:.1f}, {len(health)} times"
    is_quick = report_figure("/healthz under attack", max(health), SLOWEST, "ms", behind)
    behind = f"{figures.before:.0f} MB before, {figures.most:.0f} at most"
    is_small = report_figure("memory after it", figures.after - figures.before, GROWN, "MB", behind)
    print("     attack:", ", ".join(f"{attacks[each]} × {each}" for each in sorted(attacks)), flush=True)
    return is_sound and is_quick and is_small and allowed_only(attacks)


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
