"""`rulestone add` as a process, with a new home: seconds and peak memory."""

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.measure import RULESTONE, CommandCost, loaded_home, report_figure, rulebook_folder, run_command

EDITION, ALL, MEMORY = 5, 40, 600
"""Seconds, seconds, MB (10⁶ bytes): the targets, on 2 cores."""


def add(files: Sequence[str]) -> CommandCost:
    """The cost of adding some files to an empty home."""
    with tempfile.TemporaryDirectory() as home:
        return run_command([RULESTONE, "add", *files], Path(home))


def is_within_targets(name: str, files: Sequence[str], max_seconds: float, rounds: int) -> bool:
    """Whether adding some files is within the targets."""
    runs = [add(files) for _ in range(rounds)]
    seconds = statistics.median(each.seconds for each in runs)
    peak = max(each.peak for each in runs) / 1e6
    size = sum(Path(file).stat().st_size for file in files) / 1e6
    behind = f"{size:.1f} MB of text in {len(files)} file{'s' * (len(files) > 1)}, median of {rounds}"
    fast = report_figure(f"add {name}", seconds, max_seconds, "s", behind)
    return report_figure(f"add {name}, peak memory", peak, MEMORY, "MB", f"the most of {rounds}") and fast


def main() -> bool:
    """Whether every figure is within its target."""
    folder = rulebook_folder()
    add([str(folder / "seeds" / "000-dm-zones.ja.txt")])  # compiles the modules
    return all(
        [
            is_within_targets("one full edition in English", [str(folder / "mtg" / "20250207_En.txt")], EDITION, 3),
            is_within_targets("one full edition in Chinese", [str(folder / "mtg" / "20250207_Zh.txt")], EDITION, 3),
            is_within_targets("all rulebooks", loaded_home(folder), ALL, 1),
        ]
    )


if __name__ == "__main__":
    sys.exit(not main())
