"""Reports a file that has far fewer rules, in the chapters that it covers, than another edition of its book: it may be damaged."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from corpus.address import EditionKey
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
    """A note if a reading lacks most rules of its own chapters, compared with the edition that has the most of them; else None.

    A part of a book is legitimate, so only its chapters count, and a lone chapter only if the file has its heading.
    """
    own = _rules_by_chapter((node.locator for node in reading.nodes), reading.grammar)
    headings = {node.locator for node in reading.nodes if node.kind.is_heading}
    if len(own) == 1 and not headings & own.keys():
        return None
    of_book = [entry for entry in editions if (entry.game, entry.book) == (reading.key.game, reading.key.book)]
    count, expected = own.total(), dict[EditionKey, int]()
    documents = Documents(bundle / FILE_NAME)
    for entry in of_book:
        rules = _rules_by_chapter(documents.document(str(entry.key)).names, entry.grammar)
        expected[entry.key] = sum(rules[chapter] for chapter in own)
    fullest = max(expected, key=lambda key: expected[key], default=None)
    if fullest is None or expected[fullest] < _MIN_RULES or count >= _MIN_SHARE * expected[fullest]:
        return None
    return message(
        "{count} rules, where {edition} has {expected} in the same chapters; check that the file is whole",
        count=count,
        edition=fullest,
        expected=expected[fullest],
    )


def _rules_by_chapter(locators: Iterable[str], grammar: str) -> Counter[str]:
    return Counter(divisions(locator, grammar)[0] for locator in locators)
