"""Which rules a text cites by their numbers, and no more: no verdict on its quotations."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from corpus.editions.citations.find import find
from corpus.editions.verify.resolve import Resolved, resolve
from corpus.editions.verify.shelf import Shelf

_MAY_CITE = re.compile(r"\d|://")
"""What every citation has: a digit, or an address; most rulings have neither, and there are thousands."""


class Cited(NamedTuple):
    """Words of a text that name a rule, and its address; None where no loaded book has it."""

    start: int
    end: int
    locator: str
    rule: str | None


def cited(shelf: Shelf, text: str, game: str, as_of: str | None = None) -> Iterator[Cited]:
    """The citations of a text about a game, in its order: in the edition of its day where that is loaded, else in today's."""
    if not _MAY_CITE.search(text):
        return
    for mention in find(text, shelf.numbering, game).mentions:
        item = resolve(shelf, mention, as_of)
        if as_of and not any(item.record for item in item):
            item = resolve(shelf, mention, None)
        yield from map(_cited, item)


def _cited(resolved: Resolved) -> Cited:
    return Cited(resolved.item.start, resolved.item.end, resolved.item.wanted, resolved.record["iri"] if resolved.record else None)
