"""`/v1/answers`: a question answered in words of rules, as one body or as server-sent events."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from api.encoding import encode
from api.http.delivery.accept import best_media
from api.http.openapi import EVENTS, described
from api.http.replies import JSON, LANGUAGE, library_of, reply
from corpus.contract import Ask
from corpus.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

router = APIRouter(prefix="/v1/answers", tags=["answers"])
STREAM = "text/event-stream"
_VARY = f"Accept, {LANGUAGE}"


@router.get("", **described("ask", Ask, "?q", "?game", "?lang", "?as_of", also=EVENTS))
def answers(request: Request) -> Response:
    """The few claims that answer a question, each words of a rule at its place, definitions first, then rules and exceptions.

    It asserts, so it abstains where a search still shows rules. `Accept: text/event-stream` gives `answer`, then one `claim`,
    `difference` or `ruling` an event, then `end`.
    """
    given = request.query_params
    query = given.get("q")
    if query is None:
        raise InputError("no question is asked; give one with ?q=, e.g. ?q=graveyard order")
    body = library_of(request).ask(query, games=given.get("game"), lang=given.get("lang"), as_of=given.get("as_of"))
    if best_media(request.headers.get("accept"), (JSON, STREAM)) == STREAM:
        headers = {"Cache-Control": "no-cache", "Vary": _VARY, "Content-Language": body["lang"], "X-Accel-Buffering": "no"}
        return StreamingResponse(events(body), headers=headers, media_type=STREAM)
    return reply(request, body, [body["lang"]], vary=_VARY, keep=False)


def events(body: Ask) -> Iterator[bytes]:
    """An answer as events (WHATWG HTML, server-sent events): what it is about, its parts one by one, and that this was all."""
    yield _event("answer", {name: value for name, value in body.items() if not isinstance(value, list)})
    for claim in body["claims"]:
        yield _event("claim", claim)
    for difference in body["differences"]:
        yield _event("difference", difference)
    for ruling in body["rulings"]:
        yield _event("ruling", ruling)
    yield _event("end", {})


def _event(name: str, data: "Mapping[str, object]") -> bytes:
    """One event; JSON on one line, in which no line break can stand."""
    return b"event: %b\ndata: %b\n\n" % (name.encode(), encode(data))
