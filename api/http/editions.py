"""`/v1/editions`: what is loaded."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api import answers
from api.http.openapi import answer
from api.http.replies import knowledge_of, reply

router = APIRouter(prefix="/v1/editions", tags=["editions"])


@router.get("", responses=answer("editions"))
async def editions(request: Request) -> Response:
    """Every edition with its languages, their authority, and whether it is current."""
    return reply(request, answers.editions(knowledge_of(request)))
