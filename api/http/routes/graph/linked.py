"""`/id/…`: the addresses of rules, editions and concepts, in JSON or Turtle (`api.web` has the pages); `/ns`: the vocabulary."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from api.http.delivery.accept import best_media
from api.http.openapi import RESOURCE, VOCABULARY, parameters
from api.http.problems import plain
from api.http.replies import JSON, answer_language, library_of, reply, reply_bytes
from corpus.messages import message
from rulestone.answers.linked.addresses import CONCEPTS, vocabulary, vocabulary_json

router = APIRouter(tags=["linked data"])
TURTLE, JSON_LD, HTML = "text/turtle", "application/ld+json", "text/html"
_TURTLE_UTF8 = f"{TURTLE}; charset=utf-8"
_VARY = "Accept, Accept-Language"
LATEST = "latest"


@router.get("/id/{path:path}", operation_id="get_resource", responses=RESOURCE, openapi_extra=parameters("path", "?lang"))
def resource(request: Request) -> Response:
    """A rule (`/id/mtg/cr/2024-06-07/400.7d`) or an edition (`/id/mtg/cr/2024-06-07`); `latest` is the current one.

    `/id/concept/mtg/graveyard` is a concept of a game, `/id/concept/graveyard` a cross-game one.
    """
    library, path = library_of(request), request.path_params["path"]
    if path.split("/")[2:3] == [LATEST] and not path.startswith(CONCEPTS):
        return _moved(307, f"/id/{library.current_path(path)}")
    media = best_media(request.headers.get("accept"), (JSON, TURTLE))
    if media == JSON:
        body = library.resource(path, lang=answer_language(request))
        return reply(request, body, [lang] if isinstance(lang := body.get("lang"), str) else [], vary=_VARY)
    if media == TURTLE:
        return reply_bytes(request, library.turtle(path), _TURTLE_UTF8, vary=_VARY)
    library.kind_at(path)
    there = message("/id/{path} is there as {types}; ask for one of them with Accept", path=path, types=f"{JSON}, {TURTLE}, {HTML}")
    return plain(request, 406, there)


@router.get("/ns", operation_id="get_vocabulary", responses=VOCABULARY)
def ns(request: Request) -> Response:
    """Rulestone's own terms, in Turtle or JSON-LD (`api.web` has the page)."""
    if best_media(request.headers.get("accept"), (TURTLE, JSON_LD)) == JSON_LD:
        return reply_bytes(request, vocabulary_json(), JSON_LD, vary="Accept")
    return reply_bytes(request, vocabulary(), _TURTLE_UTF8, vary="Accept")


def _moved(status: int, path: str) -> Response:
    return RedirectResponse(path, status, {"Vary": _VARY, "Cache-Control": "no-cache"})
