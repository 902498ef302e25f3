"""Answers with what caches and browsers need: entity tag, language, and 304 where nothing has changed."""

from hashlib import blake2b
from typing import TYPE_CHECKING

from fastapi import Request
from starlette.responses import Response

from api.answers import Body, encode
from api.http.live import Live
from api.languages import DEFAULT, accepted, asked_for
from corpus.errors import InputError
from corpus.paging import Page, page_of
from corpus.reference import Reference, parse_reference, reference_in
from ontology.store.knowledge import Knowledge

if TYPE_CHECKING:
    from search.searcher import Searcher

JSON = "application/json"


def knowledge_of(request: Request) -> Knowledge:
    """The current bundle's knowledge. Raises EnvironmentFault if there is no bundle."""
    live: Live = request.app.state.live
    return live.bundle().knowledge


def searcher_of(request: Request) -> "Searcher":
    """Search in the current bundle. Raises EnvironmentFault if there is no bundle, or one without an index."""
    live: Live = request.app.state.live
    return live.bundle().searcher


def reference_of(request: Request) -> tuple[str, Reference]:
    """The reference in a request's path or query, as it was written and as it is understood. Raises InputError."""
    if "game" in request.path_params:
        game, rest = request.path_params["game"], request.path_params["ref"]
        return f"{game}/{rest}", reference_in(game, rest)
    ref = request.query_params.get("ref")
    if ref is None:
        raise InputError("no rule is named; give one with ?ref=, e.g. ?ref=dm:400.3b")
    return ref, parse_reference(ref)


def book_language_of(request: Request) -> str | None:
    """The book's language (`?in=`). Raises InputError for one we do not speak."""
    return asked_for(request.query_params.get("in"), "in")


def language_of(request: Request) -> str:
    """The language to answer in: that of the query, else the book's, else the client's. Raises InputError."""
    asked = asked_for(request.query_params.get("lang"), "lang") or book_language_of(request)
    return asked or accepted(request.headers.get("accept-language")) or DEFAULT


def page_in(request: Request, usual: int) -> Page:
    """The page that `?offset=` and `?limit=` ask for; `usual` is the limit without one. Raises InputError."""
    return page_of(request.query_params.get("offset"), request.query_params.get("limit"), usual)


def reply(request: Request, body: Body, languages: list[str] | None = None, vary: str = "Accept-Language") -> Response:
    """A JSON body, or 304."""
    return reply_bytes(request, encode(body), JSON, languages, vary)


def reply_bytes(
    request: Request, data: bytes, media: str, languages: list[str] | None = None, vary: str = "Accept-Language"
) -> Response:
    """Bytes with an entity tag made of themselves, or 304 for a client that has them."""
    tag = f'"{blake2b(data, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": vary}
    if languages:
        headers["Content-Language"] = ", ".join(dict.fromkeys(languages))
    if _has(request.headers.get("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    return Response(data, headers=headers, media_type=media)


def _has(header: str | None, tag: str) -> bool:
    return header is not None and any(one.strip().removeprefix("W/") in (tag, "*") for one in header.split(","))
