"""The library as a whole: its health, its editions, and the export of every rule."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from api.encoding import encode
from api.http import description
from api.http.queries import Parameters
from api.http.replies import JSON, SECURITY_HEADERS, library_of, reply
from api.http.sharing import shared_books
from api.http.streaming import streamed_response
from corpus.contract import Editions, Health

router = APIRouter()
JSON_LINES = "application/x-ndjson"


@router.get("/healthz", tags=["health"], response_model=Health)
async def get_health(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """The name of the bundle and its numbers of editions and rules; 503 without a bundle."""
    return Response(encode(library_of(request).health()), headers={"Cache-Control": "no-store"}, media_type=JSON)


@router.get("/v1/editions", tags=["editions"], response_model=Editions)
def get_editions(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """The editions with their languages and authorities, and whether they are current."""
    return reply(request, library_of(request).editions())


@router.get(
    "/v1/export",
    tags=["export"],
    response_class=Response,
    responses={
        200: {
            "description": "The lines",
            "content": description.media_content(JSON_LINES, about="Lines of `RuleRecord` or `Ruling`"),
        }
    },
)
def export(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """All rules and rulings as JSON Lines; clients on other machines get the words of the books that the operator shares.

    Store the ETag with your copy: a request with that If-None-Match receives 304 until the data changes.
    """
    export_lines = library_of(request).lines(shared_books(request))
    return streamed_response(request, export_lines.lines, JSON_LINES, f'"{export_lines.seal}"', SECURITY_HEADERS)
