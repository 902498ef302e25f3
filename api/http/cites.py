"""`/v1/cites`: what a rule cites, and which rules cite it."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api import answers
from api.http.openapi import answer, parameters
from api.http.replies import book_language_of, knowledge_of, reference_of, reply

router = APIRouter(prefix="/v1/cites", tags=["cites"])
_BY_PATH = parameters("game", "ref", "?in")


@router.get("", name="by reference", responses=answer("cites"), openapi_extra=parameters("?ref", "?in"))
@router.get("/{game}/{ref:path}", name="by path", responses=answer("cites"), openapi_extra=_BY_PATH)
async def cites(request: Request) -> Response:
    """The citations of the first rule that a reference names."""
    ref, reference = reference_of(request)
    return reply(request, answers.cites(knowledge_of(request), ref, reference, book_language_of(request)))
