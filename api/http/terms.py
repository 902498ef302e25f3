"""`/v1/terms`: what a term is called in each game and language, and where it is used."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api import answers
from api.http.openapi import answer, parameters
from api.http.replies import book_language_of, knowledge_of, language_of, page_in, reply
from corpus.errors import InputError

router = APIRouter(prefix="/v1/terms", tags=["terms"])
_USES = 10


@router.get(
    "", responses=answer("terms"), openapi_extra=parameters("?label", "?lang", "?in", "?game=one", "?offset=page", "?limit=page")
)
def terms(request: Request) -> Response:
    """Names in every game and language with the defining rules, and the concordance: each use with the words around it."""
    label = request.query_params.get("label")
    if label is None:
        raise InputError("no term is named; give one with ?label=, e.g. ?label=graveyard")
    game, book = request.query_params.get("game"), book_language_of(request)
    body = answers.term(knowledge_of(request), label, language_of(request), page_in(request, _USES), game, book)
    return reply(request, body, [one["lang"] for one in body["terms"] if one["lang"]] or [body["lang"]])
