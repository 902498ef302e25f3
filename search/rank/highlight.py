"""Which words of a text answer a query, as spans of code points."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from corpus.contract import Span
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import Token, words
from search.index.concept_tokens import MARK, found_in, of_games
from search.query.query import Query

KEPT = 4096
"""Texts whose words are kept, two kilobytes each: the rules that are found are found again."""
_WORD, _CHARACTER, _END = "\0", "\1", "\2"
"""What stands before a word, before a character of its own, and behind either."""


class Marked(NamedTuple):
    """The words of a text in one line, in which those of a query are looked for without a look at each."""

    line: str
    places: "array[int]"  # the first code point of each word and the one after it, in turn
    labels: Sequence[frozenset[str]]  # what each label in it stands for, in any game
    labelled: "array[int]"  # where those stand, as `places`


class Highlighter:
    """Tells which words of a text answer a query. Thread-safe."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._marked = lru_cache(KEPT)(self._mark)

    def forget(self) -> None:
        """Drops the words that are kept."""
        self._marked.cache_clear()

    def spans(self, text: str, query: Query) -> list[Span]:
        """Where a text names a concept of the query or has two or more of its characters or a word of it, merged and in order."""
        marked = self._marked(text)
        return [{"start": start, "end": end} for start, end in _merged([*_named(marked, query), *_said(marked, query.terms)])]

    def _mark(self, text: str) -> Marked:
        tokens = words(text)
        labels = [match for match, _ in found_in(tokens, self._lexicon)]
        return Marked(
            "".join([f"{_CHARACTER if token.cjk else _WORD}{token.norm}{_END}" for token in tokens]),
            array("I", [place for token in tokens for place in (token.start, token.end)]),
            tuple(match.values for match in labels),
            array("I", [place for match in labels for place in (match.start, match.end)]),
        )


def _named(marked: Marked, query: Query) -> Iterator[tuple[int, int]]:
    """The labels that name a concept of the query in its games."""
    concepts = frozenset(query.concepts)
    for nth, values in enumerate(marked.labels if concepts else ()):
        if not concepts.isdisjoint(of_games(values, query.games)):
            yield marked.labelled[2 * nth], marked.labelled[2 * nth + 1]


def _said(marked: Marked, terms: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Words of Latin script that are terms, and neighbouring characters that are one."""
    line, places = marked.line, marked.places
    for term in terms:
        for nth in _places(line, f"{_WORD}{term}{_END}") if len(term) > 1 else ():
            yield places[2 * nth], places[2 * nth + 1]
        for cut in range(1, len(term)) if not term.isascii() else ():
            for nth in _places(line, f"{_CHARACTER}{term[:cut]}{_END}{_CHARACTER}{term[cut:]}{_END}"):
                if places[2 * nth + 1] == places[2 * nth + 2]:
                    yield places[2 * nth], places[2 * nth + 3]


def _places(line: str, sought: str) -> Iterator[int]:
    """The place among the words of each that begins what is sought."""
    at = line.find(sought)
    while at >= 0:
        yield line.count(_END, 0, at)
        at = line.find(sought, at + 1)


def _pairs(tokens: Sequence[Token], terms: Iterable[str]) -> Iterator[tuple[int, int]]:
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
