"""`/v1/zones`: the zones of the games side by side."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reply
from corpus.contract import Zones

router = APIRouter(prefix="/v1/zones", tags=["zones"])


@router.get("", **described("get_zones", Zones, "?games", "?lang", "?as_of"))
def zones(request: Request) -> Response:
    """Every zone with its labels, its properties and the words that prove them, and its counterparts."""
    given = request.query_params
    body = library_of(request).zones(games=given.get("games"), lang=answer_language(request), as_of=given.get("as_of"))
    return reply(request, body, [body["lang"]])
