"""`/v1/zones`: the zones of the games side by side."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api import answers
from api.http.openapi import answer, parameters
from api.http.replies import knowledge_of, language_of, reply

router = APIRouter(prefix="/v1/zones", tags=["zones"])


@router.get("", responses=answer("zones"), openapi_extra=parameters("?games", "?lang"))
async def zones(request: Request) -> Response:
    """Every zone with its labels, its properties and the words that prove them, and its counterparts."""
    body = answers.zones(knowledge_of(request), language_of(request), request.query_params.get("games"))
    return reply(request, body, [body["lang"]])
