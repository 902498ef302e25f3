"""`/v1/rules`: a rule by its reference."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api import answers
from api.http.openapi import answer, parameters
from api.http.replies import book_language_of, knowledge_of, language_of, reference_of, reply

router = APIRouter(prefix="/v1/rules", tags=["rules"])
_BY_PATH = parameters("game", "ref", "?lang", "?in")


@router.get("", name="by reference", responses=answer("rules"), openapi_extra=parameters("?ref", "?lang", "?in"))
@router.get("/{game}/{ref:path}", name="by path", responses=answer("rules"), openapi_extra=_BY_PATH)
async def rules(request: Request) -> Response:
    """Every rule that a reference names, those of current editions first."""
    ref, reference = reference_of(request)
    body = answers.rules(knowledge_of(request), ref, reference, language_of(request), book_language_of(request))
    return reply(request, body, [rule["lang"] for rule in body["rules"]])
