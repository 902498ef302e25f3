"""`/healthz`: whether the server can answer, and from what."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.answers import encode
from api.http.live import Live
from api.http.openapi import answer
from api.http.replies import JSON

router = APIRouter(tags=["health"])


@router.get("/healthz", responses=answer("health"))
async def healthz(request: Request) -> Response:
    """200 with the bundle's name, editions and rules; 503 without a bundle."""
    live: Live = request.app.state.live
    bundle = live.bundle()
    editions = bundle.knowledge.manifest.editions.values()
    body = {
        "status": "ok",
        "bundle": bundle.path.name,
        "editions": len(editions),
        "rules": sum(e.rules for e in editions),
    }
    return Response(encode(body), headers={"Cache-Control": "no-store"}, media_type=JSON)
