"""Which rule of one text is which of another: two loaded texts aligned, with what a person has checked of it before."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corpus.address import path_of, rule_iri
from corpus.errors import InputError
from ontology.translation.align import Unit, aligned, units
from ontology.translation.align.likeness import View
from ontology.translation.align.sheet import Checked, Row, Sheet, turned
from ontology.translation.align.sheet import write as write_sheet
from rulestone.answers.translation.texts import Text, text_body, text_named

if TYPE_CHECKING:
    from corpus.contract import AlignedRule, Alignment, AlignmentLink, AppliedAlignment, RuleRecord
    from rulestone.writing.alignments import Applied
    from search.encode.encoder import Vectors
    from search.searcher import Searcher


_LIKELY = 0.5
"""Confidence from which on a link that nobody has checked counts."""


class Found(NamedTuple):
    """A link by locators, as it is shown."""

    old: str | None
    new: str | None
    confidence: float
    part: bool
    checked: Checked


class Both(NamedTuple):
    """The records of the two texts."""

    old: "Sequence[RuleRecord]"
    new: "Sequence[RuleRecord]"


def alignment(
    searcher: "Searcher", old: str, new: str, sheets: Sequence[Sheet], offset: int = 0, limit: int | None = None
) -> "Alignment":
    """Two texts rule by rule. `sheets` are the checked alignments of the home. Raises InputError, NotFoundError."""
    knowledge = searcher.knowledge
    text, other = text_named(knowledge, old), text_named(knowledge, new)
    if text == other:
        raise InputError("{text} is one text; name two, e.g. in two languages", text=text.ref)
    pairs, records = knowledge.once(("alignment", text, other), lambda: _found(searcher, text, other))
    links = list(_checked(pairs, text, other, sheets, records))
    page = links[offset:] if limit is None else links[offset : offset + limit]
    return {
        "old": text_body(text),
        "new": text_body(other),
        "total": len(links),
        "counts": _counts(links),
        "links": [*_bodies(page, text, other, records)],
    }


def table(body: "Alignment") -> str:
    """An alignment as a table to check: see `ontology.translation.align.sheet`."""
    return write_sheet(_row(link) for link in body["links"])


def applied(done: "Applied") -> "AppliedAlignment":
    """What became of a checked table."""
    said = [row.checked for row in done.sheet.rows]
    return {
        "old": str(done.sheet.old),
        "new": str(done.sheet.new),
        "joins": done.joins,
        "taken": said.count(Checked.YES),
        "refused": said.count(Checked.NO),
        "unchecked": said.count(Checked.UNSEEN),
    }


def _row(link: "AlignmentLink") -> Mapping[str, str]:
    old, new = link["old"], link["new"]
    return {
        "checked": link["checked"],
        "confidence": f"{link['confidence']:g}",
        "old": _path(old) if old else "",
        "new": _path(new) if new else "",
        "old_words": old["text"] if old else "",
        "new_words": new["text"] if new else "",
    }


def _path(rule: "AlignedRule") -> str:
    return path_of(rule["iri"])


def partners(searcher: "Searcher", old: Text, new: Text, sheets: Sequence[Sheet]) -> Mapping[str, Sequence[str]]:
    """Locator → the rules that answer it in the other text, of links that are likely or were checked."""
    pairs, records = searcher.knowledge.once(("alignment", old, new), lambda: _found(searcher, old, new))
    told: dict[str, list[str]] = {}
    for link in _checked(pairs, old, new, sheets, records):
        if (
            link.old
            and link.new
            and (link.checked is Checked.YES or (link.checked is Checked.UNSEEN and link.confidence >= _LIKELY))
        ):
            told.setdefault(link.old, []).append(link.new)
    return told


def _found(searcher: "Searcher", old: Text, new: Text) -> tuple[Sequence[Found], Both]:
    records = Both(*(searcher.knowledge.stored(text.key) for text in (old, new)))
    here, there = units(records.old, old.lang), units(records.new, new.lang)
    whole = aligned(here, there, list(_views(searcher, (old, here), (new, there))))
    links = [Found(link.old, link.new, link.confidence, link.part, Checked.UNSEEN) for link in whole.links]
    links += [Found(locator, None, 0.0, False, Checked.UNSEEN) for locator in whole.old_alone]
    return [*_placed(links, here, there, whole.new_alone)], records


def _placed(links: Sequence[Found], old: Sequence[Unit], new: Sequence[Unit], alone: Sequence[str]) -> Iterator[Found]:
    """Links in the order of the one text; what only the other has stands after what is before it there."""
    order = {unit.locator: place for place, unit in enumerate(old)}
    ordered = sorted(links, key=lambda link: order[link.old or ""])
    last = {link.new: place for place, link in enumerate(ordered)}
    after: dict[int, list[Found]] = {}
    place, only = -1, set(alone)
    for unit in new:
        place = last.get(unit.locator, place)
        if unit.locator in only:
            after.setdefault(place, []).append(Found(None, unit.locator, 0.0, False, Checked.UNSEEN))
    yield from after.get(-1, ())
    for nth, link in enumerate(ordered):
        yield link
        yield from after.get(nth, ())


def _views(searcher: "Searcher", old: tuple[Text, Sequence[Unit]], new: tuple[Text, Sequence[Unit]]) -> Iterator[View]:
    """Vectors of the words, by the static model and the pretrained one, and of our glosses of both."""
    here, there = old[1], new[1]
    encode = searcher.encoder.encode
    yield encode([unit.text for unit in here]), encode([unit.text for unit in there])
    if old[0].key != new[0].key:  # one gloss for all languages of an edition tells nothing
        yield encode([unit.gloss for unit in here]), encode([unit.gloss for unit in there])
    meant = [searcher.index.meanings(text.key, text.lang) for text, _ in (old, new)]
    if all(meant):
        yield _meant(meant[0], here), _meant(meant[1], there)


def _meant(known: "Mapping[str, Vectors]", some: Sequence[Unit]) -> "Vectors":
    none = np.zeros_like(next(iter(known.values())))
    return np.stack([known.get(unit.locator, none) for unit in some])


def _checked(pairs: Sequence[Found], old: Text, new: Text, sheets: Sequence[Sheet], records: Both) -> Iterator[Found]:
    """The links, with what a person has said of them in place of what was worked out."""
    said = list(_said(old, new, sheets))
    yes = [row for row in said if row.checked is Checked.YES]
    no = {(row.old, row.new) for row in said if row.checked is Checked.NO}
    ends = {row.old for row in yes if row.old}, {row.new for row in yes if row.new}
    kept = [pair for pair in pairs if pair.old not in ends[0] and pair.new not in ends[1] and (pair.old, pair.new) not in no]
    added = [Found(row.old, row.new, row.confidence, False, row.checked) for row in said if row.checked is not Checked.UNSEEN]
    order = [{record["locator"]: place for place, record in enumerate(some)} for some in records]
    yield from sorted([*kept, *added], key=lambda pair: (order[0].get(pair.old or "", -1), pair.part)) if added else kept


def _said(old: Text, new: Text, sheets: Sequence[Sheet]) -> Iterator[Row]:
    for sheet in sheets:
        if (sheet.old, sheet.new) == (old.key, new.key):
            yield from sheet.rows
        elif (sheet.new, sheet.old) == (old.key, new.key):
            yield from turned(sheet).rows


def _counts(links: Sequence[Found]) -> dict[str, int]:
    return {
        "linked": sum(None not in (link.old, link.new) and link.checked is not Checked.NO for link in links),
        "parts": sum(link.part for link in links),
        "old_alone": sum(link.new is None for link in links),
        "new_alone": sum(link.old is None for link in links),
        "checked": sum(link.checked is not Checked.UNSEEN for link in links),
    }


def _bodies(links: Sequence[Found], old: Text, new: Text, records: Both) -> "Iterator[AlignmentLink]":
    by_locator = [{record["locator"]: record for record in some} for some in records]
    for link in links:
        yield {
            "old": _rule(by_locator[0].get(link.old or ""), old),
            "new": _rule(by_locator[1].get(link.new or ""), new),
            "confidence": link.confidence,
            "part": link.part,
            "checked": link.checked.value,
        }


def _rule(record: "RuleRecord | None", text: Text) -> "AlignedRule | None":
    if record is None:
        return None
    words = record["texts"].get(text.lang)
    headword = record["headwords"].get(text.lang, "")
    return {
        "iri": rule_iri(text.key, record["locator"]),
        "number": record["number"],
        "locator": record["locator"],
        "heading": record["headings"].get(text.lang) or record["heading"],
        "text": "\n".join(filter(None, (headword, words["text"] if words else ""))),
    }
