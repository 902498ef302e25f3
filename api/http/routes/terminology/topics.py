"""`/v1/topics`: what judges look up in several games, the rules side by side."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reply
from corpus.contract import Topics

router = APIRouter(prefix="/v1/topics", tags=["topics"])


@router.get("", **described("get_topics", Topics, "?games", "?topic", "?lang", "?as_of"))
def topics(request: Request) -> Response:
    """Every topic with the rule of each game that answers it, or the nearest thing, and what differs."""
    given = request.query_params
    body = library_of(request).topics(
        games=given.get("games"), topic=given.get("topic"), lang=answer_language(request), as_of=given.get("as_of")
    )
    return reply(request, body, [body["lang"]])
