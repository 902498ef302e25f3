"""Runs parts of the benchmarks, each in its own process, and writes their output to a page of the docs."""

import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from bench.measure import machine_name

DOCS = Path(__file__).parents[1] / "docs"


class Part(NamedTuple):
    """A module of `bench` and its options; a home is printed as HOME."""

    module: str
    options: tuple[str | Path, ...] = ()

    @property
    def command(self) -> str:
        """The command that runs it."""
        shown = ("HOME" if isinstance(option, Path) else option for option in self.options)
        return " ".join(("python -m", f"bench.{self.module}", *shown))


def write(page: str, title: str, opening: str, parts: Sequence[Part]) -> int:
    """Runs the parts, shows and writes their output; returns the highest exit code.

    A failed part keeps its section, with its exit code, so that a page never shows figures of an older run.
    """
    sections, worst = [], 0
    for part in parts:
        printed, code = _run(part)
        worst = max(worst, code)
        failed = "" if code == 0 else f"\nExit code {code}: a figure misses its target, or the part failed.\n"
        sections.append(f"## {_part_title(part)}\n\n`{part.command}`\n{failed}\n```\n{printed.strip()}\n```\n")
    head = (
        f"# {title}\n\n<!-- Written by bench/report.py -->\n\n{opening}\n\n"
        f"Measured on {date.today().isoformat()} at revision {_revision()}; {machine_name()}.\n"
    )
    (DOCS / page).write_text("\n".join([head, *sections]), encoding="utf-8")
    return worst


def _revision() -> str:
    """The commit of the code that is measured."""
    command = ["git", "-C", str(DOCS), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def _run(part: Part) -> tuple[str, int]:
    """The output of a part, which is also shown while it runs, and its exit code."""
    lines = []
    command = [sys.executable, "-m", f"bench.{part.module}", *map(str, part.options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line.rstrip())
    return "\n".join(lines), process.returncode


def _part_title(part: Part) -> str:
    """The first line of the module's docstring without its command."""
    line = (import_module(f"bench.{part.module}").__doc__ or part.module).strip().splitlines()[0]
    return line.partition(": `python")[0].rstrip(".")
