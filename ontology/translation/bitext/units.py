"""A book in two languages, unit by unit: a rule, an example, a note, each cut into sentences where both sides allow it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.address import EditionKey
from corpus.errors import NotFoundError
from corpus.model import Span
from ontology.knowledge import Knowledge
from ontology.translation.bitext.align import Bead, Side, align
from ontology.translation.bitext.passages import Mark, Passage, passages
from ontology.translation.bitext.sentences import sentences

LEAST = 0.3
"""How sure every pair of sentences of a unit must be; else the unit stays whole."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Words and their translation; `confidence` (0 to 1) that they are that: 1 where the book's own number says so."""

    source: str
    target: str
    confidence: float
    before: tuple[str, str] = ("", "")
    """The spaces between this pair and the one before it, on both sides."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One part of a rule in two languages. `pairs` are its sentences, or the one pair of the whole."""

    passage: Passage
    pairs: Sequence[Pair]
    answered: str = ""
    """The rule that the translation is of (IRI), where it is numbered otherwise."""


def units(knowledge: Knowledge, key: EditionKey, source: str, target: str, section: str | None = None) -> Iterator[Unit]:
    """The units of an edition that have both languages, in the order of the book; of one section only, if it is named.

    Raises NotFoundError for a section that the edition has not.
    """
    there = passages(knowledge, key)
    has_section(there, section, key)
    wanted = (passage for passage in there if section in (None, *passage.within))
    both = (passage for passage in wanted if all(passage.words.get(lang, "").strip() for lang in (source, target)))
    return (Unit(passage, cut(passage, source, target)) for passage in both)


def has_section(there: Sequence[Passage], section: str | None, key: EditionKey) -> None:
    """Raises NotFoundError for a section that an edition has not."""
    if section is not None and not any(section in passage.within for passage in there):
        raise NotFoundError("no section {section} in {edition}; name it by its number, e.g. 7 or 701", section=section, edition=key)


def cut(passage: Passage, source: str, target: str) -> Sequence[Pair]:
    """The sentences of a passage in two languages, or the one pair of the whole."""
    return tuple(_pairs(passage, source, target))


def _pairs(passage: Passage, source: str, target: str) -> Iterator[Pair]:
    sides = side(passage, source), side(passage, target)
    beads = align(*sides)
    if len(beads) < _TWO or not all(bead.confidence >= LEAST for bead in beads):
        beads = [Bead((0, len(sides[0].spans)), (0, len(sides[1].spans)), 1.0)]
    for bead in beads:
        (mine, here), (theirs, there) = _words(sides[0], bead.source), _words(sides[1], bead.target)
        yield Pair(mine, theirs, bead.confidence, (here, there))


def _words(side: Side, numbers: tuple[int, int]) -> tuple[str, str]:
    """The words of some sentences, and the spaces before them."""
    first, last = numbers
    start = side.spans[first].start
    return side.text[start : side.spans[last - 1].end], side.text[side.spans[first - 1].end : start] if first else ""


def side(passage: Passage, lang: str) -> Side:
    """The sentences of a passage in one language, with the concepts named in each."""
    text = passage.words[lang]
    spans = sentences(text)
    marks = passage.marks.get(lang, ())
    return Side(lang, text, spans, [_named(marks, span) for span in spans])


def _named(marks: Sequence[Mark], span: Span) -> set[str]:
    return {concept for concept, start, end in marks if span.start <= start and end <= span.end}


_TWO = 2
"""Pairs from which on a unit is cut at all."""
