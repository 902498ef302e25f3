"""`/v1/alignments` and `/v1/drift`: for translators."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import described
from api.http.replies import answer_language, library_of, reply
from corpus.contract import Alignment, Drift
from corpus.errors import InputError
from rulestone.limits import FINDINGS, LINKS, OFFSET, whole

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


_DRIFT = ("?book=drift", "?source=drift", "?target=drift", "?translation", "?kinds", "?lang", "?limit=findings", "?offset=page")


@router.get("/drift", **described("get_drift", Drift, *_DRIFT))
def drift(request: Request) -> Response:
    """What a translation lost or says otherwise than its original, what would change a ruling first."""
    query = request.query_params
    if missing := [name for name in ("book", "source", "target") if name not in query]:
        raise InputError("{missing} is missing; e.g. ?book=mtg/cr&source=en&target=zh", missing=", ".join(missing))
    body = library_of(request).drift(
        query["book"],
        query["source"],
        query["target"],
        translation=query.get("translation"),
        kinds=[kind for kind in query.get("kinds", "").split(",") if kind],
        lang=answer_language(request),
        limit=whole("limit", query.get("limit"), FINDINGS),
        offset=whole("offset", query.get("offset"), OFFSET),
    )
    return reply(request, body, [body["lang"]])
