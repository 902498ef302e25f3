"""`/v1/changes`, `/v1/threads` and `/v1/changes.atom`: what changed between editions."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.openapi import FEED, described, parameters
from api.http.replies import answer_language, library_of, reference_of, reply, reply_bytes
from api.http.routes.rules.atom import MEDIA, atom
from corpus.contract import Changes, Thread
from corpus.errors import InputError

router = APIRouter(prefix="/v1", tags=["changes"])


@router.get("/changes", **described("get_changes", Changes, "?book", "?from", "?to", "?section", "?lang"))
def changes(request: Request) -> Response:
    """Every rule that did not stay as and where it was from an edition of a book to a later one, with what changed in its words."""
    query = request.query_params
    if "book" not in query or "from" not in query:
        raise InputError("give a book and an edition or a date, e.g. ?book=mtg/cr&from=2024-06-07")
    section, lang = query.get("section"), answer_language(request)
    body = library_of(request).changes(query["book"], query["from"], query.get("to"), section=section, lang=lang)
    return reply(request, body, [body["lang"]])


@router.get("/threads", **described("get_thread", Thread, "?ref", "?in"))
@router.get("/threads/{game}/{ref:path}", **described("get_thread_by_path", Thread, "game", "ref", "?in"))
def threads(request: Request) -> Response:
    """The first rule that a reference names, through the editions of its book."""
    ref, game = reference_of(request)
    return reply(request, library_of(request).thread(ref, game=game, within=request.query_params.get("in")))


@router.get("/changes.atom", operation_id="get_feed", response_class=Response, responses=FEED, openapi_extra=parameters("?lang"))
def feed(request: Request) -> Response:
    """The loaded editions as an Atom feed (RFC 4287), the newest first, each with what it changed."""
    body = library_of(request).feed(lang=answer_language(request))
    return reply_bytes(request, atom(body, f"{request.url.path}?{request.url.query}".rstrip("?")), MEDIA)
