"""Parsing of a complete book (read → split → number → cite) compared with one regular expression over the same text.

The same book in Chinese has the same rules in a third of the characters: time is compared per character and per rule.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

from bench.measure import alternate, cpu_seconds, report_figure, rulebook_folder
from corpus.model import Reading
from ingest.lines import make_layout
from ingest.pipeline import parse_as
from ingest.read.document import read
from ingest.recognise import Hints, recognise

BARE_PATTERN = r"^(\d{3}\.\d+[a-z]{0,2})\.?\s+(.+)$"
"""The simplest parser of this book, without offsets and citations."""
MOST, MOST_CHINESE, MOST_CHINESE_RULE = 35, 3.5, 1.5
"""Current limits; the goals are 20 and, per character, 1.5."""


def parsing_functions(path: Path) -> tuple[str, Callable[[], list[Reading]]]:
    """The text of a book, and functions that read its file and parse it."""
    document = read(path)
    recognised = recognise(document, make_layout(document.text), Hints())

    def parse() -> list[Reading]:
        fresh = read(path)
        return parse_as(fresh, make_layout(fresh.text), recognised)

    return document.text, parse


def rules(readings: list[Reading]) -> int:
    """The number of nodes of a book."""
    return sum(len(reading.nodes) for reading in readings)


def main() -> bool:
    """Whether parsing is within its targets."""
    path, chinese = (rulebook_folder() / "mtg" / f"20250207_{language}.txt" for language in ("En", "Zh"))
    (text, parse), (other, parse_other) = parsing_functions(path), parsing_functions(chinese)
    works = (parse, parse_other, lambda: re.findall(BARE_PATTERN, text, re.M))
    parse_seconds, other_parse_seconds, match_seconds = map(
        min, alternate(7, *(lambda work=work: cpu_seconds(work) for work in works))
    )
    behind = f"{parse_seconds:.3f} s against {match_seconds * 1000:.1f} ms, best of 7"
    fits = report_figure(f"parsing {path.name} : bare re.findall", parse_seconds / match_seconds, MOST, "×", behind)
    behind = f"{other_parse_seconds:.3f} s for {len(other):,} characters against {len(text):,}"
    for_each = other_parse_seconds / len(other) / (parse_seconds / len(text))
    fits &= report_figure("parsing Chinese : English, a character", for_each, MOST_CHINESE, "×", behind)
    there, here = rules(parse_other()), rules(parse())
    behind = f"{there:,} rules, headings and entries, {here:,} in English"
    for_each = other_parse_seconds / there / (parse_seconds / here)
    return report_figure("parsing Chinese : English, a rule", for_each, MOST_CHINESE_RULE, "×", behind) and fits


if __name__ == "__main__":
    sys.exit(not main())
