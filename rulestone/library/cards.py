"""Files of cards, and single cards by name with the concepts that their texts mention."""

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from corpus.address import RS, SHARED_SCHEMES, scheme_of
from corpus.errors import InputError, NotFoundError
from corpus.languages import choose
from corpus.messages import message
from corpus.reference import game_by_name
from corpus.store.engine import values_clause
from corpus.store.home.manifest import titles_of
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import words
from rulestone.library.base import LibraryBase, PathName
from rulestone.limits import CARD_NAMES, NAME
from rulestone.progress import Progress, no_progress
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from corpus.model import Card
    from corpus.store.home.manifest import CardsEntry
    from ontology.cards import CardsOfGames
    from ontology.knowledge import Knowledge

_NO_CARDS = message("no cards are loaded, so no name is known: add a file of cards, or ask for the card's text")
_DEFINING_QUERY = f"SELECT ?concept ?rule WHERE {{ %s GRAPH ?g {{ ?concept <{RS}definedBy> ?rule }} }} ORDER BY ?concept ?rule"


class CardsMixin(LibraryBase):
    """Looks up cards and adds files of them."""

    @in_readers_script
    def cards(self, name: str, *, games: str | Iterable[str] | None = None, lang: str | None = None) -> "contract.Cards":
        """The cards with a name in any language, or a part of it, of all games or of some (`dm,mtg` or a list).

        Raises NotFoundError with similar names of those games, InputError for an empty or too long name.
        """
        answer, bundle = self._answer_language(lang), self._bundle()
        slugs, plain = _game_slugs(bundle.knowledge, games), _plain_name(name)
        cards = _cards_of_games(bundle.knowledge, slugs)
        if cards is None:
            raise NotFoundError("there are no cards in the library yet", command="rulestone cards FILE")
        if not (matches := cards.with_name_or_part(plain)):
            raise _unknown_card_error(cards, plain)
        return {"name": plain, "lang": answer, "cards": [_card_body(bundle.knowledge, card, answer) for card in matches]}

    @in_readers_script
    def resolve_cards(
        self,
        names: Sequence[str],
        *,
        games: str | Iterable[str] | None = None,
        lang: str | None = None,
        concepts: bool = False,
    ) -> "contract.ResolvedCards":
        """The cards that names in any language mean, at most 50, in their order: each the one card with its name, or candidates.

        Several cards may have a name, or contain it in theirs; a name that no card has is answered with names spelt alike. Cards
        of other games than `games` are no candidates. Cards have their `concepts` on request. Raises InputError for an empty or
        too long name or list.
        """
        answer, bundle = self._answer_language(lang), self._bundle()
        if not 1 <= len(names) <= CARD_NAMES:
            raise InputError("{count} names of cards were given; give 1 to {most}", count=len(names), most=CARD_NAMES)
        knowledge = bundle.knowledge
        slugs = _game_slugs(knowledge, games)
        cards = _cards_of_games(knowledge, slugs)
        results = [_resolved(knowledge, cards, _plain_name(name), answer, with_concepts=concepts) for name in names]
        return {
            "lang": answer,
            "total": knowledge.cards.card_count() if knowledge.cards else 0,
            "note": None if knowledge.cards else _NO_CARDS.in_language(answer),
            "cards": results,
        }

    def has_file(self, sha256: str) -> bool:
        """Whether a file of cards, rulings or rules has been added, by the SHA-256 of its bytes."""
        manifest = self._bundle().knowledge.manifest
        return sha256 in {*(file.sha256 for file in manifest.cards), *(file.sha256 for file in manifest.added)}

    def names_by_card(self, game: str) -> dict[str, Sequence[str]]:
        """The number of each card of a game → its names, in English if it has any; empty without cards."""
        cards = self._bundle().knowledge.cards
        every = cards.every_card() if cards else ()
        return {card.id: card.names.get("en") or next(iter(card.names.values())) for card in every if card.game == game}

    def add_cards(
        self,
        path: PathName,
        *,
        game: str | None = None,
        replaces: str | None = None,
        later: bool = False,
        progress: Progress = no_progress,
    ) -> "contract.CardsAdded":
        """Adds a file of cards: MTGJSON AtomicCards, Scryfall's bulk files, YGOJSON, YAML Yugi, LorcanaJSON, or a table.

        `game` is their game if the file does not name it. The file with the SHA-256 `replaces` is removed. With `later`, no rules
        are proposed for rulings until `index`. Every `build` keeps the cards until `remove`. Raises InputError for a file without
        cards or with an unreadable record; then nothing changes.
        """
        from rulestone.writing.cards import add_cards
        from rulestone.writing.restore import restore_copies

        restore_copies(self._home, [Path(path)])
        self.ensure_built()
        bundle = self._bundle()
        entry, new = add_cards(self._home, Path(path), _game_slug(bundle.knowledge, game), replaces)
        self._current.expire()
        self._propose_grounds(progress, later=later)  # a card's name in a question is no word of a rule
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


def _game_slugs(knowledge: "Knowledge", games: str | Iterable[str] | None) -> set[str | None]:
    """The slugs of games by any of their names; none means every game."""
    name_list = games.split(",") if isinstance(games, str) else games or ()
    return {_game_slug(knowledge, game.strip()) for game in name_list if game.strip()}


def _plain_name(name: str) -> str:
    """A name without blanks around it. Raises InputError for an empty or too long one."""
    plain = name.strip()
    if not plain or len(plain) > NAME:
        raise InputError("a card's name has 1 to {most} characters", most=NAME)
    return plain


def _cards_of_games(knowledge: "Knowledge", games: Collection[str | None]) -> "CardsOfGames | None":
    """The cards of some games; None if there are no cards at all."""
    if knowledge.cards is None:
        return None
    from ontology.cards import CardsOfGames

    return CardsOfGames(knowledge.cards, games)


def _resolved(
    knowledge: "Knowledge", cards: "CardsOfGames | None", name: str, lang: str, *, with_concepts: bool
) -> "contract.ResolvedCard":
    """The card with a name, or the candidates."""
    if cards is None:
        return {"name": name, "match": "unknown", "card": None, "candidates": []}
    match matches := cards.with_name(name):
        case [card]:
            own = _brief_card(knowledge, card, lang)
            if with_concepts:
                own["concepts"] = _concepts(knowledge, card, lang)
            return {"name": name, "match": "exact", "card": own, "candidates": []}
        case [_, *_]:
            candidates = [{**_candidate(card, lang), "text": _text_of(card, lang)[1]} for card in matches]
            return {
                "name": name,
                "match": "ambiguous",
                "card": None,
                "candidates": cast("list[contract.CardCandidate]", candidates),
            }
    partial = cards.with_part(name)
    near = [_candidate(card, lang) for card in partial or cards.spelt_like(name)]
    return {"name": name, "match": "partial" if partial else "unknown", "card": None, "candidates": near}


def _candidate(card: "Card", lang: str) -> "contract.CardCandidate":
    return {"game": card.game, "id": card.id, "name": _shown_name(card, lang)}


def _brief_card(knowledge: "Knowledge", card: "Card", lang: str) -> "contract.BriefCard":
    from corpus.editions.rulings import rulings_of_card

    text_lang, text = _text_of(card, lang)
    names = dict.fromkeys((*(name for by_language in card.names.values() for name in by_language), card.id))
    rulings = [ruling["iri"] for ruling in rulings_of_card(knowledge, *names) if ruling["game"] == card.game]
    return {
        "game": card.game,
        "id": card.id,
        "name": _shown_name(card, lang),
        "names": {tag: list(some) for tag, some in card.names.items()},
        "lang": text_lang,
        "text": text,
        "rulings": rulings,
    }


def _shown_name(card: "Card", lang: str) -> str:
    """The name of a card in a language, else its first one."""
    return card.names[choose(lang, card.names) or next(iter(card.names))][0]


def _text_of(card: "Card", lang: str) -> tuple[str | None, str]:
    """The language and text of a card, in the answer's language if there is one; none and "" for a card without text."""
    text_lang = choose(lang, card.texts)
    return text_lang, card.texts[text_lang] if text_lang else ""


def _unknown_card_error(cards: "CardsOfGames", name: str) -> NotFoundError:
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
