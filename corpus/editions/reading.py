"""The table of contents of an edition, and one part of it as continuous text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.editions.outline import Place, outline, part
from corpus.errors import NotFoundError
from corpus.model import HEADINGS
from corpus.store.books import Books

if TYPE_CHECKING:
    from corpus.contract import Contents, Part, Reading


def contents(knowledge: Books, key: EditionKey, lang: str) -> "Contents":
    """The headings and other top-level entries of an edition. Raises NotFoundError."""
    places = outline(knowledge, key)
    edition = next(summary for summary in knowledge.editions() if summary["iri"] == key.iri)
    shown = [at for at, place in enumerate(places) if place.kind in HEADINGS or place.depth == 0]
    return {"lang": lang, "edition": edition, "parts": [part(places, at) for at in shown]}


def reading(knowledge: Books, key: EditionKey, locator: str, lang: str) -> "Reading":
    """Everything under a heading, in document order, without the heading itself. Raises NotFoundError."""
    places = outline(knowledge, key)
    at = next((at for at, place in enumerate(places) if place.locator == locator), None)
    if at is None:
        raise NotFoundError("{edition} has no part {locator}", edition=str(key), locator=locator[:200])
    within = places[at + 1 : places[at].end]
    records = knowledge.by_iri(place.iri for place in within)
    return {
        "lang": lang,
        "part": part(places, at),
        "above": _above(places, at),
        "previous": _beside(places, range(at - 1, -1, -1), places[at].depth),
        "next": _beside(places, range(places[at].end, len(places)), places[at].depth),
        "rules": [records[place.iri] for place in within],
        "depths": [place.depth - places[at].depth - 1 for place in within],
    }


def _above(places: Sequence[Place], at: int) -> "list[Part]":
    """The ancestors of an entry, the outermost first."""
    return [part(places, over) for over in range(at) if places[over].end > at]


def _beside(places: Sequence[Place], way: range, depth: int) -> "Part | None":
    """The first entry that has the same depth and children, or is less deep."""
    above = next((at for at in way if places[at].depth <= depth and places[at].end > at + 1), None)
    return part(places, above) if above is not None and places[above].depth == depth else None
