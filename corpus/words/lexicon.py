"""The longest label at each place of a text: how concepts are found, in rules and in queries alike."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from corpus.words.tokens import Token, stem, words

Phrase = tuple[str, ...]
_NOTHING = frozenset({""})
_HERE = ""
"""The key under which a node has what the phrase that ends there stands for: no word is empty."""
_Trie = dict[str, Any]


class LabelMatch(NamedTuple):
    """A label in a text: its place among the tokens and among the characters, and what it stands for."""

    first: int  # token
    last: int  # token after it
    start: int  # code point
    end: int
    values: frozenset[str]


class Lexicon:
    """Labels and what each stands for. Labels that differ only in case, width, inflection or script variant are one label."""

    def __init__(self, labels: Iterable[tuple[str, str]], form: Callable[[str], str] = stem) -> None:
        """`labels` are pairs of a label and what it stands for; one label may stand for several, or for "", for nothing.

        Whoever asks for the labels in a text splits it into words of the same form.
        """
        gathered: dict[Phrase, set[str]] = {}
        for label, value in labels:
            if phrase := tuple(token.norm for token in words(label, form)):
                gathered.setdefault(phrase, set()).add(value)
        self._fill({phrase: frozenset(values) for phrase, values in gathered.items()})

    def save(self, file: Path) -> None:
        """Writes it as JSON: the words of each label, separated by spaces, with all that it stands for."""
        file.write_text(json.dumps(self.rows(), ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

    def rows(self) -> dict[str, list[str]]:
        """The words of each label, separated by spaces, with all that it stands for, sorted."""
        return {" ".join(phrase): sorted(values) for phrase, values in sorted(self._values.items())}

    @classmethod
    def load(cls, file: Path) -> "Lexicon":
        """Reads what `save` wrote. Raises OSError or ValueError for a file that is not a lexicon."""
        rows: Mapping[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
        return cls.of({tuple(phrase.split(" ")): frozenset(values) for phrase, values in rows.items()})

    @classmethod
    def of(cls, phrases: Mapping[Phrase, frozenset[str]]) -> "Lexicon":
        """A lexicon from the phrases of another one."""
        lexicon = cls(())
        lexicon._fill(phrases)
        return lexicon

    def _fill(self, phrases: Mapping[Phrase, frozenset[str]]) -> None:
        self._values = phrases
        self._trie: _Trie = {}
        for phrase, values in phrases.items():
            node = self._trie
            for word in phrase:
                node = node.setdefault(word, {})
            node[_HERE] = values

    def find(self, tokens: Sequence[Token]) -> Iterator[LabelMatch]:
        """The labels in a text from left to right, the longest at each place; they do not overlap."""
        norms = [token.norm for token in tokens]
        begins, place, count = self._trie.get, 0, len(tokens)
        while place < count:
            node = begins(norms[place])
            if node is None:
                place += 1
                continue
            at = last = place + 1
            values = node.get(_HERE)
            while node and at < count and (node := node.get(norms[at])) and not tokens[at].opens:
                at += 1
                if _HERE in node:
                    last, values = at, node[_HERE]
            if values and values != _NOTHING:
                yield LabelMatch(place, last, tokens[place].start, tokens[last - 1].end, values)
            place = last if values else place + 1
