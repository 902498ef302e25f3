"""`/v1/cards`: a card by its name."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reply
from corpus.contract import Cards
from corpus.errors import InputError

router = APIRouter(prefix="/v1/cards", tags=["cards"])


@router.get("", **described("get_cards", Cards, "?name=card", "?game=one", "?lang"))
def cards(request: Request) -> Response:
    """The cards that bear a name in any language: their names, their texts, and what these speak of with the rules that say it."""
    given = request.query_params
    name = given.get("name")
    if name is None:
        raise InputError("no card is named; give one with ?name=")
    body = library_of(request).cards(name, game=given.get("game"), lang=answer_language(request))
    return reply(request, body, [body["lang"]])
