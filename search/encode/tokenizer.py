"""A text as tokens for the dense leg: its terms, pairs of Latin words, and a token for every concept that a label in it names."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpus.words.lexicon import Lexicon
from corpus.words.tokens import Token, terms, words

_PAIR = "_"
_REFERENCE = 3
"""Characters from which on a number names a rule: 400 does, 20 is a life total."""


class Tokenizer:
    """Tokenizes texts; knows the labels of concepts, and the tokens of what each names."""

    def __init__(self, labels: Lexicon) -> None:
        self._labels = labels

    def __call__(self, text: str) -> list[str]:
        """The tokens of a text, each as often as it stands there. Rule numbers are left out: they say where, not what."""
        return self.of(words(text))

    def of(self, said: Sequence[Token]) -> list[str]:
        """The same of the words of a text."""
        tokens = [token for token in said if not _is_reference(token.norm)]
        named = (token for match in self._labels.find(tokens) for token in sorted(match.values))
        return [*terms(tokens), *_pairs(tokens), *named]


def _is_reference(norm: str) -> bool:
    return norm[0].isdigit() and len(norm) >= _REFERENCE


def _pairs(tokens: Sequence[Token]) -> Iterator[str]:
    """Latin words side by side; no pair runs on over a full stop."""
    for before, token in pairwise(tokens):
        if not (before.cjk or token.cjk or token.opens):
            yield before.norm + _PAIR + token.norm
