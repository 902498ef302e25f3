"""Which words of a text answer a query, as spans of code points."""

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache

from corpus.contract import Span
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import Token, words
from search.index.concept_tokens import MARK, found_in
from search.query.query import Query


@lru_cache(maxsize=1024)
def _cut(text: str) -> tuple[Token, ...]:
    """The words of a text; the rules that are found are found again."""
    return tuple(words(text))


def spans(text: str, query: Query, lexicon: Lexicon) -> list[Span]:
    """Where a text names a concept of the query or has two or more of its characters or a word of it, merged and in order."""
    tokens = _cut(text)
    concepts = frozenset(query.concepts)
    labels = found_in(tokens, lexicon, query.games) if concepts else ()
    named = [(match.start, match.end) for match, some in labels if not concepts.isdisjoint(some)]
    return [{"start": start, "end": end} for start, end in _merged([*named, *_said(tokens, query.terms)])]


def _said(tokens: Sequence[Token], terms: Container[str]) -> Iterator[tuple[int, int]]:
    """Words of Latin script that are terms, and neighbouring characters that are one."""
    for token in tokens:
        if not token.cjk and len(token.norm) > 1 and token.norm in terms:
            yield token.start, token.end
    yield from _pairs(tokens, terms)


def _pairs(tokens: Sequence[Token], terms: Container[str]) -> Iterator[tuple[int, int]]:
    before: Token | None = None
    for token in tokens:
        if not token.cjk:
            before = None
            continue
        if before is not None and before.end == token.start and before.norm + token.norm in terms:
            yield before.start, token.end
        before = token


def _merged(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def words_of(query: Query, terms: Iterable[str]) -> list[str]:
    """Terms that met, as they stand in the query: runs of characters joined, concept tokens left out."""
    met = {term for term in terms if not term.startswith(MARK)}
    single = [(token.start, token.end) for token in query.words if not token.cjk and token.norm in met]
    return list(dict.fromkeys(query.text[start:end] for start, end in _merged([*_pairs(query.words, met), *single])))
