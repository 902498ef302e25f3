"""What is said of the cards that a question names: that they were understood, and which hits are there because of their texts."""

from collections.abc import Iterable

from corpus.address import concept_iri
from corpus.contract import CardMention, WhyCard
from corpus.languages import choose
from search.index.concept_tokens import MARK
from search.query.named import Named
from search.query.query import Query


def named_cards(query: Query) -> list[CardMention]:
    """The cards that a question names, in its order, with what their texts speak of."""
    return [
        {
            "start": named.found.start,
            "end": named.found.end,
            "game": card.game,
            "id": card.id,
            "name": _name(named, query.lang),
            "exact": named.found.exact,
            "concepts": [concept_iri(concept) for concept in named.concepts],
        }
        for named in query.cards
        for card in named.cards
    ]


def cards_in(query: Query, met: Iterable[str]) -> list[WhyCard]:
    """The cards of a question with what they speak of and a rule does too; those of which it speaks of nothing are left out."""
    terms = set(met)
    both = ((card, [concept for concept in card.concepts if MARK + concept in terms]) for card in query.cards)
    return [
        {"name": _name(named, query.lang), "concepts": [concept_iri(concept) for concept in some]} for named, some in both if some
    ]


def _name(named: Named, lang: str) -> str:
    names = named.cards[0].names
    return names[spoken][0] if (spoken := choose(lang, names)) else ""
