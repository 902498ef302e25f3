"""The words that tell how a text falls into clauses and what a clause does, by language: `data/clauses.toml`."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from corpus.languages import language_of

FILE = Path(__file__).parents[1] / "data" / "clauses.toml"
Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Phrases:
    """What one language says it with."""

    abbreviations: Pattern  # before a dot that ends nothing
    leans: Pattern  # at the beginning of a sentence that rests on the one before
    excepts: Pattern
    without: Pattern  # what only looks like an exception
    defines: Pattern
    refers: Pattern  # a whole sentence that says no more than where to read on
    quoted: Pattern  # what goes on behind a quotation


def phrases(lang: str) -> Phrases:
    """The phrases of a language, whatever its script."""
    return _read()[language_of(lang)]


@cache
def _read() -> dict[str, Phrases]:
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        lang: Phrases(
            abbreviations=_any(table["abbreviations"], before=r"(?:^|[^A-Za-z])", after=r"\.$"),
            leans=_any(table["leans"]),
            excepts=_any(table["excepts"]),
            without=_any(table["without"]),
            defines=_any(table["defines"]),
            refers=_any(table["refers"], after=r"\s*$"),
            quoted=re.compile(table["quoted"]),  # a capital letter begins a sentence
        )
        for lang, table in tables.items()
    }


def _any(patterns: list[str], *, before: str = "", after: str = "") -> Pattern:
    """Any of some patterns; what nothing matches for none."""
    return re.compile(f"{before}(?:{'|'.join(patterns)}){after}" if patterns else "(?!)", re.IGNORECASE)
