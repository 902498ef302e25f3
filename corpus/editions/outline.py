"""The outline of an edition as a tree in document order, its table of contents, and one part as continuous text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.address import EditionKey, citation_of
from corpus.errors import NotFoundError, UnknownAddressError
from corpus.languages import choose
from corpus.model import HEADING_KINDS, Kind
from corpus.store.books import Books

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpus.contract import Contents, Outline, OutlinePart, Part, Reading, RuleRecord

_MAX_TITLE_LENGTH = 40
"""Longest text, in characters, that counts as the title of a top-level rule with parts."""


@dataclass(frozen=True, slots=True)
class OutlinePlace:
    """One rule or heading in the outline; `end` is the index after the last one under it."""

    iri: str
    number: str | None
    locator: str
    kind: str
    titles: "Mapping[str, str]"
    depth: int
    end: int


def outline_of(knowledge: Books, key: EditionKey) -> Sequence[OutlinePlace]:
    """Every entry of the outline, in order. Raises NotFoundError for an unknown edition."""
    if key not in knowledge.manifest.editions:
        raise UnknownAddressError("nothing has the address {iri}", iri=key.iri, listing="/v1/editions")
    places: Sequence[OutlinePlace] = knowledge.today.cached(("outline", key), lambda: _build_outline(knowledge.stored_records(key)))
    return places


def _build_outline(records: "Sequence[RuleRecord]") -> tuple[OutlinePlace, ...]:
    depths: dict[str, int] = {}
    for record in records:
        depths[record["iri"]] = depths.get(record["parent"] or "", -1) + 1
    ends = _subtree_ends([depths[record["iri"]] for record in records])
    return tuple(_outline_place(record, depths[record["iri"]], end) for record, end in zip(records, ends, strict=True))


def _subtree_ends(depths: Sequence[int]) -> list[int]:
    """The end of each subtree: the next entry that is not deeper."""
    ends, waiting = [len(depths)] * len(depths), list[int]()
    for at, depth in enumerate(depths):
        while waiting and depths[waiting[-1]] >= depth:
            ends[waiting.pop()] = at
        waiting.append(at)
    return ends


def _outline_place(record: "RuleRecord", depth: int, end: int) -> OutlinePlace:
    titles: Mapping[str, str] = {}
    if record["kind"] in HEADING_KINDS:
        titles = {**record["digest"], **{lang: text["text"] for lang, text in record["texts"].items()}}
    elif not record["parent"]:
        titles = record["headwords"] or {
            lang: text["text"] for lang, text in record["texts"].items() if len(text["text"]) <= _MAX_TITLE_LENGTH
        }
    return OutlinePlace(record["iri"], record["number"], record["locator"], record["kind"], titles, depth, end)


def outline_entry(places: Sequence[OutlinePlace], index: int) -> "Part":
    """An entry of the outline as answers contain it."""
    place = places[index]
    return {
        "iri": place.iri,
        "number": place.number,
        "locator": place.locator,
        "kind": place.kind,
        "titles": dict(place.titles),
        "depth": place.depth,
        "rules": place.end - index - 1,
    }


def contents(knowledge: Books, key: EditionKey, lang: str) -> "Contents":
    """The headings and other top-level entries of an edition. Raises NotFoundError."""
    places = outline_of(knowledge, key)
    edition = next(summary for summary in knowledge.editions() if summary["iri"] == key.iri)
    positions = [at for at, place in enumerate(places) if place.kind in HEADING_KINDS or place.depth == 0]
    return {"lang": lang, "edition": edition, "parts": [outline_entry(places, at) for at in positions]}


def outline(knowledge: Books, key: EditionKey, lang: str, depth: int) -> "Outline":
    """The headings and top-level entries of an edition, down to a depth of at least 1. Raises NotFoundError."""
    places = outline_of(knowledge, key)
    positions = [at for at, place in enumerate(places) if place.depth < depth and _is_listed(place)]
    return {
        "game": key.game,
        "book": key.book,
        "edition": key.edition,
        "lang": lang,
        "parts": [_outline_part(places[at], at, lang) for at in positions],
    }


def _is_listed(place: OutlinePlace) -> bool:
    """Whether an outline lists an entry: headings and top-level rules, but not each entry of a glossary."""
    return place.kind in HEADING_KINDS or (place.depth == 0 and place.kind != Kind.GLOSSARY)


def _outline_part(place: OutlinePlace, at: int, lang: str) -> "OutlinePart":
    return {
        "ref": citation_of(place.iri),
        "iri": place.iri,
        "number": place.number,
        "title": place.titles.get(choose(lang, place.titles) or lang, ""),
        "depth": place.depth,
        "rules": place.end - at - 1,
    }


def reading(knowledge: Books, key: EditionKey, locator: str, lang: str) -> "Reading":
    """Everything under a heading, in document order, without the heading itself. Raises NotFoundError."""
    places = outline_of(knowledge, key)
    at = next((at for at, place in enumerate(places) if place.locator == locator), None)
    if at is None:
        raise NotFoundError("{edition} has no part {locator}", edition=str(key), locator=locator[:200])
    within = places[at + 1 : places[at].end]
    records = knowledge.by_iri(place.iri for place in within)
    return {
        "lang": lang,
        "part": outline_entry(places, at),
        "above": [outline_entry(places, over) for over in range(at) if places[over].end > at],  # the outermost first
        "previous": _sibling(places, range(at - 1, -1, -1), places[at].depth),
        "next": _sibling(places, range(places[at].end, len(places)), places[at].depth),
        "rules": [records[place.iri] for place in within],
        "depths": [place.depth - places[at].depth - 1 for place in within],
    }


def _sibling(places: Sequence[OutlinePlace], indexes: range, depth: int) -> "Part | None":
    """The first entry that has the same depth and children, or is less deep."""
    above = next((at for at in indexes if places[at].depth <= depth and places[at].end > at + 1), None)
    return outline_entry(places, above) if above is not None and places[above].depth == depth else None
