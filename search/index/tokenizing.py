"""Passages as bags of terms: what is the same is split once, and much of it by two processes."""

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from corpus.words.lexicon import Lexicon
from search.index.apart import Apart, Given, Split, split
from search.index.field import Field
from search.index.passages import Passage
from search.index.vectors import Making

Told = tuple[str, str]
"""A text and its game."""


class PassageTokenizer:
    """Tokenizes passages. Titles stand above many rules, and editions repeat each other: what is the same is tokenized once.

    The vectors in the making are told of each text's tokens, which take the longest to find.
    """

    def __init__(self, labels: Path, making: Making) -> None:
        """`labels` is the file of the index's lexicon."""
        self._file, self._making = labels, making
        self._labels = Lexicon.load(labels)
        self._done: dict[Told, list[str]] = {}
        self._above: dict[Told, list[str]] = {}

    def bags(self, passages: Sequence[Passage], games: Sequence[str]) -> list[list[str]]:
        """The words, characters, pairs and concept tokens of passages; `games` has the game of each rule."""
        told = dict.fromkeys((passage.text, games[passage.rule]) for passage in passages if passage.field != Field.CONTEXT)
        here, there = _halves([*told])
        model = self._making.model
        given = [self._given(*text) for text in there]
        with Apart(self._file, model.folder if model else None, given) as apart:
            for text, game in here:
                self._once(text, game)
            for asked, done in zip(given, apart.splits(), strict=False):
                self._take(asked, done)
        return [self._terms(passage, games[passage.rule]) for passage in passages]

    def _terms(self, passage: Passage, game: str) -> list[str]:
        """Those of one passage."""
        if passage.field != Field.CONTEXT:
            return self._once(passage.text, game)
        if (passage.text, game) not in self._above:
            titles = passage.text.split("\n")
            self._above[passage.text, game] = [term for title in titles for term in self._once(title, game)]
        return self._above[passage.text, game]

    def _once(self, text: str, game: str) -> list[str]:
        if (text, game) not in self._done:
            given = self._given(text, game)
            self._take(given, split(given, self._labels, self._making.model))
        return self._done[text, game]

    def _given(self, text: str, game: str) -> Given:
        return Given(text, game, self._making.lacks(text))

    def _take(self, given: Given, done: Split) -> None:
        self._done[given.text, given.game] = done.terms
        if done.places is not None:
            self._making.take(given.text, done.places)


def _halves(texts: Sequence[Told]) -> tuple[Sequence[Told], Sequence[Told]]:
    """Some texts in two parts of as many characters."""
    ends = list(accumulate(len(text) for text, _ in texts))
    middle = sum(end * 2 <= ends[-1] for end in ends)
    return texts[:middle], texts[middle:]
