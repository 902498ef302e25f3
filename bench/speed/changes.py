"""What changed between any two of twelve editions, over HTTP: `python -m bench.speed.changes [HOME]`.

Three real editions of Magic and nine derived from the last by a seeded hand (`bench.derived`). Every pair is asked for once, after
one look-up has opened the knowledge base; with HOME the home is kept there and used again.
"""

import http.client
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from urllib.parse import urlencode

from bench.derived import derived
from bench.measure import RULESTONE, report, run, texts
from bench.speed.serving import beside_constant, serving

FILES = ("20220610_En.txt", "20240607_En.txt", "20250207_En.txt")
MONTHS = ("March", "April", "May", "June", "July", "August", "September", "October", "November")
REAL = ("2022-06-10", "2024-06-07", "2025-02-07")
EDITIONS = (*REAL, *(f"2025-{month:02}-07" for month in range(3, 12)))
MOST = 0.3
"""Seconds for any pair."""


def files(folder: Path) -> Iterator[Path]:
    """The twelve files, the oldest first."""
    yield from (texts() / "mtg" / name for name in FILES)
    text = (texts() / "mtg" / FILES[-1]).read_text(encoding="utf-8-sig")
    for seed, month in enumerate(MONTHS):
        text = derived(text, f"{month} 7, 2025", seed).text
        path = folder / f"{month}.txt"
        path.write_text(text, encoding="utf-8")
        yield path


def built(home: Path) -> None:
    """A home with the twelve editions, added one after the other."""
    os.environ |= {"RULESTONE_MODEL": "static", "RULESTONE_DIGEST": "dm.zones-summary.*"}  # search is no matter here
    with tempfile.TemporaryDirectory() as folder:
        for count, file in enumerate(files(Path(folder)), 1):
            ran = run([RULESTONE, "add", str(file)], home)
            print(f"     edition {count:2} added in {ran.computed:5.1f} s of processor time, {ran.peak / 1e6:4.0f} MB", flush=True)


def asked(port: int) -> Iterator[tuple[str, float]]:
    """Each pair, and the seconds until its answer was read."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for path in ("/v1/rules/mtg/100.1", *(f"/v1/changes?{urlencode(query)}" for query in queries())):
        start = time.perf_counter()
        connection.request("GET", path)
        response = connection.getresponse()
        size = len(response.read())
        if response.status != 200:
            raise RuntimeError(f"{path} answers {response.status}")
        yield f"{path} ({size / 1e6:.1f} MB)", time.perf_counter() - start


def queries() -> Iterator[dict[str, str]]:
    """Every pair of editions."""
    yield from ({"book": "mtg/cr", "from": old, "to": new} for old, new in combinations(EDITIONS, 2))


def main(home: Path | None = None) -> bool:
    """Whether every pair is answered in time, both when it is asked for first and once more."""
    with tempfile.TemporaryDirectory() as name:
        folder = home or Path(name)
        if not (folder / "current").exists():
            built(folder)
        with serving(*beside_constant(folder)) as port:
            return all([told("first asked for", list(asked(port))[1:]), told("asked for again", list(asked(port))[1:])])


def told(name: str, times: list[tuple[str, float]]) -> bool:
    """Prints the slowest pair beside the median; whether it is within the target."""
    slowest = max(times, key=lambda one: one[1])
    median = statistics.median(seconds for _, seconds in times)
    return report(f"any pair of 12 editions, {name}", slowest[1], MOST, "s", f"median {median:.3f} s; slowest {slowest[0]}")


if __name__ == "__main__":
    sys.exit(not main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
