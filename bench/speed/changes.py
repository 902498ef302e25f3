"""The cost of twelve editions, and of the changes between any two of them, over HTTP: `python -m bench.speed.changes [HOME]`.

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
from bench.measure import RULESTONE, Ran, report, run, texts
from bench.speed.serving import beside_constant, serving

FILES = ("20220610_En.txt", "20240607_En.txt", "20250207_En.txt")
MONTHS = ("March", "April", "May", "June", "July", "August", "September", "October", "November")
REAL = ("2022-06-10", "2024-06-07", "2025-02-07")
EDITIONS = (*REAL, *(f"2025-{month:02}-07" for month in range(3, 12)))
MOST = 0.3
"""Seconds for any pair."""
TIMES, DISK = 1.3, 150
"""How much more the twelfth edition may cost than the second, and MB of all twelve."""


def files(folder: Path) -> Iterator[Path]:
    """The twelve files, the oldest first."""
    yield from (texts() / "mtg" / name for name in FILES)
    text = (texts() / "mtg" / FILES[-1]).read_text(encoding="utf-8-sig")
    for seed, month in enumerate(MONTHS):
        text = derived(text, f"{month} 7, 2025", seed).text
        path = folder / f"{month}.txt"
        path.write_text(text, encoding="utf-8")
        yield path


def built(home: Path) -> bool:
    """Makes a home with the twelve editions, added one after the other; whether each costs what the second does."""
    os.environ |= {"RULESTONE_MODEL": "static", "RULESTONE_DIGEST": "dm.zones-summary.*"}  # search is no matter here
    runs: list[Ran] = []
    with tempfile.TemporaryDirectory() as folder:
        for count, file in enumerate(files(Path(folder)), 1):
            runs.append(ran := run([RULESTONE, "add", str(file)], home))
            cost = f"{ran.computed:5.1f} s of processor time, {ran.peak / 1e6:4.0f} MB; {disk(home):4.0f} MB on disk"
            print(f"     edition {count:2} added in {cost}", flush=True)
    return all(costs(home, runs[1], runs[-1]))


def costs(home: Path, second: Ran, twelfth: Ran) -> list[bool]:
    """Whether many editions cost what they may."""
    name = "adding the 12th edition, times the 2nd"
    return [
        report(f"{name}, processor", twelfth.computed / second.computed, TIMES, "", f"{second.computed:.1f} s the 2nd"),
        report(f"{name}, memory", twelfth.peak / second.peak, TIMES, "", f"{second.peak / 1e6:.0f} MB the 2nd"),
        report("12 editions on disk", disk(home), DISK, "MB", "everything in the home"),
    ]


def disk(home: Path) -> float:
    """MB (10⁶ bytes) of the files of a home; one that has two names counts once."""
    sizes = {(about.st_dev, about.st_ino): about.st_size for about in (file.stat() for file in home.rglob("*") if file.is_file())}
    return sum(sizes.values()) / 1e6


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
        fits = [built(folder)] if not (folder / "current").exists() else []
        with serving(*beside_constant(folder)) as port:
            fits += [told("first asked for", list(asked(port))[1:]), told("asked for again", list(asked(port))[1:])]
        return all(fits)


def told(name: str, times: list[tuple[str, float]]) -> bool:
    """Prints the slowest pair beside the median; whether it is within the target."""
    slowest = max(times, key=lambda timed: timed[1])
    median = statistics.median(seconds for _, seconds in times)
    return report(f"any pair of 12 editions, {name}", slowest[1], MOST, "s", f"median {median:.3f} s; slowest {slowest[0]}")


if __name__ == "__main__":
    sys.exit(not main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
