"""The same passage in another language, with the words that answer those of a line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from corpus.languages import choose, label_language
from corpus.model import Span
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import singular, words
from ontology.concepts.resolve import with_related
from ontology.knowledge import Knowledge
from ontology.translation.bitext.align import Bead, Side, align
from ontology.translation.bitext.passages import Passage
from ontology.translation.bitext.units import side
from ontology.translation.concordance.find import Found

CONCEPT, SAME = "concept", "same"


@dataclass(frozen=True, slots=True)
class Counterpart:
    """Words that answer others: they name the same concept, or are the same symbol."""

    span: Span
    how: str  # CONCEPT | SAME
    concept: str | None  # IRI


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a line: the sentences that answer its own, and how sure that is (0 to 1)."""

    lang: str
    text: str
    authority: str
    confidence: float
    counterparts: Sequence[Counterpart]


def beside(knowledge: Knowledge, occurrence: Found, wanted: str | None) -> Beside | None:
    """The other language of a passage: the one that is wanted, or any; None where there is none."""
    passage, lang = occurrence.line.passage, occurrence.line.lang
    there = [other for other in passage.words if other != lang]
    other = wanted if wanted in there else choose(lang, there) if wanted is None else None
    if other is None or not passage.words[other].strip():
        return None
    span, confidence = _answering(passage, lang, other, occurrence.span)
    text = passage.words[other][span.start : span.end]
    marks = tuple(_counterparts(knowledge, occurrence, other, text, span.start))
    return Beside(other, text, passage.authority[other], confidence, marks)


def _answering(passage: Passage, lang: str, other: str, span: Span) -> tuple[Span, float]:
    """Where the sentences stand that answer the one around a place; the whole where that is not sure."""
    mine, theirs, beads = _aligned(passage, lang, other)
    whole = Span(0, len(passage.words[other]))
    for bead in beads:
        first, last = bead.source
        if last > first and mine.spans[first].start <= span.start < mine.spans[last - 1].end and bead.target[1] > bead.target[0]:
            return Span(theirs.spans[bead.target[0]].start, theirs.spans[bead.target[1] - 1].end), bead.confidence
    return whole, 1.0


@lru_cache(1 << 12)
def _aligned(passage: Passage, lang: str, other: str) -> tuple[Side, Side, Sequence[Bead]]:
    mine, theirs = side(passage, lang), side(passage, other)
    return mine, theirs, align(mine, theirs)


def _counterparts(knowledge: Knowledge, occurrence: Found, other: str, text: str, at: int) -> Iterator[Counterpart]:
    """The words of a text that answer those found; the text begins at `at` of its passage."""
    concepts = _concepts(knowledge, occurrence)
    marks = occurrence.line.passage.marks.get(other, ())
    met = [Counterpart(Span(start - at, end - at), CONCEPT, about) for about, start, end in marks if about in concepts]
    inside = [counterpart for counterpart in met if counterpart.span.start >= 0 and counterpart.span.end <= len(text)]
    yield from inside or _named(knowledge, concepts, other, text)
    yield from _same(occurrence, text)


def _concepts(knowledge: Knowledge, occurrence: Found) -> list[str]:
    """What the words found name: concepts marked there, else those that are called so, of the same game or of all."""
    passage, span = occurrence.line.passage, occurrence.span
    marked = [about for about, start, end in passage.marks.get(occurrence.line.lang, ()) if start < span.end and span.start < end]
    if marked:
        return marked
    called = knowledge.names.called(occurrence.line.words[span.start : span.end])
    game = passage.key.game
    return [about for about in with_related(knowledge.names, called) if f"/concept/{game}/" in about] or called


def _named(knowledge: Knowledge, concepts: Sequence[str], lang: str, text: str) -> Iterator[Counterpart]:
    wanted = label_language(lang)
    names = [
        (name.text, concept) for concept in concepts for name in knowledge.names.labels.get(concept, ()) if name.lang == wanted
    ]
    for match in Lexicon(names, singular).find(words(text, singular)) if names else ():
        yield Counterpart(Span(match.start, match.end), CONCEPT, min(match.values))


def _same(occurrence: Found, text: str) -> Iterator[Counterpart]:
    """Numbers, symbols and words that no translation changes."""
    symbol = occurrence.line.words[occurrence.span.start : occurrence.span.end]
    place = text.find(symbol) if any(character.isalnum() for character in symbol) else -1
    while place >= 0:
        yield Counterpart(Span(place, place + len(symbol)), SAME, None)
        place = text.find(symbol, place + len(symbol))
