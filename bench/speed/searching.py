"""Search: an answer in a process and as a whole command, building, and our index beside plain BM25 from small to large."""

import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.measure import RULESTONE, books, report, run, texts
from bench.speed.sizes import Asked, alone, answered, compared

PASSAGES = (300, 3_000, 30_000)
INVENTED = 100_000
RULES, LARGE, COMMAND, SMALL = 10, 30, 1.5, 5
"""The targets, on 2 cores: milliseconds for one answer at 3,000 rules and at 100,000 passages, seconds for the
command and for adding a small book to all others."""
BUILD, BUILD_LARGE, MEMORY = 60, 120, 1500
"""Seconds, seconds and MB (10⁶ bytes)."""
_QUERY = "graveyard order"
_READ = "import api.cli.commands.search, search.searcher, ontology.knowledge"


def seeds() -> list[str]:
    """The small books."""
    return sorted(map(str, (texts() / "seeds").glob("*.txt")))


def edition(*langs: str) -> list[str]:
    """The Magic book, in some languages."""
    return [str(texts() / "mtg" / f"20250207_{lang}.txt") for lang in langs]


def answers(home: Path) -> bool:
    """Whether a query is answered in time where one Magic book and the small ones are loaded."""
    run([RULESTONE, "add", *seeds(), *edition("En")], home)
    asked: Asked = alone(answered, home)
    times = ", ".join(f"p{share} {asked.percentile(share):.1f}" for share in (50, 95, 99))
    behind = f"{times} ms, {len(asked.seconds)} queries, each its best of 5, whole answers, {asked.peak / 1e6:.0f} MB"
    return report("search at 3,000 rules, p95", asked.percentile(95), RULES, "ms", behind)


def command(home: Path) -> bool:
    """Whether the whole command is in time."""
    search = partial(run, [RULESTONE, "search", _QUERY], home)
    bare = partial(run, [sys.executable, "-c", _READ])
    runs = [(search(), bare()) for _ in range(8)][1:]
    searched, imported = zip(*runs, strict=True)
    whole, other = (statistics.median(run.seconds for run in column) for column in (searched, imported))
    computed = statistics.median(run.computed for run in searched)
    behind = f"{computed:.2f} s of processor time; imports {other:.2f} s; median of {len(runs)} whole processes in turn"
    return report("rulestone search", whole, COMMAND, "s", behind)


def building(name: str, files: list[str], most: float) -> bool:
    """Whether building anew is in time and in memory."""
    with tempfile.TemporaryDirectory() as folder:
        run([RULESTONE, "add", *files], Path(folder))
        built = run([RULESTONE, "build"], Path(folder))
    fast = report(f"build {name}", built.seconds, most, "s", f"{len(files)} files, {built.computed:.1f} s of processor time")
    return report(f"build {name}, peak memory", built.peak / 1e6, MEMORY, "MB", "of the whole process") and fast


def sizes(home: Path) -> bool:
    """Whether ranking is in time at 100,000 passages; prints every size."""
    print("     passages: time to build, p50 p95 p99 to understand, encode and rank; peak memory building and answering, disk")
    for count in PASSAGES:
        compared(home, count)
    asked = compared(None, INVENTED)
    behind = f"median {asked.percentile(50):.1f} ms, {len(asked.seconds)} queries, each its best of 5, understand, encode and rank"
    return report("ranking at 100,000 passages, p95", asked.percentile(95), LARGE, "ms", behind)


def small(home: Path) -> bool:
    """Whether a small book is added in time where all the others are loaded."""
    smallest = seeds()[0]
    rest = [file for file in books(texts()) if file != smallest]
    run([RULESTONE, "add", *rest], home)
    added = run([RULESTONE, "add", smallest], home)
    return report(
        "add one small book beside all",
        added.seconds,
        SMALL,
        "s",
        f"{len(rest)} files before, {added.computed:.1f} s of processor time, {added.peak / 1e6:.0f} MB",
    )


def main() -> bool:
    """Whether everything is within its target."""
    with tempfile.TemporaryDirectory() as scratch:
        home, whole = Path(scratch) / "edition", Path(scratch) / "all"
        figures = [answers(home), command(home)]
        figures += [building("seeds and digest", seeds(), BUILD)]
        figures += [building("with a full edition in two languages", [*seeds(), *edition("En", "Zh")], BUILD_LARGE)]
        figures += [small(whole), sizes(whole)]
    return all(figures)


if __name__ == "__main__":
    sys.exit(not main())
