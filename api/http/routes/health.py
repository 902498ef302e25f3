"""`/healthz`: whether the server can answer, and from what."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.encoding import encode
from api.http.openapi import described
from api.http.replies import JSON, library_of
from corpus.contract import Health

router = APIRouter(tags=["health"])


@router.get("/healthz", **described("get_health", Health, cached=False))
async def healthz(request: Request) -> Response:
    """200 with the bundle's name, editions and rules; 503 without a bundle."""
    return Response(encode(library_of(request).health()), headers={"Cache-Control": "no-store"}, media_type=JSON)
