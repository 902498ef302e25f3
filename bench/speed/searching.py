"""Search: a query in a process and as a command, building, and our index compared with plain BM25 for several sizes."""

import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.measure import RULESTONE, loaded_home, report_figure, rulebook_folder, run_command
from bench.speed.sizes import QueryFigures, answer_requests, compare_size, run_in_process

PASSAGES = (300, 3_000, 30_000)
INVENTED_PASSAGES = 100_000
RULES, LARGE, COMMAND, SMALL = 10, 30, 1.5, 5
"""The targets, on 2 cores: milliseconds for a query with 3,000 rules and with 100,000 passages, seconds for the
command and for adding a small book to all others."""
BUILD, BUILD_LARGE, MEMORY = 60, 120, 1500
"""Seconds, seconds and MB (10⁶ bytes)."""
_QUERY = "graveyard order"
_READ_SCRIPT = "import api.cli.commands.search, search.searcher, ontology.knowledge"


def seed_books() -> list[str]:
    """The small books."""
    return sorted(map(str, (rulebook_folder() / "seeds").glob("*.txt")))


def magic_edition(*langs: str) -> list[str]:
    """The Magic book, in some languages."""
    return [str(rulebook_folder() / "mtg" / f"20250207_{lang}.txt") for lang in langs]


def is_answered_in_time(home: Path) -> bool:
    """Whether a query is fast enough with one Magic book and the small books loaded."""
    run_command([RULESTONE, "add", *seed_books(), *magic_edition("En")], home)
    figures: QueryFigures = run_in_process(answer_requests, home)
    times = ", ".join(f"p{share} {figures.percentile(share):.1f}" for share in (50, 95, 99))
    behind = f"{times} ms, {len(figures.seconds)} queries, each its best of 5, whole answers, {figures.peak / 1e6:.0f} MB"
    return report_figure("search at 3,000 rules, p95", figures.percentile(95), RULES, "ms", behind)


def is_command_fast(home: Path) -> bool:
    """Whether the command is fast enough."""
    search = partial(run_command, [RULESTONE, "search", _QUERY], home)
    bare = partial(run_command, [sys.executable, "-c", _READ_SCRIPT])
    runs = [(search(), bare()) for _ in range(8)][1:]
    searches, imports = zip(*runs, strict=True)
    whole, other = (statistics.median(run.seconds for run in column) for column in (searches, imports))
    cpu_median = statistics.median(run.computed for run in searches)
    behind = f"{cpu_median:.2f} s of processor time; imports {other:.2f} s; median of {len(runs)} whole processes in turn"
    return report_figure("rulestone search", whole, COMMAND, "s", behind)


def is_build_fast(name: str, files: list[str], max_seconds: float) -> bool:
    """Whether a complete build is within its time and memory."""
    with tempfile.TemporaryDirectory() as folder:
        run_command([RULESTONE, "add", *files], Path(folder))
        cost = run_command([RULESTONE, "build"], Path(folder))
    behind = f"{len(files)} files, {cost.computed:.1f} s of processor time"
    fast = report_figure(f"build {name}", cost.seconds, max_seconds, "s", behind)
    return report_figure(f"build {name}, peak memory", cost.peak / 1e6, MEMORY, "MB", "of the whole process") and fast


def is_ranking_fast(home: Path) -> bool:
    """Whether ranking is fast enough with 100,000 passages; prints all sizes."""
    print("     passages: time to build, p50 p95 p99 to understand, encode and rank; peak memory building and answering, disk")
    for count in PASSAGES:
        compare_size(home, count)
    figures = compare_size(None, INVENTED_PASSAGES)
    times = f"median {figures.percentile(50):.1f} ms, {len(figures.seconds)} queries, each its best of 5"
    behind = f"{times}, understand, encode and rank"
    return report_figure("ranking at 100,000 passages, p95", figures.percentile(95), LARGE, "ms", behind)


def is_small_book_fast(home: Path) -> bool:
    """Whether a small book is added fast enough with all other books loaded."""
    smallest = seed_books()[0]
    rest = [file for file in loaded_home(rulebook_folder()) if file != smallest]
    run_command([RULESTONE, "add", *rest], home)
    cost = run_command([RULESTONE, "add", smallest], home)
    behind = f"{len(rest)} files before, {cost.computed:.1f} s of processor time, {cost.peak / 1e6:.0f} MB"
    return report_figure("add one small book beside all", cost.seconds, SMALL, "s", behind)


def main() -> bool:
    """Whether every figure is within its target."""
    with tempfile.TemporaryDirectory() as scratch:
        home, whole = Path(scratch) / "edition", Path(scratch) / "all"
        figures = [is_answered_in_time(home), is_command_fast(home)]
        figures += [is_build_fast("seeds and digest", seed_books(), BUILD)]
        figures += [is_build_fast("with a full edition in two languages", [*seed_books(), *magic_edition("En", "Zh")], BUILD_LARGE)]
        figures += [is_small_book_fast(whole), is_ranking_fast(whole)]
    return all(figures)


if __name__ == "__main__":
    sys.exit(not main())
