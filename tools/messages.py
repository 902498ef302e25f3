#!/usr/bin/env python
"""Writes corpus/data/locale/rulestone.pot: every sentence that users are told, from the calls that make them (babel.cfg).

Without places and dates: the file changes only where a sentence does.
"""

import sys
from pathlib import Path

from babel.messages.frontend import CommandLineInterface

ROOT = Path(__file__).parents[1]
CATALOGUE = ROOT / "corpus" / "data" / "locale" / "rulestone.pot"
KEYWORDS = ("Message", "message", "RulestoneError", "NotFoundError", "InputError", "EnvironmentFault")


def main(target: Path = CATALOGUE) -> None:
    """Extracts the sentences into a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    keywords = [word for keyword in KEYWORDS for word in ("--keyword", keyword)]
    options = ["--no-default-keywords", *keywords, "--no-location", "--sort-output", "--omit-header", "--width=120"]
    CommandLineInterface().run(["pybabel", "-q", "extract", "-F", str(ROOT / "babel.cfg"), *options, "-o", str(target), str(ROOT)])


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
