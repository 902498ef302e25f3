"""`/v1/editions`: what is loaded."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import library_of, reply
from corpus.contract import Editions

router = APIRouter(prefix="/v1/editions", tags=["editions"])


@router.get("", **described("get_editions", Editions))
def editions(request: Request) -> Response:
    """Every edition with its languages, their authority, and whether it is current."""
    return reply(request, library_of(request).editions())
