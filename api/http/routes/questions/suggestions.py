"""`/v1/suggestions`: what may be meant, while a question is typed."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reply
from corpus.contract import Suggestions
from corpus.errors import InputError
from rulestone.limits import SUGGESTIONS, whole

router = APIRouter(prefix="/v1/suggestions", tags=["search"])


@router.get("", **described("suggest", Suggestions, "?q", "?game=one", "?lang", "?limit=suggestions"))
def suggestions(request: Request) -> Response:
    """Rules by the beginning of a number, concepts and cards by that of a name, sections by a part of their title."""
    given = request.query_params
    typed = given.get("q")
    if typed is None:
        raise InputError("no question is asked; give one with ?q=, e.g. ?q=graveyard order")
    limit = whole("limit", given.get("limit"), SUGGESTIONS)
    body = library_of(request).suggest(typed, game=given.get("game"), lang=answer_language(request), limit=limit)
    return reply(request, body, [body["lang"]], keep=False)
