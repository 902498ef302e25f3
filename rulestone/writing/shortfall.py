"""Reports a file that has far fewer rules, in the chapters that it covers, than another edition of its book: it may be damaged."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from corpus.chronology import newest_first
from corpus.messages import Message, message
from corpus.model import Reading
from corpus.store.currency import divisions
from corpus.store.documents import FILE_NAME, Documents
from corpus.store.home.manifest import EditionEntry

_MIN_SHARE = 0.5
"""Minimum share of the other edition's rules, below which a file is reported."""
_MIN_RULES = 20
"""Minimum number of the other edition's rules; below it nothing is reported."""


def shortfall(reading: Reading, editions: Iterable[EditionEntry], bundle: Path) -> Message | None:
    """A note if a reading lacks most rules of its own chapters, compared with the newest edition that has most of these; else None.

    A part of a book is legitimate, so only its chapters count, and a lone chapter only if the file has its heading.
    """
    own = _rules_by_chapter((node.locator for node in reading.nodes), reading.grammar)
    headings = {node.locator for node in reading.nodes if node.kind.is_heading}
    if len(own) == 1 and not headings & own.keys():
        return None
    of_book = [entry for entry in editions if (entry.game, entry.book) == (reading.key.game, reading.key.book)]
    of_book.sort(key=lambda entry: newest_first(entry.key))
    other = max(of_book, key=lambda entry: len(own.keys() & {chapter.split()[0] for chapter in entry.chapters}), default=None)
    if other is None:
        return None
    rules = _rules_by_chapter(Documents(bundle / FILE_NAME).document(str(other.key)).names, other.grammar)
    count, expected = own.total(), sum(rules[chapter] for chapter in own)
    if expected < _MIN_RULES or count >= _MIN_SHARE * expected:
        return None
    return message(
        "{count} rules, where {edition} has {expected} in the same chapters; check that the file is whole",
        count=count,
        edition=other.key,
        expected=expected,
    )


def _rules_by_chapter(locators: Iterable[str], grammar: str) -> Counter[str]:
    return Counter(divisions(locator, grammar)[0] for locator in locators)
