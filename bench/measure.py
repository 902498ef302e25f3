"""Shared parts of the benches: the machine, the texts, fair times, and one way to print a figure."""

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

RULESTONE = str(Path(sys.executable).with_name("rulestone"))
"""The command as it is installed beside this Python."""


SEEDS = ("dm.cr.2025-12-17.2.*", "dm.zones-summary.*", "fow.cr.undated.*", "mtg.cr.2024-06-07.*", "ygo.rulebook.undated.*")
"""The files of the digest that gloss the five seeds."""


def seeds_alone() -> None:
    """Has what is built from here on load the glosses of the five seeds and no others: the judged queries are of these."""
    os.environ["RULESTONE_DIGEST"] = ",".join(SEEDS)


class Ran(NamedTuple):
    """The cost of a process: seconds from its start to its end, its peak memory in bytes, seconds of processor time."""

    seconds: float
    peak: int
    computed: float


def texts() -> Path:
    """The folder of the real rulebooks; ends the program with one line where there is none."""
    beside = Path(__file__).parents[2] / "shared" / "rulebooks"
    folder = Path(os.environ.get("RULESTONE_TEXTS") or beside)
    if not folder.is_dir():
        sys.exit(f"no rulebooks in {folder}: the benches read real ones; name their folder with RULESTONE_TEXTS")
    return folder.resolve()


def books(folder: Path) -> list[str]:
    """Every rulebook of the folder; its README is none."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "README.md")
    return sorted(map(str, files))


def machine() -> str:
    """One line that names the machine of the absolute figures."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    return f"machine: {_processor()}, {cores} cores, {platform.system()}, Python {platform.python_version()}"


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def in_turn(rounds: int, *works: Callable[[], float]) -> list[list[float]]:
    """The seconds that each work gives, round by round: a slow moment of the machine hits all of them alike.

    One more round before the first is not counted: it fills caches.
    """
    times = [[work() for work in works] for _ in range(rounds + 1)]
    return [list(column) for column in zip(*times[1:], strict=True)]


def timed(work: Callable[[], object]) -> float:
    """Seconds that a call takes, waiting included."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def computed(work: Callable[[], object]) -> float:
    """Seconds of processor time that a call takes: others on the machine do not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def run(command: Sequence[str], home: Path | None = None) -> Ran:
    """The cost of a command as a process of its own; ends the program with the command's message if it fails."""
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
    return Ran(seconds, peak, usage.ru_utime + usage.ru_stime)


def report(name: str, value: float, most: float, unit: str, behind: str) -> bool:
    """Prints one figure with its target and what stands behind it; gives whether it is within the target."""
    fits = value <= most
    verdict = "ok  " if fits else "OVER"
    print(f"{verdict} {name:<46} {value:8.1f} {unit:<2} (target ≤ {most:g} {unit})  {behind}", flush=True)
    return fits
