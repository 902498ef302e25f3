"""What of a ruling is searched: its question, its answer cut at sentences, and the cards it is about."""

import re
from collections.abc import Iterator, Sequence

from corpus.contract import Ruling
from search.index.field import Field
from search.index.passages import Passage

QUESTION, ANSWER, CARDS = 0, 1, 2
"""The parts, in the order in which their passages lie."""
_LONGEST = 400
"""Characters of an answer's piece; a Han character or kana counts three."""
_MOST = 4
"""Pieces of an answer that have a vector of their own."""
_SENTENCE = re.compile(r"[^。．！？!?\n.]*(?:[。．！？!?\n]+[」』）)\"']*|\.(?=\s|$)|\.|$)")


def passages(rulings: Sequence[Ruling]) -> tuple[list[Passage], list[int]]:
    """The passages of some rulings, those of questions first, and the part that each is of."""
    parts = [(part, passage) for place, ruling in enumerate(rulings) for part, passage in _of(place, ruling)]
    parts.sort(key=lambda row: (row[0], row[1].rule))
    return [passage for _, passage in parts], [part for part, _ in parts]


def _of(place: int, ruling: Ruling) -> Iterator[tuple[int, Passage]]:
    for lang, words in sorted(ruling["question"].items()):
        yield QUESTION, Passage(place, Field.TEXT, lang, words)
    for lang, words in sorted(ruling["answer"].items()):
        yield from ((ANSWER, Passage(place, Field.TEXT, lang, piece)) for piece in pieces(words)[:_MOST])
    if names := list(dict.fromkeys((*ruling["cards"], *ruling["card_ids"]))):
        yield CARDS, Passage(place, Field.CONTEXT, next(iter(ruling["answer"])), "\n".join(names))


def pieces(words: str) -> list[str]:
    """A text cut at its sentences, so that no piece is long unless a sentence is."""
    if _width(words) <= _LONGEST:
        return [words]
    cuts = [""]
    for sentence in _SENTENCE.findall(words):
        if cuts[-1] and _width(cuts[-1]) + _width(sentence) > _LONGEST:
            cuts.append("")
        cuts[-1] += sentence
    return [piece.strip() for piece in cuts if piece.strip()]


def _width(words: str) -> int:
    return len(words) + 2 * sum(character > "\u2e80" for character in words)
