"""Explains a hit: highlights in its text, the words of the query that it contains, and the cards that contributed them."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from corpus.address import concept_iri
from corpus.contract import CardMention, Span, WhyCard
from corpus.languages import choose
from corpus.model import Card
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import Token, words
from search.index.concept_tokens import CONCEPT, concepts_of_label, find_concepts
from search.query.query import Query

CACHED_TEXTS = 4096
"""Number of texts whose words are cached, two kilobytes each."""
_WORD, _CHARACTER, _END = "\0", "\1", "\2"
"""Marks before a word, before a CJK character, and after either."""


class _TokenizedText(NamedTuple):
    """The words of a text as one string, so that the words of a query are found by substring search."""

    line: str
    spans: "array[int]"  # start and end of each word in turn, in code points
    labels: Sequence[frozenset[str]]  # values of the labels in the text
    label_spans: "array[int]"


class Highlighter:
    """Finds the parts of texts that match queries. Thread-safe."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._tokenized = lru_cache(CACHED_TEXTS)(self._tokenize)

    def clear_cache(self) -> None:
        """Clears the cached texts."""
        self._tokenized.cache_clear()

    def spans(self, text: str, query: Query) -> list[Span]:
        """The labels of the query's concepts, its words, and pairs of its characters, as merged spans in code points."""
        tokenized_text = self._tokenized(text)
        term_spans = [*_concept_spans(tokenized_text, query), *_term_spans(tokenized_text, query.terms)]
        return [{"start": start, "end": end} for start, end in _merge_spans(term_spans)]

    def _tokenize(self, text: str) -> _TokenizedText:
        tokens = words(text)
        labels = [match for match, _ in find_concepts(tokens, self._lexicon)]
        return _TokenizedText(
            "".join([f"{_CHARACTER if token.cjk else _WORD}{token.norm}{_END}" for token in tokens]),
            array("I", [place for token in tokens for place in (token.start, token.end)]),
            tuple(match.values for match in labels),
            array("I", [place for match in labels for place in (match.start, match.end)]),
        )


def _concept_spans(text: _TokenizedText, query: Query) -> Iterator[tuple[int, int]]:
    """The labels of concepts of the query in its games."""
    concepts = frozenset(query.concepts)
    for nth, values in enumerate(text.labels if concepts else ()):
        if not concepts.isdisjoint(concepts_of_label(values, query.games)):
            yield text.label_spans[2 * nth], text.label_spans[2 * nth + 1]


def _term_spans(text: _TokenizedText, terms: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Latin words that are terms, and adjacent CJK characters that together form one."""
    line, spans = text.line, text.spans
    for term in terms:
        for nth in _word_positions(line, f"{_WORD}{term}{_END}") if len(term) > 1 else ():
            yield spans[2 * nth], spans[2 * nth + 1]
        for cut in range(1, len(term)) if not term.isascii() else ():
            for nth in _word_positions(line, f"{_CHARACTER}{term[:cut]}{_END}{_CHARACTER}{term[cut:]}{_END}"):
                if spans[2 * nth + 1] == spans[2 * nth + 2]:
                    yield spans[2 * nth], spans[2 * nth + 3]


def _word_positions(line: str, pattern: str) -> Iterator[int]:
    """The positions among the words at which a marked string begins."""
    at = line.find(pattern)
    while at >= 0:
        yield line.count(_END, 0, at)
        at = line.find(pattern, at + 1)


def _merge_spans(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged_spans: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged_spans and start <= merged_spans[-1][1]:
            merged_spans[-1] = (merged_spans[-1][0], max(end, merged_spans[-1][1]))
        else:
            merged_spans.append((start, end))
    return merged_spans


def matched_words(query: Query, terms: Iterable[str]) -> list[str]:
    """Matched terms as they were typed: adjacent characters are joined, concept tokens omitted."""
    plain_terms = {term for term in terms if not term.startswith(CONCEPT)}
    single = [(token.start, token.end) for token in query.words if not token.cjk and token.norm in plain_terms]
    return list(
        dict.fromkeys(query.text[start:end] for start, end in _merge_spans([*_matched_pairs(query.words, plain_terms), *single]))
    )


def _matched_pairs(tokens: Sequence[Token], terms: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Adjacent CJK characters that together form a term."""
    before: Token | None = None
    for token in tokens:
        if not token.cjk:
            before = None
            continue
        if before is not None and before.end == token.start and before.norm + token.norm in terms:
            yield before.start, token.end
        before = token


def card_mentions(query: Query) -> list[CardMention]:
    """The cards that a question names, in its order, with the concepts of their texts."""
    return [
        {
            "start": named_card.mention.start,
            "end": named_card.mention.end,
            "game": card.game,
            "id": card.id,
            "name": _card_name(card, query.lang),
            "exact": named_card.mention.exact,
            "ambiguous": named_card.is_ambiguous,
            "concepts": [concept_iri(concept) for concept in named_card.concepts],
        }
        for named_card in query.cards
        for card in named_card.cards
    ]


def matched_cards(query: Query, query_terms: Iterable[str]) -> list[WhyCard]:
    """The cards of a question whose texts have concepts in common with a rule, with these concepts; `query_terms` are its terms."""
    terms = set(query_terms)
    common = ((card, [concept for concept in card.concepts if CONCEPT + concept in terms]) for card in query.cards)
    return [
        {"name": _card_name(named_card.cards[0], query.lang), "concepts": [concept_iri(concept) for concept in concepts]}
        for named_card, concepts in common
        if concepts
    ]


def _card_name(card: Card, lang: str) -> str:
    return card.names[name_lang][0] if (name_lang := choose(lang, card.names)) else ""
