#!/usr/bin/env python
"""Writes corpus/data/locale/rulestone.pot: every sentence that users are told.

They stand in the calls that make them, and in the first lines of the violation queries (babel.cfg). Without places and dates: the
file changes only where a sentence does.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from babel.messages.frontend import CommandLineInterface

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "corpus" / "data" / "locale" / "rulestone.pot"
KEYWORDS = ("Message", "message", "RulestoneError", "NotFoundError", "InputError", "EnvironmentFault")


def opening(file: BinaryIO, *_: object, **__: object) -> Iterator[tuple[int, None, str, list[str]]]:
    """The first line of a violation query says what must hold; Babel takes it by this extractor."""
    yield 1, None, file.readline().decode("utf-8").removeprefix("#").strip(), []


def main(target: Path = CATALOGUE) -> None:
    """Extracts the sentences into a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    keywords = [word for keyword in KEYWORDS for word in ("--keyword", keyword)]
    options = ["--no-default-keywords", *keywords, "--no-location", "--sort-output", "--omit-header", "--width=120"]
    CommandLineInterface().run(["pybabel", "-q", "extract", "-F", str(ROOT / "babel.cfg"), *options, "-o", str(target), str(ROOT)])


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
