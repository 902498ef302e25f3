"""`/v1/alignments`: for translators."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import library_of, reply
from corpus.contract import Alignment
from corpus.errors import InputError
from rulestone.limits import LINKS, OFFSET, whole

router = APIRouter(prefix="/v1", tags=["translation"])


@router.get("/alignments", **described("get_alignment", Alignment, "?old", "?new", "?limit=links", "?offset=page"))
def alignments(request: Request) -> Response:
    """Which rule of one text is which of another, whatever their languages and numbers, and what has no partner."""
    query = request.query_params
    if "old" not in query or "new" not in query:
        raise InputError("give two texts, e.g. ?old=fow/cr/undated:ja&new=fow/cr:en")
    limit, offset = whole("limit", query.get("limit"), LINKS), whole("offset", query.get("offset"), OFFSET)
    body = library_of(request).align(query["old"], query["new"], limit=limit, offset=offset)
    return reply(request, body, [body["old"]["lang"], body["new"]["lang"]])
