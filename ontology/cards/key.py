"""What is compared of a name of a card: its words in one form, each followed by a space: a key ends where a word does."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from corpus.words.tokens import Token, bare, words

SEPARATOR = " "


def tokens_of(text: str) -> list[Token]:
    """The words of a text in the form in which names are compared: lower case, no accents, one form of each character."""
    return words(text, bare)


def key_of(tokens: Sequence[Token]) -> str:
    """The key of some words; "" for none."""
    return "".join(token.norm + SEPARATOR for token in tokens)


def pairs(tokens: Sequence[Token]) -> Iterator[str]:
    """The pairs of neighbouring characters among some words."""
    for token, following in pairwise(tokens):
        if token.cjk and following.cjk:
            yield token.norm + following.norm
