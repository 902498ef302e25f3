"""Cards by name, with what their texts speak of; and what became of files of cards."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corpus.address import COMMON, NS, scheme_of
from corpus.errors import InputError, NotFoundError
from corpus.games import game_called
from corpus.store.engine import values
from corpus.store.home.manifest import titles_of
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import words
from ontology.knowledge import Knowledge
from rulestone.limits import NAME

if TYPE_CHECKING:
    from corpus import contract
    from corpus.card import Card
    from corpus.store.home.manifest import CardsEntry
    from ontology.cards import Cards

_RULES = f"SELECT ?concept ?rule WHERE {{ %s GRAPH ?g {{ ?concept <{NS}definedBy> ?rule }} }} ORDER BY ?concept ?rule"


def slug(knowledge: Knowledge, game: str | None) -> str | None:
    """The slug of a game by any name of it; one that nobody has described is taken as it is."""
    return (game_called(game, titles_of(knowledge.manifest)) or game) if game else None


def cards(knowledge: Knowledge, shelf: "Cards | None", name: str, lang: str, game: str | None) -> "contract.Cards":
    """The cards that bear a name. Raises NotFoundError with names that come close, InputError for what is no name."""
    plain = name.strip()
    if not plain or len(plain) > NAME:
        raise InputError("a card's name has 1 to {most} characters", most=NAME)
    if shelf is None:
        raise NotFoundError("there are no cards in the library yet; add some with: rulestone cards FILE")
    called = [card for card in shelf.called(plain) if game in (None, card.game)]
    if not called:
        raise _unknown(shelf, plain)
    return {"name": plain, "lang": lang, "cards": [_card(knowledge, card, lang) for card in called]}


def _unknown(shelf: "Cards", name: str) -> NotFoundError:
    if near := shelf.close_to(name):
        return NotFoundError("no card is called {name}; did you mean {near}?", name=name, near=" · ".join(near))
    return NotFoundError("no card is called {name}; add cards with: rulestone cards FILE", name=name)


def _card(knowledge: Knowledge, card: "Card", lang: str) -> "contract.Card":
    return {
        "game": card.game,
        "id": card.id,
        "names": {tag: list(names) for tag, names in card.names.items()},
        "texts": dict(card.texts),
        "concepts": _concepts(knowledge, card, lang),
    }


def _concepts(knowledge: Knowledge, card: "Card", lang: str) -> "list[contract.CardConcept]":
    """What a card's text speaks of, in the order in which it does."""
    lexicon: Lexicon = knowledge.once(("labels", card.game), lambda: _lexicon(knowledge, card.game))
    named = dict.fromkeys(
        concept
        for text in card.texts.values()
        for match in lexicon.find(words(text))
        for concept in sorted(match.values, key=lambda value: (scheme_of(value) in COMMON, value))[:1]
    )
    rules = _rules(knowledge, named)
    called = knowledge.names.name
    return [
        {"concept": concept, "label": called(concept, lang)["label"], "defined_by": rules.get(concept, [])} for concept in named
    ]


def _lexicon(knowledge: Knowledge, game: str) -> Lexicon:
    """What a game and every game call concepts."""
    labels = knowledge.names.labels
    return Lexicon(
        (label.text, concept) for concept, some in labels.items() if scheme_of(concept) in (*COMMON, game) for label in some
    )


def _rules(knowledge: Knowledge, concepts: Iterable[str]) -> dict[str, list[str]]:
    rules: dict[str, list[str]] = {}
    if wanted := list(concepts):
        for row in knowledge.store.select(_RULES % values("concept", wanted)):
            rules.setdefault(row["concept"], []).append(row["rule"])
    return rules


def added(entry: "CardsEntry", path: str, total: int, *, new: bool) -> "contract.CardsAdded":
    """What became of a file that was to be added."""
    return {"added": file(entry, "added" if new else "known", path), "total": total}


def file(entry: "CardsEntry", status: str, path: str | None = None) -> "contract.CardFile":
    """A file of cards and what became of it."""
    return {
        "file": path or entry.name,
        "status": status,
        "cards": entry.cards,
        "games": list(entry.games),
        "langs": list(entry.langs),
    }
