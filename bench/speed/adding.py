"""`rulestone add` as a process: seconds and peak memory with a new home, processor time with homes that hold books."""

import calendar
import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

from bench.measure import RULESTONE, CommandCost, loaded_home, report_figure, rulebook_folder, run_command

EDITION, ALL, MEMORY = 5, 40, 600
"""Seconds, seconds, MB (10⁶ bytes): the targets, on 2 cores."""
SEED_SECONDS, BESIDE_SHARE, UNANNOTATED_SECONDS, EDITION_SECONDS, RULINGS_SECONDS, BUILD_SECONDS = 1.5, 1.3, 5, 12, 60, 15
"""Targets of processor time without encoding; `BESIDE_SHARE` is the factor for a home with twelve editions."""
RULINGS = 6355
MONTHS = [*calendar.month_name[1:]]


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


def is_within_later_targets(folder: Path, scratch: Path) -> bool:
    """Whether `build` of the digest and `add --later` to homes with the digest and with twelve editions are within the targets."""
    digest, magic = scratch / "digest", scratch / "magic"

    def add_later(home: Path, *arguments: str) -> float:
        return run_command([RULESTONE, "add", "--later", *arguments], home).computed

    def add_to_copy(home: Path, *arguments: str) -> float:
        with tempfile.TemporaryDirectory(dir=scratch) as copy:
            return add_later(shutil.copytree(home, Path(copy) / "home"), *arguments)

    build, again = (run_command([RULESTONE, "build", "--later"], home).computed for home in (digest, scratch / "second"))
    shutil.copytree(digest, magic)
    edition, *others = _magic_editions(folder, scratch)
    first = add_later(magic, edition)
    add_later(magic, *others)
    seed, unannotated = str(folder / "seeds" / "003-dm-card-view.ja.txt"), str(next((folder / "lovelive").iterdir()))
    rulings = ("--game", "mtg", "--source", "bench", _many_rulings(scratch))
    few, unknown = add_to_copy(digest, seed), add_to_copy(digest, "--game", "lovelive", unannotated)
    few_beside, many = add_to_copy(magic, seed), add_to_copy(magic, *rulings)
    figures = (
        ("build of the digest, with its cache", build, BUILD_SECONDS),
        ("build of the digest for a further home", again, BUILD_SECONDS),
        ("add --later an edition of Magic", first, EDITION_SECONDS),
        ("add --later 60 rules of an annotated game", few, SEED_SECONDS),
        ("add --later the same beside twelve editions of Magic", few_beside, SEED_SECONDS * BESIDE_SHARE),
        ("add --later a book of an unannotated game", unknown, UNANNOTATED_SECONDS),
        (f"add --later {RULINGS} rulings", many, RULINGS_SECONDS),
    )
    within = [report_figure(name, seconds, limit, "s", "one run, processor time") for name, seconds, limit in figures]
    return all(within)


def _magic_editions(folder: Path, scratch: Path) -> list[str]:
    """Twelve editions of Magic: one book with other dates."""
    text = (folder / "mtg" / "20250207_En.txt").read_text(encoding="utf-8")
    files = [scratch / f"magic-{month}.txt" for month in MONTHS]
    for file, month in zip(files, MONTHS, strict=True):
        file.write_text(text.replace("February 7, 2025", f"{month} 7, 2023"), encoding="utf-8")
    return list(map(str, files))


def _many_rulings(scratch: Path) -> str:
    """A file of invented rulings, of which every third cites a rule."""
    file = scratch / "rulings.jsonl"
    rows = (
        {
            "id": str(number),
            "date": "2023-06-01",
            "question": f"May a captain with {number} tokens move card {number} out of the graveyard during step {number % 7}?",
            "answer": f"Only {number % 5} of them. See rule 400.{number % 9 + 1}."
            if number % 3 == 0
            else f"It stays with {number}.",
        }
        for number in range(RULINGS)
    )
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(file)


def main() -> bool:
    """Whether every figure is within its target."""
    folder = rulebook_folder()
    add([str(folder / "seeds" / "000-dm-zones.ja.txt")])  # compiles the modules, and fills the user's cache
    with tempfile.TemporaryDirectory() as scratch, mock.patch.dict(os.environ, XDG_CACHE_HOME=f"{scratch}/cache"):  # an empty one
        later = is_within_later_targets(folder, Path(scratch))
    return all(
        [
            later,
            is_within_targets("one full edition in English", [str(folder / "mtg" / "20250207_En.txt")], EDITION, 3),
            is_within_targets("one full edition in Chinese", [str(folder / "mtg" / "20250207_Zh.txt")], EDITION, 3),
            is_within_targets("all rulebooks", loaded_home(folder), ALL, 1),
        ]
    )


if __name__ == "__main__":
    sys.exit(not main())
