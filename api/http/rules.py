"""`/v1/rules`: a rule by its reference."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reference_of, reply
from corpus.contract import Rules

router = APIRouter(prefix="/v1/rules", tags=["rules"])


@router.get("", **described("get_rules", Rules, "?ref", "?lang", "?in"))
@router.get("/{game}/{ref:path}", **described("get_rules_by_path", Rules, "game", "ref", "?lang", "?in"))
def rules(request: Request) -> Response:
    """Every rule that a reference names, those of current editions first."""
    ref, game = reference_of(request)
    body = library_of(request).rules(ref, game=game, lang=answer_language(request), within=request.query_params.get("in"))
    return reply(request, body, [rule["lang"] for rule in body["rules"]])
