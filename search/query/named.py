"""Which names of cards a question means: many are ordinary words, and a question about fog must not become one about Fog.

Between quotation marks, or where nothing else is asked, a name means its card. Else it must not be what a concept is called, nor
stand within that; a name of one word of Latin script must be written as a name inside a sentence, or be a word that rules hardly
have; Japanese and Chinese names must not be cut out of a longer word: what may stand beside a short one is told in
`data/beside_names.toml`.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise

from corpus.card import Card
from corpus.words.lexicon import LabelMatch, Lexicon
from corpus.words.tokens import Token, stem
from ontology.cards import Cards, Found, found_in
from ontology.cards.key import tokens_of
from search.index.lexical import Vocabulary

_RARE, _FEW = 0.001, 3
"""A word is rare that so many of the passages have, or so few."""
_LETTERS = 5
"""Letters of a word that means a card though it is written as any other."""
_SMALL = 3
"""Letters up to which a word in a name need not begin with a capital: of, the, to."""
_KATAKANA, _HAN = re.compile("[\u30a1-\u30ff\uff66-\uff9f]"), re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SHORT = 2
"""Characters up to which a name must be a word of its own."""


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a question, and the cards that bear it; `concepts` are what their texts speak of."""

    found: Found
    cards: tuple[Card, ...]
    concepts: tuple[str, ...] = field(default=())


class Ordinary:
    """What is an ordinary word: a label of a concept, or what rules often say."""

    def __init__(self, tokens: Sequence[Token], labels: Sequence[LabelMatch], lexicon: Lexicon, index: Vocabulary) -> None:
        """`tokens` are the stemmed words of the question and `labels` those found among them."""
        self.tokens = tokens
        self.labels = labels
        self.lexicon = lexicon
        self.index = index

    def is_label(self, name: Found) -> bool:
        """Whether a name is what a concept is called, or stands within that."""
        return any(label.first <= name.first and name.last <= label.last for label in self.labels)

    def is_rare(self, name: Found) -> bool:
        """Whether any word of a name, or any pair of its characters, is one that rules hardly have."""
        own = self.tokens[name.first : name.last]
        latin = (stem(token.norm) for token in own if not token.cjk and token.norm.isalpha())
        pairs = (token.norm + other.norm for token, other in pairwise(own) if token.cjk and other.cjk)
        return any(self._hardly(term) for term in (*latin, *pairs))

    def _hardly(self, term: str) -> bool:
        count = self.index.count(term)
        return count <= max(_FEW, _RARE * self.index.passages)


def named_in(
    text: str, tokens: Sequence[Token], labels: Sequence[LabelMatch], cards: Cards, lexicon: Lexicon, index: Vocabulary
) -> Iterator[tuple[Found, list[Card]]]:
    """The names of cards that a question means, with the cards that bear each."""
    ordinary = Ordinary(tokens, labels, lexicon, index)
    bare = tokens_of(text)
    for name in found_in(text, bare, cards):
        if _is_meant(text, bare, name, ordinary):
            yield name, cards.of_key(name.key)


def _is_meant(text: str, tokens: Sequence[Token], name: Found, ordinary: Ordinary) -> bool:
    if name.quoted:
        return True
    if ordinary.is_label(name):
        return False
    if name.last - name.first == len(tokens):
        return True
    own = tokens[name.first : name.last]
    if any(token.cjk for token in own):
        return _is_word(text, tokens, name) and ordinary.is_rare(name)
    return (
        _is_written_as_name(text, tokens, name)
        if len(own) > 1 and not ordinary.is_rare(name)
        else _single(text, tokens, name, ordinary)
    )


def _single(text: str, tokens: Sequence[Token], name: Found, ordinary: Ordinary) -> bool:
    """Whether words of Latin script mean a card: several of which one is rare do, one does as a name or as a rare word."""
    if name.last - name.first > 1:
        return True
    long = len(tokens[name.first].norm) >= _LETTERS
    if name.exact and _is_written_as_name(text, tokens, name):
        return ordinary.is_rare(name) or name.first > 0
    return long and ordinary.is_rare(name)


def _is_written_as_name(text: str, tokens: Sequence[Token], name: Found) -> bool:
    """Whether the words of a name begin with capitals, and not all others do; a first word alone always may."""
    own, others = tokens[name.first : name.last], [*tokens[: name.first], *tokens[name.last :]]
    capital = all(text[token.start].isupper() for token in own if len(token.norm) > _SMALL or token is own[0])
    return capital and any(text[token.start].islower() for token in others) and (len(own) > 1 or name.first > 0)


def _is_word(text: str, tokens: Sequence[Token], name: Found) -> bool:
    """Whether a name is not cut out of a longer word: out of a run of katakana, or a short one out of one of Han characters.

    Within such a run a short name is a word of its own where what stands beside it on both sides can end or begin no other.
    """
    own = tokens[name.first : name.last]
    before, after = text[name.start - 1 : name.start], text[name.end : name.end + 1]
    edges = ((text[name.start], before), (text[name.end - 1], after))
    if any(_KATAKANA.match(own_edge) and _KATAKANA.match(beside) for own_edge, beside in edges):
        return False
    characters = sum(token.cjk for token in own)
    if characters == 1 and len(own) == 1:
        return False
    if characters > _SHORT:
        return True
    within = [bool(_HAN.match(own_edge) and _HAN.match(beside)) for own_edge, beside in edges]
    return not any(within) or _stands_apart(tokens, name, *within)


def _stands_apart(tokens: Sequence[Token], name: Found, before: bool, after: bool) -> bool:
    """Whether the characters right beside a name, where there are some, are such as stand between words."""
    opening, closing = _beside()
    return (not before or tokens[name.first - 1].norm in opening) and (not after or tokens[name.last].norm in closing)


@cache
def _beside() -> tuple[frozenset[str], frozenset[str]]:
    """The characters that stand before and behind names."""
    told = tomllib.loads(files("search").joinpath("data/beside_names.toml").read_text(encoding="utf-8"))["zh"]
    return frozenset(told["before"]), frozenset(told["after"])
