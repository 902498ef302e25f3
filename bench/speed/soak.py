"""A server under load for long: python -m bench.speed.soak [--minutes 60] [--home DIR].

It is asked at 80 % of the rate that it reaches, over 8 connections, while 200 more are open and idle, some senders are slow, and a
file is added every five minutes (at least once in each tenth of the time). No request may fail; times and memory are told.
"""

import argparse
import http.client
import json
import math
import os
import shutil
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from bench.measure import RULESTONE, report, run
from bench.speed.attacks import memory
from bench.speed.load import paths
from bench.speed.serving import PORT, serving
from rulestone import Library

CONNECTIONS, IDLE, SLOW, SHARE = 8, 200, 5, 0.8
EVERY = 300.0
"""Seconds between two adds."""
FILLING = 4
"""Times that everything is asked before memory is measured."""
SAMPLED = 10.0
"""Seconds between two looks at the memory."""
PROBED = 10.0
"""Seconds in which the rate is found."""


class Heard(NamedTuple):
    """The responses: milliseconds of the answers by kind, and failed requests."""

    milliseconds: list[tuple[str, float]]
    failed: list[str]


def asked(home: Path) -> list[str]:
    """Rules, searches, terms and zones in turn, as people mix them: mostly rules."""
    with Library.open(home) as library:
        kinds = paths(library)
    rules, searches, terms = kinds["rules"], kinds["search"], kinds["terms"][:50]
    mixed = []
    for nth, rule in enumerate(rules):
        mixed += [rule, rules[-nth - 1], searches[nth % len(searches)], terms[nth % len(terms)]]
    return [*mixed, *kinds["zones"]]


def load(port: int, given: Sequence[str], seconds: float, rate: float | None = None, most: float = math.inf) -> Heard:
    """Asks for so long, over some connections: as fast as they can, or so many a second in all; `most` requests."""
    start, places = time.monotonic(), count()
    sys.setswitchinterval(0.0005)  # a thread that reads an answer should not wait for the others

    def asking(_: int) -> Heard:
        heard = Heard([], [])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while (now := time.monotonic()) < start + seconds:
            if (place := next(places)) >= most:
                break
            if rate is not None and (ahead := start + place / rate - now) > 0:
                time.sleep(ahead)
            _ask(connection, given[place % len(given)], heard)
        connection.close()
        return heard

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        every = list(pool.map(asking, range(CONNECTIONS)))
    return Heard([took for heard in every for took in heard.milliseconds], [fault for heard in every for fault in heard.failed])


def _ask(connection: http.client.HTTPConnection, path: str, heard: Heard) -> None:
    begun = time.perf_counter()
    try:
        status, _ = _answer(connection, path)
    except (OSError, http.client.HTTPException) as fault:
        connection.close()
        heard.failed.append(f"{path}: {fault!r}")
        return
    heard.milliseconds.append((path.split("?")[0].split("/")[2], 1000 * (time.perf_counter() - begun)))
    if status != 200:
        heard.failed.append(f"{path}: {status}")


def _answer(connection: http.client.HTTPConnection, path: str) -> tuple[int, bytes]:
    """Status and body of an answer; a connection that the server closed while it was idle is opened again (RFC 9112, 9.3.1)."""
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
def beside(port: int) -> Iterator[None]:
    """Connections that say nothing, and senders that never end what they say."""
    with ExitStack() as stack:
        for nth in range(IDLE + SLOW):
            idle = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            if nth >= IDLE:
                idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n")
        yield


def adding(home: Path, every: float, stop: threading.Event) -> None:
    """Adds a new edition of an invented book again and again; the last but one goes."""
    for nth in count():
        if stop.wait(every):
            return
        book = home.parent / f"piers{nth}.txt"
        rules = "".join(f"100.{rule}. Pier {rule} has {nth + 2} ropes.\n" for rule in range(1, 200))
        book.write_text(f"The Game of Ferrymen: Comprehensive Rules\n\n100. Piers\n{rules}", encoding="utf-8")
        hints = ["--game", "ferry", "--book", "piers", "--lang", "en", "--edition", f"2025-01-{nth % 28 + 1:02}"]
        run([RULESTONE, "--home", str(home), "add", str(book), *hints])
        if nth:
            run([RULESTONE, "--home", str(home), "remove", f"piers{nth - 1}.txt"])


def measured(home: Path, minutes: float) -> bool:
    """Whether the server stayed well for so long."""
    given, served = asked(home), home.with_name("served")
    served.symlink_to(home)  # a name that no other process has
    with serving(RULESTONE, "--home", str(served), "serve", "--port", PORT, "--workers", "2") as port, beside(port):
        fill(port, given)
        rate = SHARE * len(load(port, given, PROBED).milliseconds) / PROBED
        before, stop = memory(str(served)), threading.Event()
        with ThreadPoolExecutor(2) as pool:
            added = pool.submit(adding, home, min(EVERY, minutes * 6), stop)
            sampled = pool.submit(highest, served, stop)
            heard = load(port, given, minutes * 60, rate)
            stop.set()
            added.result()
            settle(port, home)
            fill(port, given)  # as before: processes that have just begun have less
            after = memory(str(served))
    return _told(heard, rate, minutes, (before, after, sampled.result()))


def fill(port: int, given: Sequence[str]) -> None:
    """Asks everything some times: what is kept is kept, and both processes have opened what they open, however busy the machine."""
    load(port, given, 600, most=FILLING * len(given))


def highest(served: Path, stop: threading.Event) -> float:
    """The most memory that is seen, also while one bundle takes the place of another."""
    most = 0.0
    while not stop.wait(SAMPLED):
        most = max(most, memory(str(served)))
    return most


def settle(port: int, home: Path) -> None:
    """Waits until the newest bundle is answered from."""
    with Library.open(home) as library:
        newest = library.health()["bundle"]
    while json.loads(_answer(http.client.HTTPConnection("127.0.0.1", port, timeout=60), "/healthz")[1])["bundle"] != newest:
        time.sleep(1)


def _told(heard: Heard, rate: float, minutes: float, megabytes: tuple[float, float, float]) -> bool:
    print(*heard.failed[:10], sep="\n", file=sys.stderr)
    behind = f"{len(heard.milliseconds)} answers in {minutes:g} minutes, {rate:.0f} asked a second, {IDLE} idle connections"
    sound = report("failed requests", len(heard.failed), 0, "", behind)
    for kind in sorted({kind for kind, _ in heard.milliseconds}):
        took = [milliseconds for of, milliseconds in heard.milliseconds if of == kind]
        print(f"     {kind}: p50 {statistics.median(took):.1f} p99 {statistics.quantiles(took, n=100)[98]:.1f} ms", flush=True)
    before, after, most = megabytes
    print(f"     memory: {before:.0f} MB before, {after:.0f} after, {most:.0f} at most", flush=True)
    return sound


def main() -> bool:
    """Whether a server bears it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--home", type=Path, help="a knowledge base to copy; without it one of the digest")
    given = parser.parse_args()
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with tempfile.TemporaryDirectory(prefix="rulestone-soak-") as scratch:
        home = Path(scratch) / "home"
        if given.home is None:
            run([RULESTONE, "build", "--later"], home)
        else:
            shutil.copytree(given.home, home)
        return measured(home, given.minutes)


if __name__ == "__main__":
    sys.exit(not main())
