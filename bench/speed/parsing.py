"""Parsing of a whole book (read → split → number → cite) against one bare regular expression over the same text."""

import re
import sys

from bench.measure import computed, in_turn, report, texts
from ingest.layout import layout_of
from ingest.pipeline import parse_as
from ingest.read.document import read
from ingest.recognise.edition import Hints, recognise

BARE = r"^(\d{3}\.\d+[a-z]{0,2})\.?\s+(.+)$"
"""All that the simplest parser of this book needs; it keeps no offsets and finds no citations."""
MOST = 40


def main() -> bool:
    """Whether parsing is within its target."""
    path = texts() / "mtg" / "20250207_En.txt"
    document = read(path)
    known = recognise(document, layout_of(document.text), Hints())

    def parse() -> None:
        fresh = read(path)
        parse_as(fresh, layout_of(fresh.text), known)

    def bare() -> None:
        re.findall(BARE, document.text, re.M)

    parsed, matched = in_turn(7, lambda: computed(parse), lambda: computed(bare))
    behind = f"{min(parsed):.3f} s against {min(matched) * 1000:.1f} ms, best of 7"
    return report(f"parsing {path.name} : bare re.findall", min(parsed) / min(matched), MOST, "×", behind)


if __name__ == "__main__":
    sys.exit(not main())
