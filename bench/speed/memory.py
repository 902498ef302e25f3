"""Memory of a server's processes, shared pages in shares (PSS): python -m bench.speed.memory [--home DIR].

A server of one process, then servers of two and four, are asked for searches, terms and zones until each process has answered some.
What a further process takes is half of what four take more than two.
"""

import argparse
import os
import sys
import tempfile
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.measure import RULESTONE, report
from bench.speed.attacks import memory
from bench.speed.load import paths
from bench.speed.serving import PORT, home_of_books, serving
from rulestone import Library

FIRST = 300
"""Megabytes that the first worker may take; what each further one takes is told."""
KINDS = ("search", "terms", "zones")
EACH = 24
"""Paths of each kind that are asked, for each process."""


def asked(home: Path) -> list[str]:
    """Searches, terms and zones in turn."""
    with Library.open(home) as library:
        by_kind = paths(library)
    return [path for kind in KINDS for path in by_kind[kind][:: max(1, len(by_kind[kind]) // EACH)]]


def taken(home: Path, some: list[str], workers: int) -> float:
    """Megabytes of a server of so many processes that has answered."""
    with tempfile.TemporaryDirectory() as name:
        mark = Path(name) / "home"  # a name that no other process has
        mark.symlink_to(home.resolve())
        with serving(RULESTONE, "--home", str(mark), "serve", "--port", PORT, "--workers", str(workers)) as port:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(lambda path: _get(port, path), some * workers))
            return memory(str(mark))


def _get(port: int, path: str) -> int:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=120) as answer:
        return len(answer.read())


def main() -> bool:
    """Whether the processes are small enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a knowledge base that is there; without it one of every rulebook")
    given = parser.parse_args().home
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with home_of_books(given) as home:
        some = asked(home)
        single, two, four = (taken(home, some, workers) for workers in (1, 2, 4))
    behind = f"one {single:.0f}, two {two:.0f}, four {four:.0f} MB; {len(some)} questions for each process"
    print(f"each further worker: {(four - two) / 2:.0f} MB", flush=True)
    return report("memory of a server of one worker", single, FIRST, "MB", behind)


if __name__ == "__main__":
    sys.exit(not main())
