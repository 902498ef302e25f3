"""Zones side by side, concepts, and terms: what is asked is understood here, and answered by the ontology."""

from typing import TYPE_CHECKING

from corpus.address import game_of as game_of_concept
from corpus.errors import InputError, NotFoundError
from corpus.paging import Page
from ontology.knowledge import Knowledge
from rulestone import games

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpus.contract import ConceptList, Concepts, Terms, Topics, Zones


def zones(knowledge: Knowledge, lang: str, wanted: "str | Iterable[str] | None" = None) -> "Zones":
    """The zones of some games side by side; None is all. Raises InputError for a game of which none is known."""
    from ontology.concepts.properties import claims_then
    from ontology.concepts.zones import games_with_zones
    from ontology.concepts.zones import zones as compared

    known = games_with_zones(knowledge.store) if wanted else ()
    asked = games.games_of(wanted, games.among(known, knowledge.manifest), games.ZONES)
    return compared(knowledge.store, lang, asked, claims_then(knowledge), knowledge.concepts.mappings())


def topics(knowledge: Knowledge, lang: str, wanted: "str | Iterable[str] | None" = None, topic: str | None = None) -> "Topics":
    """The topics with the rules of some games side by side; None is all games.

    Raises InputError for a game of which none is known, NotFoundError where no topic is called so.
    """
    from ontology.topics.comparison import games_with_topics
    from ontology.topics.comparison import topics as compared

    known = games_with_topics(knowledge.store) if wanted else ()
    asked = games.games_of(wanted, games.among(known, knowledge.manifest), games.TOPICS)
    return compared(knowledge, lang, asked, None if topic is None else _topics_called(knowledge, topic))


def _topics_called(knowledge: Knowledge, name: str) -> list[str]:
    """The topics that a slug or name means, that of any game's concept too."""
    from ontology.concepts.resolve import resolve
    from ontology.topics.comparison import topics_of

    meant = resolve(knowledge.names, name)
    about = {knowledge.names.hubs.get(concept, concept) for concept in meant}
    if met := [topic for topic in topics_of(knowledge.store) if topic in about]:
        return met
    raise NotFoundError("{name!r} is a concept and no topic; `compare topics` lists the topics", name=name[:60])


def concept(knowledge: Knowledge, ref: str, lang: str) -> "Concepts":
    """The concepts that a reference means, each with all that is known of it.

    Raises InputError for what can mean no concept, NotFoundError where there is none.
    """
    from ontology.concepts.concepts import concepts as whole
    from ontology.concepts.resolve import resolve

    return {"ref": ref, "lang": lang, "concepts": whole(knowledge, resolve(knowledge.names, ref), lang)}


def concepts(knowledge: Knowledge, lang: str, page: Page, game: str | None = None, kind: str | None = None) -> "ConceptList":
    """A page of the list of all concepts. Raises InputError for a game or kind of which there is none."""
    from ontology.concepts.concepts import briefly

    every = briefly(knowledge, lang)
    if game is not None:
        known = {brief["game"] for brief in every if brief["game"]}
        game = games.game_of(game, games.among(known, knowledge.manifest), games.CONCEPTS)
    if kind is not None:
        _check_kind(kind, {brief["kind"] for brief in every})
    listed = [brief for brief in every if game in (None, brief["game"]) and kind in (None, brief["kind"])]
    shown = listed[page.offset : page.offset + page.limit]
    return {"lang": lang, "total": len(listed), "offset": page.offset, "limit": page.limit, "concepts": shown}


def _check_kind(kind: str, known: set[str]) -> None:
    if kind not in known:
        raise InputError(
            "kind {given!r}: no concepts of that kind are known; expected one of {known}",
            given=kind[:40],
            known=", ".join(sorted(known)),
        )


def term(knowledge: Knowledge, label: str, lang: str, page: Page, game: str | None = None, within: str | None = None) -> "Terms":
    """What a label's concept is called in each game and language, and where it is used.

    `game` may name several, `dm,mtg`. Raises InputError for what can be no name and for an unknown game, NotFoundError where no
    concept is called so.
    """
    from ontology.translation.terms.terms import term as terms

    wanted: tuple[str, ...] = ()
    if game is not None:
        concepts = {game_of_concept(concept) or "" for concept in knowledge.names.labels}
        known = {key.game for key in knowledge.manifest.editions} | concepts
        wanted = games.games_of(game, games.among(known - {""}, knowledge.manifest), games.TERMS)
    return terms(knowledge, label, lang, page, wanted, within)
