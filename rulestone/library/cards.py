"""Files of cards, and single cards by name with the concepts that their texts mention."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.address import RS, SHARED_SCHEMES, scheme_of
from corpus.errors import InputError, NotFoundError
from corpus.reference import game_by_name
from corpus.store.engine import values_clause
from corpus.store.home.manifest import titles_of
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import words
from rulestone.library.base import LibraryBase, PathName
from rulestone.limits import NAME
from rulestone.progress import Progress, no_progress

if TYPE_CHECKING:
    from corpus import contract
    from corpus.model import Card
    from corpus.store.home.manifest import CardsEntry
    from ontology.cards import Cards as CardIndex
    from ontology.knowledge import Knowledge

_DEFINING_QUERY = f"SELECT ?concept ?rule WHERE {{ %s GRAPH ?g {{ ?concept <{RS}definedBy> ?rule }} }} ORDER BY ?concept ?rule"


class Cards(LibraryBase):
    """Looks up cards and adds files of them."""

    def cards(self, name: str, *, games: str | Iterable[str] | None = None, lang: str | None = None) -> "contract.Cards":
        """The cards with a name in any language, of all games or of some (`dm,mtg` or a list).

        Raises NotFoundError with similar names, InputError for an empty or too long name.
        """
        answer, bundle = self._answer_language(lang), self._bundle()
        listed = games.split(",") if isinstance(games, str) else games or ()
        wanted = {_game_slug(bundle.knowledge, game.strip()) for game in listed if game.strip()}
        plain = name.strip()
        if not plain or len(plain) > NAME:
            raise InputError("a card's name has 1 to {most} characters", most=NAME)
        cards = bundle.knowledge.cards
        if cards is None:
            raise NotFoundError("there are no cards in the library yet", command="rulestone cards FILE")
        found = [card for card in cards.cards_with_name(plain) if not wanted or card.game in wanted]
        if not found:
            raise _unknown_card_error(cards, plain)
        return {"name": plain, "lang": answer, "cards": [_card_body(bundle.knowledge, card, answer) for card in found]}

    def add_cards(self, path: PathName, *, game: str | None = None, progress: Progress = no_progress) -> "contract.CardsAdded":
        """Adds a file of cards: MTGJSON AtomicCards, Scryfall's bulk files, YGOJSON, YAML Yugi, or a table.

        `game` is their game if the file does not name it. Every `build` keeps them until `remove`. Raises InputError for a file
        without cards or with an unreadable record; then nothing changes.
        """
        from rulestone.writing.cards import add_cards
        from rulestone.writing.restore import restore_copies

        restore_copies(self._home, [Path(path)])
        self.ensure_built()
        bundle = self._bundle()
        entry, new = add_cards(self._home, Path(path), _game_slug(bundle.knowledge, game))
        self._current.expire()
        self._propose_grounds(progress, later=False)  # a card's name in a question is no word of a rule
        cards = self._bundle().knowledge.cards
        return {
            "added": card_file(entry, "added" if new else "known", os.fspath(path)),
            "total": cards.card_count() if cards else 0,
        }


def card_file(entry: "CardsEntry", status: str, path: str | None = None) -> "contract.CardFile":
    """A file of cards and its status."""
    return {
        "file": path or entry.name,
        "status": status,
        "cards": entry.cards,
        "games": list(entry.games),
        "langs": list(entry.langs),
    }


def _game_slug(knowledge: "Knowledge", game: str | None) -> str | None:
    """The slug of a game by any of its names; an unknown name counts as a slug."""
    return (game_by_name(game, titles_of(knowledge.manifest)) or game) if game else None


def _unknown_card_error(cards: "CardIndex", name: str) -> NotFoundError:
    if near := cards.similar_names(name):
        return NotFoundError("no card is called {name}; did you mean {near}?", name=name, near=" · ".join(near))
    return NotFoundError("no card is called {name}", name=name, command="rulestone cards FILE")


def _card_body(knowledge: "Knowledge", card: "Card", lang: str) -> "contract.Card":
    return {
        "game": card.game,
        "id": card.id,
        "names": {tag: list(names) for tag, names in card.names.items()},
        "texts": dict(card.texts),
        "concepts": _concepts(knowledge, card, lang),
    }


def _concepts(knowledge: "Knowledge", card: "Card", lang: str) -> "list[contract.CardConcept]":
    """The concepts that a card's text mentions, in the order of the text, with the rules that define them."""
    lexicon: Lexicon = knowledge.cached(("labels", card.game), lambda: _concept_lexicon(knowledge, card.game))
    concepts = dict.fromkeys(
        concept
        for text in card.texts.values()
        for match in lexicon.find(words(text))
        for concept in sorted(match.values, key=lambda value: (scheme_of(value) in SHARED_SCHEMES, value))[:1]
    )
    rules: dict[str, list[str]] = {}
    if concepts:
        for row in knowledge.store.select(_DEFINING_QUERY % values_clause("concept", list(concepts))):
            rules.setdefault(row["concept"], []).append(row["rule"])
    label = knowledge.names.body_with_name
    return [
        {"concept": concept, "label": label(concept, lang)["label"], "defined_by": rules.get(concept, [])} for concept in concepts
    ]


def _concept_lexicon(knowledge: "Knowledge", game: str) -> Lexicon:
    """The labels of the concepts of a game and of the cross-game concepts."""
    labels = knowledge.names.labels
    return Lexicon(
        (label.text, concept) for concept, some in labels.items() if scheme_of(concept) in (*SHARED_SCHEMES, game) for label in some
    )
