"""`rulestone add` as a whole process into a fresh home: seconds and peak memory."""

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.measure import RULESTONE, Ran, books, report, run, texts

EDITION, ALL, MEMORY = 5, 40, 600
"""Seconds, seconds, MB (10⁶ bytes): the targets, on 2 cores."""


def add(files: Sequence[str]) -> Ran:
    """The cost of adding some files to an empty home."""
    with tempfile.TemporaryDirectory() as home:
        return run([RULESTONE, "add", *files], Path(home))


def measured(name: str, files: Sequence[str], most: float, rounds: int) -> bool:
    """Whether adding some files is within the targets."""
    runs = [add(files) for _ in range(rounds)]
    seconds = statistics.median(each.seconds for each in runs)
    peak = max(each.peak for each in runs) / 1e6
    size = sum(Path(file).stat().st_size for file in files) / 1e6
    behind = f"{size:.1f} MB of text in {len(files)} file{'s' * (len(files) > 1)}, median of {rounds}"
    fast = report(f"add {name}", seconds, most, "s", behind)
    return report(f"add {name}, peak memory", peak, MEMORY, "MB", f"the most of {rounds}") and fast


def main() -> bool:
    """Whether everything is within its target."""
    folder = texts()
    add([str(folder / "seeds" / "000-dm-zones.ja.txt")])  # compiles the modules
    return all(
        [
            measured("one full edition in English", [str(folder / "mtg" / "20250207_En.txt")], EDITION, 3),
            measured("one full edition in Chinese", [str(folder / "mtg" / "20250207_Zh.txt")], EDITION, 3),
            measured("all rulebooks", books(folder), ALL, 1),
        ]
    )


if __name__ == "__main__":
    sys.exit(not main())
