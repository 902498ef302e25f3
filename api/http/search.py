"""`/v1/search`: rules by meaning."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.cli import searching
from api.http.openapi import answer, parameters
from api.http.replies import reply, searcher_of
from api.languages import accepted
from corpus.errors import InputError

router = APIRouter(prefix="/v1/search", tags=["search"])
_PARAMETERS = parameters("?q", "?game", "?lang", "?in", "?limit", "?offset")


@router.get("", responses=answer("search"), openapi_extra=_PARAMETERS)
async def search(request: Request) -> Response:
    """The rules of every game that answer a question in any language, with highlights and counterparts; or why none is sure."""
    given = request.query_params
    query = given.get("q", given.get("query"))
    if query is None:
        raise InputError("no question is asked; give one with ?q=, e.g. ?q=graveyard order")
    lang = given.get("lang") or accepted(request.headers.get("accept-language"))
    asked = searching.request(query, given.get("game"), lang, given.get("in"), given.get("limit"), given.get("offset"))
    body = searching.answer(searcher_of(request), asked)
    return reply(request, body, [body["lang"]])
