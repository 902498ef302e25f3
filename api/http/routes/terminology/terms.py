"""`/v1/terms`: what a term is called in each game and language, and where it is used."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reply
from corpus.contract import Terms
from corpus.errors import InputError
from rulestone.limits import OFFSET, USES, whole

router = APIRouter(prefix="/v1/terms", tags=["terms"])
_QUERY = ("?label", "?lang", "?in", "?as_of", "?game=several", "?offset=page", "?limit=uses")


@router.get("", **described("get_terms", Terms, *_QUERY))
def terms(request: Request) -> Response:
    """Names in every game and language with the defining rules, and the concordance: each use with the words around it."""
    given = request.query_params
    label = given.get("label")
    if label is None:
        raise InputError("no term is named; give one with ?label=, e.g. ?label=graveyard")
    body = library_of(request).term(
        label,
        game=given.get("game"),
        lang=answer_language(request),
        within=given.get("in"),
        as_of=given.get("as_of"),
        limit=whole("limit", given.get("limit"), USES),
        offset=whole("offset", given.get("offset"), OFFSET),
    )
    return reply(request, body, [term["lang"] for term in body["terms"] if term["lang"]] or [body["lang"]])
