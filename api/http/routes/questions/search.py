"""`/v1/search`: rules by meaning."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import library_of, reply
from corpus.contract import Search
from corpus.errors import InputError
from rulestone.limits import HITS, HITS_OFFSET, whole

router = APIRouter(prefix="/v1/search", tags=["search"])


@router.get("", **described("search", Search, "?q", "?game", "?lang", "?in", "?as_of", "?kind=hit", "?limit", "?offset"))
def search(request: Request) -> Response:
    """The rules of every game that answer a question in any language, with highlights and counterparts; or why none is sure."""
    given = request.query_params
    query = given.get("q")
    if query is None:
        raise InputError("no question is asked; give one with ?q=, e.g. ?q=graveyard order")
    body = library_of(request).search(
        query,
        games=given.get("game"),
        lang=given.get("lang"),
        within=given.get("in"),
        as_of=given.get("as_of"),
        kind=given.get("kind"),
        limit=whole("limit", given.get("limit"), HITS),
        offset=whole("offset", given.get("offset"), HITS_OFFSET),
    )
    return reply(request, body, [body["lang"]], keep=False)
