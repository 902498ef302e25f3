"""Concepts, zones side by side, topics, and terms with their uses."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from api.http.queries import Lang, Parameters, PathGame
from api.http.replies import answer_language, library_of, reply
from api.parameters import AsOf, BookLang, Games, GamesOfGame, Maybe, field
from corpus.contract import ConceptList, ConceptName, Concepts, Terms, Topics, Zones
from corpus.errors import InputError
from rulestone import options
from rulestone.limits import CONCEPT_LIMITS, NAME

router = APIRouter(prefix="/v1")
PathSlug = Annotated[str, Path(max_length=NAME, description="Slug of the concept, or its name in any language: graveyard.")]


class ZonesQuery(Parameters):
    """Parameters of `/v1/zones`."""

    games: Games = None
    lang: Lang = None
    as_of: AsOf = None


@router.get("/zones", tags=["zones"], response_model=Zones)
def get_zones(request: Request, query: Annotated[ZonesQuery, Query()]) -> Response:
    """The zones of the games side by side: labels, properties with the words that prove them, and counterparts."""
    body = library_of(request).zones(**query.options(lang=answer_language(request, query.lang)))
    return reply(request, body, [body["lang"]])


class TopicsQuery(ZonesQuery):
    """Parameters of `/v1/topics`."""

    topic: Maybe[str] = field(options.TOPIC, default=None)


@router.get("/topics", tags=["topics"], response_model=Topics)
def get_topics(request: Request, query: Annotated[TopicsQuery, Query()]) -> Response:
    """Topics that games have in common: the rule of each game, or the closest one, and the differences."""
    body = library_of(request).topics(**query.options(lang=answer_language(request, query.lang)))
    return reply(request, body, [body["lang"]])


class ConceptQuery(Parameters):
    """Parameters of `/v1/concepts/{game}/{slug}`."""

    lang: Lang = None
    as_of: AsOf = None


class ConceptsQuery(Parameters):
    """Parameters of `/v1/concepts`."""

    ref: Maybe[str] = field(options.CONCEPT, "Default: all concepts.", default=None)
    lang: Lang = None
    as_of: AsOf = None
    games: GamesOfGame = None
    kind: Maybe[str] = Field(
        None,
        description="zone, sub-zone, composite, not-a-zone, characteristic, state, principle, role, deck, type, position, "
        "keyword-ability, keyword-action, turn-part, rules-term, idea, book-term, proposed-term.",
    )
    limit: int = field(options.LIMIT.within(CONCEPT_LIMITS))
    offset: int = field(options.OFFSET)


@router.get("/concepts", tags=["concepts"], response_model=Concepts | ConceptList)
def get_concepts(request: Request, query: Annotated[ConceptsQuery, Query()]) -> Response:
    """The concepts that `ref` names, with labels, properties with their proofs, and counterparts; without `ref`, a list of all."""
    if query.ref is not None:
        filters = {"games": "game", "kind": "kind", "offset": "offset", "limit": "limit"}
        if names := ", ".join(name for field, name in filters.items() if field in query.model_fields_set):
            raise InputError("{given} filter the list of all concepts; omit them with a concept's name", given=names)
        return _concept(request, query.ref, query.lang, query.as_of)
    body = library_of(request).concepts(**query.options("ref", lang=answer_language(request, query.lang)))
    return reply(request, body, _languages(body["concepts"]))


@router.get("/concepts/{slug}", tags=["concepts"], response_model=Concepts)
def get_concept(request: Request, slug: PathSlug, query: Annotated[ConceptQuery, Query()]) -> Response:
    """A cross-game concept by its slug (`graveyard`), with the concept of each game."""
    return _concept(request, slug, query.lang, query.as_of)


@router.get("/concepts/{game}/{slug}", tags=["concepts"], response_model=Concepts)
def get_concept_of_game(request: Request, game: PathGame, slug: PathSlug, query: Annotated[ConceptQuery, Query()]) -> Response:
    """The concept of a game by its slug (`mtg/graveyard`)."""
    return _concept(request, f"{game}/{slug}", query.lang, query.as_of)


def _concept(request: Request, ref: str, lang: str | None, as_of: str | None) -> Response:
    body = library_of(request).concept(ref, lang=answer_language(request, lang), as_of=as_of)
    return reply(request, body, _languages(body["concepts"]))


def _languages(concepts: Iterable[ConceptName]) -> list[str]:
    """The languages of the names."""
    return [name["lang"] for name in concepts if name["lang"]]


class TermsQuery(Parameters):
    """Parameters of `/v1/terms`."""

    label: str = field(options.LABEL)
    lang: Lang = None
    book_lang: BookLang = None
    as_of: AsOf = None
    games: GamesOfGame = None
    limit: int = field(options.USES)
    offset: int = field(options.OFFSET)


@router.get("/terms", tags=["terms"], response_model=Terms)
def get_terms(request: Request, query: Annotated[TermsQuery, Query()]) -> Response:
    """The names of a concept in each game and language, the rules that define them, and each use in context."""
    body = library_of(request).term(**query.options(lang=answer_language(request, query.lang, query.book_lang)))
    return reply(request, body, [term["lang"] for term in body["terms"] if term["lang"]] or [body["lang"]])
