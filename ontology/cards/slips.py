"""Names of cards that are not written as they should be: a slip of the finger in a word, a character too many or too few."""

from collections.abc import Iterator, Sequence, Set
from itertools import groupby

from corpus.words.tokens import Token
from ontology.cards.key import pairs
from ontology.cards.shelf import Cards
from ontology.cards.write import LONG

_LETTERS, _LONG = 5, 8
"""Letters of a word from which on one slip is mended, and two."""
_ALIKE = 80
"""How alike characters must be to a name, from 0 to 100."""
_WORDS = 6
"""Words of a text that are mended at most: who slips in more says something else."""


def mended(tokens: Sequence[Token], cards: Cards, taken: Set[int]) -> list[Token]:
    """The words with those put right that stand in no name and are a slip away from one that does."""
    unknown = [
        place for place, token in enumerate(tokens) if place not in taken and _may_slip(token) and not cards.has_word(token.norm)
    ]
    right = list(tokens)
    for place in unknown[:_WORDS]:
        if near := _nearest(tokens[place].norm, cards):
            right[place] = tokens[place]._replace(norm=near)
    return right


def _may_slip(token: Token) -> bool:
    return not token.cjk and len(token.norm) >= _LETTERS and token.norm.isalpha()


def _nearest(word: str, cards: Cards) -> str | None:
    """The word of a name that begins with the same letter and is nearest, within the slips that are forgiven."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extractOne

    best = extractOne(word, cards.words(word[0]), scorer=OSA.distance, score_cutoff=1 if len(word) < _LONG else 2)
    return str(best[0]) if best else None


def nearly(tokens: Sequence[Token], cards: Cards, taken: Set[int]) -> Iterator[tuple[str, int, int]]:
    """Long names in Japanese or Chinese that a run of characters is nearly: key, first word and the word after the last."""
    from rapidfuzz.fuzz import partial_ratio_alignment

    for run in _runs(tokens, taken):
        words = [tokens[place].norm for place in run]
        for key in cards.sharing(pairs([tokens[place] for place in run])):
            name = "".join(key.split())
            met = partial_ratio_alignment(name, "".join(words), score_cutoff=_ALIKE)
            if met and len(name) >= LONG and met.dest_end - met.dest_start >= LONG - 1:
                first, last = _within(words, met.dest_start, met.dest_end)
                yield key, run[first], run[last - 1] + 1
                break


def _runs(tokens: Sequence[Token], taken: Set[int]) -> Iterator[list[int]]:
    """The places of neighbouring words that no name has taken."""
    free = (place for place in range(len(tokens)) if place not in taken)
    for _, group in groupby(enumerate(free), key=lambda pair: pair[1] - pair[0]):
        run = [place for _, place in group]
        if sum(tokens[place].cjk for place in run) >= LONG - 1:
            yield run


def _within(words: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """The words that hold a range of characters."""
    at, first, last = 0, len(words) - 1, len(words)
    for place, word in enumerate(words):
        if at <= start < at + len(word):
            first = place
        if at < end <= at + len(word):
            last = place + 1
        at += len(word)
    return first, last
