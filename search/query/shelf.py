"""The cards that questions may name, and what a question gains of them: a little of what their texts speak of."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.card import Card
from corpus.languages import choose
from corpus.words.lexicon import LabelMatch, Lexicon
from corpus.words.tokens import Token, terms, words
from ontology.cards import Cards
from search.index.concept_tokens import MARK, found_in
from search.index.lexical import Vocabulary
from search.query.named import Named, named_in
from search.rank.settings import DEFAULT, Widening

_MOST = 8
"""Concepts that a card adds to a question: those that the fewest rules speak of."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Some cards, the games whose cards may be meant, and how much of a card counts."""

    cards: Cards | None
    games: Collection[str] = ()
    settings: Widening = DEFAULT.cards

    def named(
        self,
        text: str,
        tokens: Sequence[Token],
        labels: Sequence[LabelMatch],
        lexicon: Lexicon,
        index: Vocabulary,
        games: Collection[str],
    ) -> Iterator[Named]:
        """The cards of some games (none: of all) that a question names, with what their texts speak of."""
        if self.cards is None:
            return
        wanted = games or self.games
        for place, bearers in named_in(text, tokens, labels, self.cards, lexicon, index):
            own = tuple(card for card in bearers if card.game in wanted)
            if own:
                yield Named(place, own, _concepts(own, lexicon, index))

    @staticmethod
    def games_of(named: Sequence[Named]) -> tuple[str, ...]:
        """The one game that all named cards have; none where they have no game in common, or several."""
        common = set.intersection(*({card.game for card in name.cards} for name in named)) if named else set()
        return tuple(common) if len(common) == 1 else ()

    def widened(
        self, own: Mapping[str, float], named: Sequence[Named], tokens: Sequence[Token], index: Vocabulary
    ) -> Mapping[str, float]:
        """The terms of a question with the words of the names in it, and with what the cards speak of: never more than a share."""
        if not named:
            return own
        names = [term for name in named for term in terms(tokens[name.found.first : name.found.last])]
        fresh = [MARK + concept for name in named for concept in name.concepts]
        asked = sum(weight * index.rarity(term) for term, weight in own.items())
        added = sum(self.settings.concepts * index.rarity(term) for term in set(fresh) - own.keys())
        share = min(1.0, self.settings.share * asked / added) if added and asked else 1.0
        more = dict.fromkeys(fresh, self.settings.concepts * share) | dict.fromkeys(names, self.settings.name)
        return {**{term: weight for term, weight in more.items() if weight}, **own}

    def told(self, asked: str, text: str, named: Sequence[Named]) -> str:
        """A question with the beginning of what each card says behind its name."""
        for bearer in named if self.settings.text else ():
            name, says = text[bearer.found.start : bearer.found.end], _beginning(bearer.cards[0], self.settings.text)
            if says:
                asked = asked.replace(name, f"{name} ({says})", 1)
        return asked


NONE = Shelf(None)


def _concepts(cards: Sequence[Card], lexicon: Lexicon, index: Vocabulary) -> tuple[str, ...]:
    """What the texts of some cards of one name speak of and rules do too, the rarest first."""
    texts = ((card.game, words(_text(card))) for card in cards)
    said = dict.fromkeys(concept for game, text in texts for _, some in found_in(text, lexicon, (game,)) for concept in some)
    there = [concept for concept in said if index.count(MARK + concept)]
    return tuple(sorted(there, key=lambda concept: (-index.rarity(MARK + concept), concept))[:_MOST])


def _text(card: Card) -> str:
    """What a card says, in the language in which the most concepts have names."""
    lang = choose("en", card.texts)
    return card.texts[lang] if lang else ""


def _beginning(card: Card, most: int) -> str:
    text = " ".join(_text(card).split())
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0]
