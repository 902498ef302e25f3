"""Parsing of a whole book (read → split → number → cite) against one bare regular expression over the same text.

And of the same book in Chinese, which says the same rules in a third of the characters: beside a character, a rule is compared.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

from bench.measure import computed, in_turn, report, texts
from corpus.model import Reading
from ingest.lines import layout_of
from ingest.pipeline import parse_as
from ingest.read.document import read
from ingest.recognise import Hints, recognise

BARE = r"^(\d{3}\.\d+[a-z]{0,2})\.?\s+(.+)$"
"""All that the simplest parser of this book needs; it keeps no offsets and finds no citations."""
MOST, MOST_CHINESE, MOST_CHINESE_RULE = 35, 3.5, 1.5
"""Today's limits; the goals are 20 and, for a character, 1.5."""


def parsing(path: Path) -> tuple[str, Callable[[], list[Reading]]]:
    """The text of a book, and what reads its file and parses it."""
    document = read(path)
    known = recognise(document, layout_of(document.text), Hints())

    def parse() -> list[Reading]:
        fresh = read(path)
        return parse_as(fresh, layout_of(fresh.text), known)

    return document.text, parse


def rules(readings: list[Reading]) -> int:
    """How many nodes a book has."""
    return sum(len(reading.nodes) for reading in readings)


def main() -> bool:
    """Whether parsing is within its targets."""
    path, chinese = (texts() / "mtg" / f"20250207_{language}.txt" for language in ("En", "Zh"))
    (text, parse), (other, parse_other) = parsing(path), parsing(chinese)
    works = (parse, parse_other, lambda: re.findall(BARE, text, re.M))
    parsed, parsed_other, matched = map(min, in_turn(7, *(lambda work=work: computed(work) for work in works)))
    behind = f"{parsed:.3f} s against {matched * 1000:.1f} ms, best of 7"
    fits = report(f"parsing {path.name} : bare re.findall", parsed / matched, MOST, "×", behind)
    behind = f"{parsed_other:.3f} s for {len(other):,} characters against {len(text):,}"
    for_each = parsed_other / len(other) / (parsed / len(text))
    fits &= report("parsing Chinese : English, a character", for_each, MOST_CHINESE, "×", behind)
    there, here = rules(parse_other()), rules(parse())
    behind = f"{there:,} rules, headings and entries, {here:,} in English"
    for_each = parsed_other / there / (parsed / here)
    return report("parsing Chinese : English, a rule", for_each, MOST_CHINESE_RULE, "×", behind) and fits


if __name__ == "__main__":
    sys.exit(not main())
