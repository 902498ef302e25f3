"""What a request asks of the library, and answers with what caches and browsers need: entity tag, language, 304."""

from collections.abc import Mapping
from hashlib import blake2b

from fastapi import Request
from starlette.responses import Response

from api.encoding import encode
from api.languages import accepted
from corpus.errors import InputError
from rulestone import Library
from rulestone.languages import DEFAULT, language_option

JSON = "application/json"


def library_of(request: Request) -> Library:
    """The library that the application answers from."""
    library: Library = request.app.state.library
    return library


def reference_of(request: Request) -> tuple[str, str | None]:
    """The reference in a request's path or query, and the game that a path begins with. Raises InputError without one."""
    if "game" in request.path_params:
        return request.path_params["ref"], request.path_params["game"]
    ref = request.query_params.get("ref")
    if ref is None:
        raise InputError("no rule is named; give one with ?ref=, e.g. ?ref=dm:400.3b")
    return ref, None


def answer_language(request: Request) -> str:
    """The language to answer in: that of the query, else the book's, else the client's. Raises InputError."""
    query = request.query_params
    asked = language_option(query.get("lang"), "lang") or language_option(query.get("in"), "in")
    return asked or accepted(request.headers.get("accept-language")) or DEFAULT


def reply(
    request: Request, body: Mapping[str, object], languages: list[str] | None = None, vary: str = "Accept-Language"
) -> Response:
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
