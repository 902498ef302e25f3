"""Shared parts of the benchmarks: the machine, the texts, timing, and the printing of figures."""

import csv
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

RULESTONE = str(Path(sys.executable).with_name("rulestone"))
"""The command installed with this Python."""


SEED_DIGESTS = ("dm.cr.2025-12-17.2.*", "dm.zones-summary.*", "fow.cr.undated.*", "mtg.cr.2024-06-07.*", "ygo.rulebook.undated.*")
"""The digest files of the five seed books."""


def use_only_seed_digests() -> None:
    """Limits later builds to the glosses of the five seed books, because the judged queries are about these."""
    os.environ["RULESTONE_DIGEST"] = ",".join(SEED_DIGESTS)


class CommandCost(NamedTuple):
    """The cost of a process: seconds from its start to its end, its peak memory in bytes, seconds of processor time."""

    seconds: float
    peak: int
    computed: float


def rulebook_folder() -> Path:
    """The folder of the real rulebooks; ends the program with a message if it is missing."""
    beside = Path(__file__).parents[2] / "shared" / "rulebooks"
    folder = Path(os.environ.get("RULESTONE_TEXTS") or beside)
    if not folder.is_dir():
        sys.exit(f"no rulebooks in {folder}: the benches read real ones; name their folder with RULESTONE_TEXTS")
    return folder.resolve()


def table_rows(file: Path) -> list[dict[str, str]]:
    """The rows of a table with a head, separated by tabs, without the lines that begin with #."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader((line for line in lines if line[0] != "#"), delimiter="\t", quoting=csv.QUOTE_NONE))


def prune_table(file: Path, is_kept: Callable[[dict[str, str]], bool]) -> int:
    """Drops rows of such a table without comments; returns their number."""
    head, *lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    remaining = [line for line, row in zip(lines, table_rows(file), strict=True) if is_kept(row)]
    file.write_text("".join((head, *remaining)), encoding="utf-8")
    return len(lines) - len(remaining)


UNKNOWN_GAMES = ("lovelive",)
"""Folders of rulebooks of games that the catalogue lacks; they are added with `--game`."""


def loaded_home(folder: Path) -> list[str]:
    """Every rulebook in the folder that is added without options."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "README.md")
    return sorted(str(path) for path in files if path.relative_to(folder).parts[0] not in UNKNOWN_GAMES)


@contextmanager
def folder_or_temporary(folder: Path | None) -> Iterator[Path]:
    """The given folder, or a temporary one."""
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


def machine_name() -> str:
    """A line that describes the machine."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    return f"machine: {_processor()}, {cores} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def alternate(rounds: int, *works: Callable[[], float]) -> list[list[float]]:
    """The seconds that each function returns, round by round, so that a slow period affects all functions equally.

    A first round, which fills caches, is not counted.
    """
    times = [[work() for work in works] for _ in range(rounds + 1)]
    return [list(column) for column in zip(*times[1:], strict=True)]


def elapsed_seconds(function: Callable[[], object]) -> float:
    """Elapsed seconds of a call."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def cpu_seconds(function: Callable[[], object]) -> float:
    """Processor seconds of a call, which do not depend on other processes."""
    start = time.process_time()
    function()
    return time.process_time() - start


def run_command(command: Sequence[str], home: Path | None = None) -> CommandCost:
    """The cost of a command in its own process; ends the program with the command's message if it fails."""
    environment = os.environ | ({"RULESTONE_HOME": str(home)} if home else {})
    with tempfile.TemporaryFile() as words:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=words, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            words.seek(0)
            sys.exit(f"{' '.join(command)} ended with {process.returncode}: {words.read().decode(errors='replace')}")
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return CommandCost(seconds, peak, usage.ru_utime + usage.ru_stime)


class Counts(NamedTuple):
    """How many answers are right, how many were given, and how many should have been."""

    right: int
    given: int
    wanted: int

    @property
    def precision(self) -> float:
        """The share of the given answers that are right."""
        return self.right / max(self.given, 1)

    @property
    def recall(self) -> float:
        """The share of the wanted answers that were given."""
        return self.right / max(self.wanted, 1)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / max(self.given + self.wanted, 1)


def report_figure(name: str, value: float, limit: float, unit: str, details: str) -> bool:
    """Prints a figure with its target and details; returns whether it is within the target."""
    fits = value <= limit
    verdict = "ok  " if fits else "OVER"
    print(f"{verdict} {name:<46} {value:8.1f} {unit:<2} (target ≤ {limit:g} {unit})  {details}", flush=True)
    return fits


def report_share(name: str, count: int, total: int, limit: float) -> bool:
    """Prints a share in per cent with its target; returns whether it is within the target."""
    return report_figure(name, 100 * count / max(total, 1), limit, "%", f"{count} of {total}")
