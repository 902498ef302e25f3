"""The lines of a concordance: each occurrence with the words around it, and beside it the same passage in another language."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from corpus.languages import choose, label_language
from corpus.limits import Page
from corpus.model import Span
from corpus.words.lexicon import Lexicon
from corpus.words.text import context_around
from corpus.words.tokens import singular, words
from ontology.concepts.names import with_related
from ontology.knowledge import Knowledge
from ontology.translation.bitext import sentences_of
from ontology.translation.concordance import Occurrence, Occurrences
from ontology.translation.passages import ParallelPassage
from ontology.translation.sentence_alignment import Bead, Side, align_sentences

if TYPE_CHECKING:
    from corpus.contract import Beside, ConcordanceLine, Counterpart, FormCount, PlaceCount

MAX_FORMS = 50
"""Maximum number of forms that are counted; a regular expression may match thousands."""
CONCEPT, SAME = "concept", "same"


def concordance_lines(
    knowledge: Knowledge, occurrences: Occurrences, page: Page, other_lang: str | None
) -> "list[ConcordanceLine]":
    """A page of lines, each with its passage in the language `other_lang` (None: in any other language)."""
    return [
        _concordance_line(knowledge, occurrence, other_lang) for occurrence in occurrences.occurrences_page(page.offset, page.limit)
    ]


def form_counts(occurrences: Occurrences) -> "list[FormCount]":
    """The most frequent forms."""
    return [{"form": form, "count": count} for form, count in occurrences.count_forms().most_common(MAX_FORMS)]


def place_counts(occurrences: Occurrences) -> "list[PlaceCount]":
    """The counts by edition, language and part, in the order of the lines."""
    return [
        {"game": key.game, "book": key.book, "edition": key.edition, "lang": lang, "part": part, "count": count}
        for (key, lang, part), count in occurrences.count_places().items()
    ]


def _concordance_line(knowledge: Knowledge, occurrence: Occurrence, other_lang: str | None) -> "ConcordanceLine":
    passage, lang, text, (start, end) = occurrence.line.passage, occurrence.line.lang, occurrence.line.words, occurrence.span
    before, after = context_around(text, start, end)
    return {
        "rule": passage.rule,
        "game": passage.key.game,
        "book": passage.key.book,
        "edition": passage.key.edition,
        "locator": passage.locator,
        "part": passage.part,
        "place": passage.nth,
        "current": passage.current,
        "lang": lang,
        "authority": passage.authority[lang],
        "before": before,
        "match": " ".join(text[start:end].split()),
        "after": after,
        "start": start,
        "end": end,
        "beside": _corresponding_sentences(knowledge, occurrence, other_lang),
    }


def _corresponding_sentences(knowledge: Knowledge, occurrence: Occurrence, other_lang: str | None) -> "Beside | None":
    """The sentences in another language that correspond to those of an occurrence; None if the passage has no such language."""
    passage, lang = occurrence.line.passage, occurrence.line.lang
    others = [other for other in passage.words if other != lang]
    other = other_lang if other_lang in others else choose(lang, others) if other_lang is None else None
    if other is None or not passage.words[other].strip():
        return None
    span, confidence = _corresponding_span(passage, lang, other, occurrence.span)
    text = passage.words[other][span.start : span.end]
    return {
        "lang": other,
        "text": text,
        "authority": passage.authority[other],
        "confidence": confidence,
        "counterparts": list(_counterparts(knowledge, occurrence, other, text, span.start)),
    }


def _corresponding_span(passage: ParallelPassage, lang: str, other: str, span: Span) -> tuple[Span, float]:
    """The span of the sentences that correspond to the one around a span, or of the whole text, and the confidence."""
    source, target, beads = _align_passage(passage, lang, other)
    for bead in beads:
        first, last = bead.source
        in_bead = last > first and source.spans[first].start <= span.start < source.spans[last - 1].end
        if in_bead and bead.target[1] > bead.target[0]:
            return Span(target.spans[bead.target[0]].start, target.spans[bead.target[1] - 1].end), bead.confidence
    return Span(0, len(passage.words[other])), 1.0


@lru_cache(1 << 12)
def _align_passage(passage: ParallelPassage, lang: str, other: str) -> tuple[Side, Side, Sequence[Bead]]:
    source, target = sentences_of(passage, lang), sentences_of(passage, other)
    return source, target, align_sentences(source, target)


def _counterparts(knowledge: Knowledge, occurrence: Occurrence, other: str, text: str, offset: int) -> "Iterator[Counterpart]":
    """The words of a text that translate an occurrence; the text begins at `offset` of its passage."""
    concepts = _concepts(knowledge, occurrence)
    mentions = occurrence.line.passage.mentions.get(other, ())
    counterparts: list[Counterpart] = [
        {"start": start - offset, "end": end - offset, "how": CONCEPT, "concept": concept}
        for concept, start, end in mentions
        if concept in concepts and offset <= start and end <= offset + len(text)
    ]
    yield from counterparts or _find_concepts(knowledge, concepts, other, text)
    yield from _unchanged_tokens(occurrence, text)


def _concepts(knowledge: Knowledge, occurrence: Occurrence) -> list[str]:
    """The concepts that an occurrence mentions, else those with its words as a name, of the same game or of all games."""
    passage, span, mentions = occurrence.line.passage, occurrence.span, occurrence.line.passage.mentions
    concepts = [concept for concept, start, end in mentions.get(occurrence.line.lang, ()) if start < span.end and span.start < end]
    if concepts:
        return concepts
    bearers = knowledge.names.concepts_with_name(occurrence.line.words[span.start : span.end])
    of_game = f"/concept/{passage.key.game}/"
    return [concept for concept in with_related(knowledge.names, bearers) if of_game in concept] or bearers


def _find_concepts(knowledge: Knowledge, concepts: Sequence[str], lang: str, text: str) -> "Iterator[Counterpart]":
    labels_and_concepts = ((label, concept) for concept in concepts for label in knowledge.names.labels.get(concept, ()))
    labels = [(label.text, concept) for label, concept in labels_and_concepts if label.lang == label_language(lang)]
    for match in Lexicon(labels, singular).find(words(text, singular)) if labels else ():
        yield {"start": match.start, "end": match.end, "how": CONCEPT, "concept": min(match.values)}


def _unchanged_tokens(occurrence: Occurrence, text: str) -> "Iterator[Counterpart]":
    """Numbers, symbols and words that both texts have unchanged."""
    symbol = occurrence.line.words[occurrence.span.start : occurrence.span.end]
    place = text.find(symbol) if any(character.isalnum() for character in symbol) else -1
    while place >= 0:
        yield {"start": place, "end": place + len(symbol), "how": SAME, "concept": None}
        place = text.find(symbol, place + len(symbol))
