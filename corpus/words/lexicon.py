"""Longest-match lookup of labels in texts: finds concepts in rules and in queries."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from corpus.words.tokens import Token, stem, words

Phrase = tuple[str, ...]
_NO_LABELS = frozenset({""})
_END_KEY = ""
"""Key of a node's values, for the phrase that ends there; no word is empty."""
_Trie = dict[str, Any]


class LabelMatch(NamedTuple):
    """A label in a text, by tokens and by code points, with its values."""

    first: int  # token
    last: int  # token after it
    start: int  # code point
    end: int
    values: frozenset[str]


class Lexicon:
    """Labels and their values. Case, width, inflection and script variants make no difference."""

    def __init__(self, labels: Iterable[tuple[str, str]], form: Callable[[str], str] = stem) -> None:
        """`labels` are pairs of a label and one of its values; a label with the value "" hides shorter labels at its place.

        Texts must be split into words of the same `form`.
        """
        self.phrases: Mapping[Phrase, frozenset[str]] = _phrases(labels, form)
        """The words of each label → its values."""

    def extended(self, labels: Iterable[tuple[str, str]]) -> "Lexicon":
        """A lexicon of these labels and some more, of the form `stem`."""
        more = _phrases(labels, stem)
        values_of = self.phrases
        return Lexicon.from_phrases(
            {**values_of, **{phrase: values_of.get(phrase, frozenset()) | values for phrase, values in more.items()}}
        )

    def save(self, file: Path) -> None:
        """Writes `rows` as JSON."""
        file.write_bytes(orjson.dumps(self.rows()))

    def rows(self) -> dict[str, list[str]]:
        """The words of each label, joined by spaces, → its values, sorted."""
        return {" ".join(phrase): sorted(values) for phrase, values in sorted(self.phrases.items())}

    @classmethod
    def load(cls, file: Path) -> "Lexicon":
        """Reads a file that `save` wrote. Raises OSError or ValueError for any other."""
        return _from_json(file.read_text(encoding="utf-8"))

    @classmethod
    def from_phrases(cls, phrases: Mapping[Phrase, frozenset[str]]) -> "Lexicon":
        """A lexicon from the phrases of another one."""
        lexicon = cls(())
        lexicon.phrases = phrases
        return lexicon

    @cached_property
    def _trie(self) -> _Trie:
        trie: _Trie = {}
        for phrase, values in self.phrases.items():
            node = trie
            for word in phrase:
                node = node.setdefault(word, {})
            node[_END_KEY] = values
        return trie

    def find(self, tokens: Sequence[Token], is_hidden: Callable[[frozenset[str]], bool] = lambda _: False) -> Iterator[LabelMatch]:
        """The labels in a text from left to right, the longest at each place, without overlaps.

        A label whose values make `is_hidden` true is passed over, as if the lexicon did not have it.
        """
        norms = [token.norm for token in tokens]
        begins, place, count = self._trie.get, 0, len(tokens)
        while place < count:
            node = begins(norms[place])
            if node is None:
                place += 1
                continue
            at = last = place + 1
            values = node.get(_END_KEY)
            if values and is_hidden(values):
                values = None
            while node and at < count and (node := node.get(norms[at])) and not tokens[at].opens:
                at += 1
                if _END_KEY in node and not is_hidden(node[_END_KEY]):
                    last, values = at, node[_END_KEY]
            if values and values != _NO_LABELS:
                yield LabelMatch(place, last, tokens[place].start, tokens[last - 1].end, values)
            place = last if values else place + 1


@lru_cache(maxsize=2)
def _from_json(rows: str) -> Lexicon:
    """Bundles that follow each other mostly have the same labels: they share one lexicon."""
    phrases: Mapping[str, list[str]] = json.loads(rows)
    return Lexicon.from_phrases({tuple(phrase.split(" ")): frozenset(values) for phrase, values in phrases.items()})


def _phrases(labels: Iterable[tuple[str, str]], form: Callable[[str], str]) -> dict[Phrase, frozenset[str]]:
    values_of: dict[Phrase, set[str]] = {}
    for label, value in labels:
        if phrase := tuple(token.norm for token in words(label, form)):
            values_of.setdefault(phrase, set()).add(value)
    return {phrase: frozenset(values) for phrase, values in values_of.items()}
