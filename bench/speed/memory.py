"""Memory of a server's processes as proportional set size (PSS).

Servers of one, two and four processes receive requests for searches, terms and zones until each process has answered some. The
memory of a further process is half the difference between four and two.
"""

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.measure import report_figure
from bench.speed.load import paths
from bench.speed.serving import fetch, home_of_books, memory_megabytes, running_server, serve_command
from rulestone import Library

FIRST_COUNT = 300
"""Maximum megabytes of the first worker; the memory of each further one is only printed."""
KINDS = ("search", "terms", "zones")
REQUESTS_PER_KIND = 24
"""Number of requested paths of each kind, for each process."""


def mixed_requests(home: Path) -> list[str]:
    """Searches, terms and zones in turn."""
    with Library.open(home) as library:
        by_kind = paths(library)
    return [path for kind in KINDS for path in by_kind[kind][:: max(1, len(by_kind[kind]) // REQUESTS_PER_KIND)]]


def server_megabytes(home: Path, requests: list[str], workers: int) -> float:
    """Memory in megabytes of a server with this many processes after its responses."""
    with tempfile.TemporaryDirectory() as name:
        mark = Path(name) / "home"  # a unique name
        mark.symlink_to(home.resolve())
        with running_server(*serve_command(mark, workers)) as server, ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda path: fetch(server.port, path, 120), requests * workers))
            return memory_megabytes(str(mark))


def main() -> bool:
    """Whether the processes are small enough."""
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with home_of_books() as home:
        some = mixed_requests(home)
        single, two, four = (server_megabytes(home, some, workers) for workers in (1, 2, 4))
    behind = f"one {single:.0f}, two {two:.0f}, four {four:.0f} MB; {len(some)} questions for each process"
    print(f"each further worker: {(four - two) / 2:.0f} MB", flush=True)
    return report_figure("memory of a server of one worker", single, FIRST_COUNT, "MB", behind)


if __name__ == "__main__":
    sys.exit(not main())
