"""The cards that a question names, and the terms that their texts add to the query.

Many names of cards are ordinary words, and a question about fog is not about the card Fog. A name denotes its card between
quotation marks, or if the question contains nothing else. Otherwise it must not be, or be part of, the label of a concept. A Latin
name of one word must
be written as a name inside a sentence, or be rare in rules. A Japanese or Chinese name must not be part of a longer word; the
characters that may be next to a short name are in `data/beside_names.toml`.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from corpus.languages import choose
from corpus.model import Card
from corpus.words.lexicon import LabelMatch, Lexicon
from corpus.words.tokens import Token, stem, terms, words
from ontology.cards import CardMention, CardStore, card_mentions, name_tokens
from search.index.bm25 import Vocabulary
from search.index.concept_tokens import CONCEPT, find_concepts
from search.settings import DATA, SEARCH, CardExpansion

_MAX_CONCEPTS = 8
"""Number of a card's concepts that are added to a query: the rarest in rules."""
_MAX_BEARERS = 12
"""Number of cards with the same part of a name above which that part (a champion's first name, a family) is ignored."""
_RARE_SHARE, _RARE_COUNT = 0.001, 3
"""A word is rare if at most this share, or this number, of the passages contain it."""
_MIN_LETTERS = 5
"""Number of letters of a rare word that names a card even in lower case."""
_SMALL_WORD = 3
"""Maximum number of letters of a word in a name that may be in lower case: of, the, to."""
_SHORT_NAME = 2
"""Maximum number of characters of a CJK name that must be a separate word."""
_KATAKANA, _HAN = re.compile("[\u30a1-\u30ff\uff66-\uff9f]"), re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A name in a question, the cards with this name, and the concepts that their texts mention."""

    mention: CardMention
    cards: tuple[Card, ...]
    concepts: tuple[str, ...] = field(default=())

    @property
    def is_ambiguous(self) -> bool:
        """Whether several cards have the name, or the part of a name, that was typed."""
        return len(self.cards) > 1


@dataclass(frozen=True, slots=True)
class CardIndex:
    """The cards that questions may name."""

    cards: CardStore | None
    games: Collection[str] = ()  # games whose cards may be meant if the question names no game
    settings: CardExpansion = SEARCH.cards

    def find(
        self,
        text: str,
        tokens: Sequence[Token],
        labels: Sequence[LabelMatch],
        lexicon: Lexicon,
        vocabulary: Vocabulary,
        games: Collection[str],
    ) -> Iterator[NamedCard]:
        """The cards of these games (none: of all) that a question names."""
        if self.cards is None:
            return
        ordinary = _OrdinaryWords(tokens, labels, vocabulary)
        bare = name_tokens(text)
        for name in card_mentions(text, bare, self.cards):
            if _means_card(text, bare, name, ordinary):
                bearers = tuple(card for card in self.cards.cards_with_key(name.key) if card.game in (games or self.games))
                if 0 < len(bearers) <= _MAX_BEARERS:
                    yield NamedCard(name, bearers, _card_concepts(bearers, lexicon, vocabulary))

    @staticmethod
    def game_of_cards(mentioned_cards: Sequence[NamedCard]) -> tuple[str, ...]:
        """The only game that all named cards have; none if there is no such game, or several."""
        common = set.intersection(*({card.game for card in name.cards} for name in mentioned_cards)) if mentioned_cards else set()
        return tuple(common) if len(common) == 1 else ()

    def expand_terms(
        self, own_terms: Mapping[str, float], mentioned_cards: Sequence[NamedCard], tokens: Sequence[Token], vocabulary: Vocabulary
    ) -> Mapping[str, float]:
        """The terms of a question, with the words of the cards' names and with the concepts of their texts up to a share."""
        if not mentioned_cards:
            return own_terms
        names = [term for name in mentioned_cards for term in terms(tokens[name.mention.first : name.mention.last])]
        concepts = [CONCEPT + concept for name in mentioned_cards for concept in name.concepts]
        own_idf = sum(weight * vocabulary.idf(term) for term, weight in own_terms.items())
        added_idf = sum(self.settings.concept_weight * vocabulary.idf(term) for term in set(concepts) - own_terms.keys())
        share = min(1.0, self.settings.max_share * own_idf / added_idf) if added_idf and own_idf else 1.0
        extra_weights = dict.fromkeys(concepts, self.settings.concept_weight * share) | dict.fromkeys(
            names, self.settings.name_weight
        )
        return {**{term: weight for term, weight in extra_weights.items() if weight}, **own_terms}

    def add_card_texts(self, encoder_text: str, text: str, mentioned_cards: Sequence[NamedCard]) -> str:
        """A question with the beginning of each card's text in brackets after its name."""
        for card in mentioned_cards if self.settings.text_chars else ():
            name, says = text[card.mention.start : card.mention.end], _card_beginning(card.cards[0], self.settings.text_chars)
            if says and not card.is_ambiguous:
                encoder_text = encoder_text.replace(name, f"{name} ({says})", 1)
        return encoder_text


EMPTY_CARD_INDEX = CardIndex(None)


def _card_concepts(cards: Sequence[Card], lexicon: Lexicon, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The concepts mentioned both in rules and in the texts of the cards with a name, the rarest first."""
    texts = ((card.game, words(_card_text(card))) for card in cards)
    concepts = dict.fromkeys(
        concept for game, text in texts for _, some in find_concepts(text, lexicon, (game,)) for concept in some
    )
    known_concepts = [concept for concept in concepts if vocabulary.passage_count(CONCEPT + concept)]
    return tuple(sorted(known_concepts, key=lambda concept: (-vocabulary.idf(CONCEPT + concept), concept))[:_MAX_CONCEPTS])


def _card_text(card: Card) -> str:
    """The text of a card, preferably in English, which has the most labels of concepts."""
    lang = choose("en", card.texts)
    return card.texts[lang] if lang else ""


def _card_beginning(card: Card, max_chars: int) -> str:
    text = " ".join(_card_text(card).split())
    return text if len(text) <= max_chars else text[:max_chars].rsplit(" ", 1)[0]


class _OrdinaryWords:
    """Which words of a question are ordinary: labels of concepts, and words that are frequent in rules."""

    def __init__(self, tokens: Sequence[Token], labels: Sequence[LabelMatch], vocabulary: Vocabulary) -> None:
        self._tokens = tokens
        self._labels = labels
        self._vocabulary = vocabulary

    def is_label(self, name: CardMention) -> bool:
        """Whether a name is the label of a concept, or part of one."""
        return any(label.first <= name.first and name.last <= label.last for label in self._labels)

    def is_rare(self, name: CardMention) -> bool:
        """Whether any word of a name, or any pair of its characters, is rare in rules."""
        own = self._tokens[name.first : name.last]
        latin = (stem(token.norm) for token in own if not token.cjk and token.norm.isalpha())
        pairs = (token.norm + other.norm for token, other in pairwise(own) if token.cjk and other.cjk)
        return any(self._is_rare_term(term) for term in (*latin, *pairs))

    def _is_rare_term(self, term: str) -> bool:
        return self._vocabulary.passage_count(term) <= max(_RARE_COUNT, _RARE_SHARE * self._vocabulary.passages)


def _means_card(text: str, tokens: Sequence[Token], name: CardMention, ordinary: _OrdinaryWords) -> bool:
    if name.quoted:
        return True
    if ordinary.is_label(name):
        return False
    if name.last - name.first == len(tokens):
        return True
    own = tokens[name.first : name.last]
    if any(token.cjk for token in own):
        return _is_whole_word(text, tokens, name) and ordinary.is_rare(name)
    if len(own) > 1:
        return ordinary.is_rare(name) or _is_capitalised(text, tokens, name)
    if name.exact and _is_capitalised(text, tokens, name):
        return ordinary.is_rare(name) or name.first > 0
    return len(own[0].norm) >= _MIN_LETTERS and ordinary.is_rare(name)


def _is_capitalised(text: str, tokens: Sequence[Token], name: CardMention) -> bool:
    """Whether the words of a name are capitalised and not all other words are; a single first word may always be."""
    own, others = tokens[name.first : name.last], [*tokens[: name.first], *tokens[name.last :]]
    capital = all(text[token.start].isupper() for token in own if len(token.norm) > _SMALL_WORD or token is own[0])
    return capital and any(text[token.start].islower() for token in others) and (len(own) > 1 or name.first > 0)


def _is_whole_word(text: str, tokens: Sequence[Token], name: CardMention) -> bool:
    """Whether a CJK name is not part of a longer word: of a run of katakana, or, if it is short, of Han characters.

    A short name within Han characters is a word if the characters on both sides are such as occur between words.
    """
    own = tokens[name.first : name.last]
    before, after = text[name.start - 1 : name.start], text[name.end : name.end + 1]
    edges = ((text[name.start], before), (text[name.end - 1], after))
    if any(_KATAKANA.match(edge) and _KATAKANA.match(beside) for edge, beside in edges):
        return False
    characters = sum(token.cjk for token in own)
    if characters == 1 and len(own) == 1:
        return False
    if characters > _SHORT_NAME:
        return True
    han_before, han_after = (bool(_HAN.match(edge) and _HAN.match(beside)) for edge, beside in edges)
    may_precede, may_follow = _allowed_neighbours()
    return (not han_before or tokens[name.first - 1].norm in may_precede) and (
        not han_after or tokens[name.last].norm in may_follow
    )


@cache
def _allowed_neighbours() -> tuple[frozenset[str], frozenset[str]]:
    """The characters that may precede a short Chinese name, and those that may follow it."""
    table = tomllib.loads((DATA / "beside_names.toml").read_text(encoding="utf-8"))["zh"]
    return frozenset(table["before"]), frozenset(table["after"])
