"""`/v1/rules`: a rule by its reference."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reference_of, reply
from corpus.contract import Rules

router = APIRouter(prefix="/v1/rules", tags=["rules"])


@router.get("", **described("get_rules", Rules, "?ref", "?lang", "?in", "?as_of"))
@router.get("/{game}/{ref:path}", **described("get_rules_by_path", Rules, "game", "ref", "?lang", "?in", "?as_of"))
def rules(request: Request) -> Response:
    """Every rule that a reference names, those of current editions first."""
    (ref, game), given = reference_of(request), request.query_params
    body = library_of(request).rules(
        ref, game=game, lang=answer_language(request), within=given.get("in"), as_of=given.get("as_of")
    )
    return reply(request, body, [rule["lang"] for rule in body["rules"]])
