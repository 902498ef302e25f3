"""`/v1/cites`: what a rule cites, and which rules cite it."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import library_of, reference_of, reply
from corpus.contract import Cites

router = APIRouter(prefix="/v1/cites", tags=["cites"])


@router.get("", **described("get_cites", Cites, "?ref", "?in", "?as_of"))
@router.get("/{game}/{ref:path}", **described("get_cites_by_path", Cites, "game", "ref", "?in", "?as_of"))
def cites(request: Request) -> Response:
    """The citations of the first rule that a reference names."""
    (ref, game), given = reference_of(request), request.query_params
    return reply(request, library_of(request).cites(ref, game=game, within=given.get("in"), as_of=given.get("as_of")))
