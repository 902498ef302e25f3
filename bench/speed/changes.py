"""The cost of twelve editions, and of the changes between any two of them, over HTTP: `python -m bench.speed.changes`.

Three real editions of Magic and nine derived from the last one with a seed (`bench.derived`). Every pair is requested once, after a
look-up has opened the knowledge base.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import combinations
from pathlib import Path
from urllib.parse import urlencode

from bench.derived import derive_edition
from bench.measure import RULESTONE, CommandCost, report_figure, rulebook_folder, run_command
from bench.speed.serving import connect, get_body, running_server, with_constant_server

FILES = ("20220610_En.txt", "20240607_En.txt", "20250207_En.txt")
MONTHS = ("March", "April", "May", "June", "July", "August", "September", "October", "November")
REAL_EDITIONS = ("2022-06-10", "2024-06-07", "2025-02-07")
EDITIONS = (*REAL_EDITIONS, *(f"2025-{month:02}-07" for month in range(3, 12)))
MAX_SECONDS = 0.3
"""Seconds for any pair."""
TIMES, DISK = 1.3, 150
"""Maximum ratio of the costs of the twelfth edition and the second, and maximum MB of all twelve."""


def edition_files(folder: Path) -> Iterator[Path]:
    """The twelve files, the oldest first."""
    yield from (rulebook_folder() / "mtg" / name for name in FILES)
    text = (rulebook_folder() / "mtg" / FILES[-1]).read_text(encoding="utf-8-sig")
    for seed, month in enumerate(MONTHS):
        text = derive_edition(text, f"{month} 7, 2025", seed).text
        path = folder / f"{month}.txt"
        path.write_text(text, encoding="utf-8")
        yield path


def build_home(home: Path) -> bool:
    """Makes a home with the twelve editions, added one by one; returns whether each costs as much as the second."""
    os.environ |= {"RULESTONE_MODEL": "static", "RULESTONE_DIGEST": "dm.zones-summary.*"}  # without search
    runs: list[CommandCost] = []
    with tempfile.TemporaryDirectory() as folder:
        for count, file in enumerate(edition_files(Path(folder)), 1):
            runs.append(ran := run_command([RULESTONE, "add", str(file)], home))
            cost = f"{ran.computed:5.1f} s of processor time, {ran.peak / 1e6:4.0f} MB; {disk_megabytes(home):4.0f} MB on disk"
            print(f"     edition {count:2} added in {cost}", flush=True)
    return all(are_costs_acceptable(home, runs[1], runs[-1]))


def are_costs_acceptable(home: Path, second: CommandCost, twelfth: CommandCost) -> list[bool]:
    """Whether the costs of many editions are within the targets."""
    name, processor, memory = "adding the 12th edition, times the 2nd", second.computed, second.peak
    return [
        report_figure(f"{name}, processor", twelfth.computed / processor, TIMES, "", f"{processor:.1f} s the 2nd"),
        report_figure(f"{name}, memory", twelfth.peak / memory, TIMES, "", f"{memory / 1e6:.0f} MB the 2nd"),
        report_figure("12 editions on disk", disk_megabytes(home), DISK, "MB", "everything in the home"),
    ]


def disk_megabytes(home: Path) -> float:
    """MB (10⁶ bytes) of the files of a home; hard links count once."""
    sizes = {(about.st_dev, about.st_ino): about.st_size for about in (file.stat() for file in home.rglob("*") if file.is_file())}
    return sum(sizes.values()) / 1e6


def ask_changes(port: int) -> Iterator[tuple[str, float]]:
    """The request for each pair, and the seconds until its response was read."""
    with closing(connect(port)) as connection:
        get_body(connection, "/v1/rules/mtg/100.1")
        for old, new in combinations(EDITIONS, 2):
            path, start = f"/v1/changes?{urlencode({'book': 'mtg/cr', 'from': old, 'to': new})}", time.perf_counter()
            size = len(get_body(connection, path))
            yield f"{path} ({size / 1e6:.1f} MB)", time.perf_counter() - start


def is_quick(name: str, port: int) -> bool:
    """Whether the slowest pair is within the target; prints it and the median."""
    times = dict(ask_changes(port))
    slowest = max(times, key=lambda path: times[path])
    behind = f"median {statistics.median(times.values()):.3f} s; slowest {slowest}"
    return report_figure(f"any pair of 12 editions, {name}", times[slowest], MAX_SECONDS, "s", behind)


def main() -> bool:
    """Whether every pair is answered in time, at the first and the second request."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fits = [build_home(folder)]
        with running_server(*with_constant_server(folder)) as server:
            fits += [is_quick(what, server.port) for what in ("first asked for", "asked for again")]
        return all(fits)


if __name__ == "__main__":
    sys.exit(not main())
