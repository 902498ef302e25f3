"""Where a text names cards: the longest name at each place, in any language, as it should be written or nearly so.

That some words are the name of a card does not say that they mean it: cards are called Fog, Opt and 火. Names between quotation
marks mean cards; what of the others does is for who asks to tell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.words.tokens import Token
from ontology.cards.key import key_of
from ontology.cards.shelf import Cards
from ontology.cards.slips import mended, nearly

_OPEN, _CLOSE = '「『《〈【["“‘«＜<', '」』》〉】]"”’»＞>'


@dataclass(frozen=True, slots=True)
class Found:
    """A name of cards in a text: its place among the words and among the characters, and how it stands there."""

    key: str
    first: int  # word
    last: int  # word after it
    start: int  # code point
    end: int
    quoted: bool  # it stands alone between quotation marks
    exact: bool  # as it should be written


def found_in(text: str, tokens: Sequence[Token], cards: Cards, *, slips: bool = True) -> Iterator[Found]:
    """The names in a text from left to right, the longest at each place; they do not overlap.

    `tokens` are its words in the form of `ontology.cards.key.tokens_of`. Without `slips` only as they should be written.
    """
    named = list(_exact(text, tokens, cards))
    if not slips:
        yield from named
        return
    taken = {place for card in named for place in range(card.first, card.last)}
    more = (card for card in _slipped(text, tokens, cards, taken) if taken.isdisjoint(range(card.first, card.last)))
    yield from sorted((*named, *more), key=lambda card: card.first)


def _exact(text: str, tokens: Sequence[Token], cards: Cards) -> Iterator[Found]:
    norms = [token.norm for token in tokens]
    rest, at, place = key_of(tokens), 0, 0
    while place < len(tokens):
        key = cards.longest(rest[at : at + _LONGEST])
        step = key.count(" ") if key else 1
        if key:
            yield _found(text, tokens, key, place, place + step, exact=True)
        at += sum(len(norm) + 1 for norm in norms[place : place + step])
        place += step


_LONGEST = 160
"""Characters of a key; the longest name of a card known to us has 141."""


def _slipped(text: str, tokens: Sequence[Token], cards: Cards, taken: set[int]) -> Iterator[Found]:
    """The names that are nearly there: with a word of Latin script mended, or alike in characters."""
    right = mended(tokens, cards, taken)
    if right != list(tokens):
        slips = {place for place, (token, other) in enumerate(zip(tokens, right, strict=True)) if token != other}
        for card in _exact(text, right, cards):
            if slips & set(range(card.first, card.last)):
                yield _found(text, tokens, card.key, card.first, card.last, exact=False)
    for key, first, last in nearly(tokens, cards, taken):
        yield _found(text, tokens, key, first, last, exact=False)


def _found(text: str, tokens: Sequence[Token], key: str, first: int, last: int, *, exact: bool) -> Found:
    start, end = tokens[first].start, tokens[last - 1].end
    return Found(key, first, last, start, end, _is_quoted(text, start, end), exact)


def _is_quoted(text: str, start: int, end: int) -> bool:
    """Whether what opens before a place closes right behind it."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    return bool(before and after) and before[-1] in _OPEN and after[0] == _CLOSE[_OPEN.index(before[-1])]
