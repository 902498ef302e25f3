"""`/v1/concepts`: what is known of a concept; without a reference the list of all."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api import answers
from api.http.openapi import answer, either, parameters
from api.http.replies import knowledge_of, language_of, page_in, reply
from corpus.errors import InputError

router = APIRouter(prefix="/v1/concepts", tags=["concepts"])
_LISTED = 100
_QUERY = parameters("?ref=concept", "?lang", "?game=one", "?kind", "?offset=page", "?limit=page")
_FILTERS = ("game", "kind", "offset", "limit")


@router.get("", name="by reference", responses=either("concepts", "concept_list"), openapi_extra=_QUERY)
async def concepts(request: Request) -> Response:
    """The concepts that `ref` means, each with its names, proved properties and counterparts; without it all, in brief."""
    query = request.query_params
    if "ref" in query:
        return _whole(request, query["ref"])
    body = answers.concepts(
        knowledge_of(request), language_of(request), page_in(request, _LISTED), query.get("game"), query.get("kind")
    )
    return reply(request, body, _spoken(body))


@router.get("/{slug}", name="idea", responses=answer("concepts"), openapi_extra=parameters("slug", "?lang"))
@router.get("/{game}/{slug}", name="by path", responses=answer("concepts"), openapi_extra=parameters("game", "slug", "?lang"))
async def concept(request: Request) -> Response:
    """The concept of a game by its slug (`mtg/graveyard`), or a cross-game idea with its case in each game (`graveyard`)."""
    return _whole(request, "/".join(request.path_params[name] for name in ("game", "slug") if name in request.path_params))


def _whole(request: Request, ref: str) -> Response:
    if given := [name for name in _FILTERS if name in request.query_params]:
        raise InputError(f"{', '.join(given)} filter the list of all concepts; leave them out beside a concept's name")
    body = answers.concept(knowledge_of(request), ref, language_of(request))
    return reply(request, body, _spoken(body))


def _spoken(body: answers.Body) -> list[str]:
    """The languages that the names are in."""
    return [one["lang"] for one in body["concepts"] if one["lang"]]
