"""`/v1/concepts`: what is known of a concept; without a reference the list of all."""

from collections.abc import Iterable

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reply
from corpus.contract import ConceptList, ConceptName, Concepts
from corpus.errors import InputError
from rulestone.limits import CONCEPTS, OFFSET, whole

router = APIRouter(prefix="/v1/concepts", tags=["concepts"])
_QUERY = ("?ref=concept", "?lang", "?as_of", "?game=one", "?kind", "?offset=page", "?limit=concepts")
_FILTERS = ("game", "kind", "offset", "limit")


@router.get("", **described("get_concepts", Concepts | ConceptList, *_QUERY))
def concepts(request: Request) -> Response:
    """The concepts that `ref` means, each with its names, proved properties and counterparts; without it all, in brief."""
    query = request.query_params
    if "ref" in query:
        return _whole(request, query["ref"])
    body = library_of(request).concepts(
        game=query.get("game"),
        kind=query.get("kind"),
        lang=answer_language(request),
        as_of=query.get("as_of"),
        limit=whole("limit", query.get("limit"), CONCEPTS),
        offset=whole("offset", query.get("offset"), OFFSET),
    )
    return reply(request, body, _languages(body["concepts"]))


@router.get("/{slug}", **described("get_concept", Concepts, "slug", "?lang", "?as_of"))
@router.get("/{game}/{slug}", **described("get_concept_of_game", Concepts, "game", "slug", "?lang", "?as_of"))
def concept(request: Request) -> Response:
    """The concept of a game by its slug (`mtg/graveyard`), or a cross-game one with its case in each game (`graveyard`)."""
    return _whole(request, "/".join(request.path_params[name] for name in ("game", "slug") if name in request.path_params))


def _whole(request: Request, ref: str) -> Response:
    if given := [name for name in _FILTERS if name in request.query_params]:
        raise InputError("{given} filter the list of all concepts; leave them out beside a concept's name", given=", ".join(given))
    body = library_of(request).concept(ref, lang=answer_language(request), as_of=request.query_params.get("as_of"))
    return reply(request, body, _languages(body["concepts"]))


def _languages(concepts: Iterable[ConceptName]) -> list[str]:
    """The languages that the names are in."""
    return [name["lang"] for name in concepts if name["lang"]]
