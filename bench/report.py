"""Runs parts of the benchmarks, each in its own process, and writes their output to a page of the docs."""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1] / "docs"
_INDENT = "    "
"""Makes a block of code in Markdown."""
_SECTION = re.compile(rf"^## .+\n{_INDENT}\$ (?P<command>python -m .+?)  # .+\n", re.MULTILINE)


class Part(NamedTuple):
    """A module of `bench` and its options; a folder is printed as HOME."""

    module: str
    options: tuple[str | Path, ...] = ()

    @property
    def command(self) -> str:
        """The command that runs it."""
        arguments = ("HOME" if isinstance(option, Path) else option for option in self.options)
        return " ".join(("python -m", f"bench.{self.module}", *arguments))


def check_chosen(parser: argparse.ArgumentParser, names: Sequence[str], parts: Sequence[Part]) -> None:
    """Ends the program with a message if a chosen part does not exist."""
    modules = [part.module for part in parts]
    if unknown := set(names).difference(modules):
        parser.error(f"no part {', '.join(sorted(unknown))}; parts: {', '.join(modules)}")


def write(page: str, title: str, opening: str, parts: Sequence[Part], names: Sequence[str] = ()) -> int:
    """Runs the parts, shows their output and writes it to a page; returns the highest exit code.

    With `names`, modules of `bench`, only these run, and the other sections stay as they are. Each section states the day and the
    revision of its figures. The page keeps the lines that are not indented: a bench indents the lines that explain a figure above
    them. The page is written after every part, so an interrupted run loses nothing. The section of a part that fails has its exit
    code.
    """
    path, worst = DOCS / page, 0
    sections = dict(_sections(path.read_text(encoding="utf-8"))) if path.exists() else {}
    for part in parts:
        if names and part.module not in names:
            continue
        output, code = _run(part)
        worst = max(worst, code)
        sections[part.command] = _section(part, output, code)
        known_sections = [sections[each.command] for each in parts if each.command in sections]
        head = f"# {title}\n\n<!-- Written by bench/report.py -->\n\n{opening}\n"
        path.write_text("\n".join([head, *known_sections]), encoding="utf-8")
    return worst


def _sections(page: str) -> Iterator[tuple[str, str]]:
    """The sections of a page by the command that printed them."""
    starts = list(_SECTION.finditer(page))
    ends = [start.start() for start in starts[1:]] + [len(page)]
    for start, end in zip(starts, ends, strict=True):
        yield start["command"], page[start.start() : end].rstrip() + "\n"


def _section(part: Part, output: str, code: int) -> str:
    fault_lines = [] if code == 0 else [f"exit code {code}: a figure misses its target, or the part failed"]
    figures = [line for line in output.splitlines() if line.strip() and not line.startswith(" ")]
    lines = [f"$ {part.command}  # {date.today().isoformat()}, revision {_revision()}", *figures, *fault_lines]
    return "\n".join([f"## {_part_title(part)}", *(f"{_INDENT}{line}" for line in lines), ""])


def _revision() -> str:
    """The commit of the code that is measured; changes of the docs do not mark it as changed."""
    command = ["git", "-C", str(DOCS.parent), "describe", "--always", "--exclude=*"]
    revision = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
    diff_command = ["git", "-C", str(DOCS.parent), "diff", "--quiet", "HEAD", "--", ".", ":!docs"]
    return revision + ("-dirty" if subprocess.run(diff_command, check=False).returncode else "")


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
    """The first line of the module's docstring without its command; of a package's `__main__` if the package has none."""
    module = import_module(f"bench.{part.module}")
    line = (module.__doc__ or import_module(f"bench.{part.module}.__main__").__doc__ or "").strip().partition("\n")[0]
    return line.partition("`python")[0].rstrip(" :.")
