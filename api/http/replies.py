"""What a request asks of the library, and answers with what caches and browsers need: entity tag and language."""

from collections.abc import Mapping
from hashlib import blake2b

from fastapi import Request
from starlette.responses import Response

from api.encoding import encode
from api.http.delivery.replying import KEEP
from api.languages import accepted
from corpus.errors import InputError
from rulestone import Library
from rulestone.languages import DEFAULT, language_option

JSON = "application/json"
LANGUAGE = "Accept-Language"
SAFE = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
"""What browsers are told of answers that are no pages."""


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
    request: Request, body: Mapping[str, object], languages: list[str] | None = None, *, vary: str = LANGUAGE, keep: bool = True
) -> Response:
    """A JSON body, which may be kept for as long as the bundle."""
    return reply_bytes(request, encode(body), JSON, languages, vary=vary, keep=keep)


def reply_bytes(
    request: Request, data: bytes, media: str, languages: list[str] | None = None, *, vary: str = LANGUAGE, keep: bool = True
) -> Response:
    """Bytes with an entity tag made of themselves."""
    tag = f'"{blake2b(data, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": f"{vary}, Accept-Encoding", **SAFE}
    if languages:
        headers["Content-Language"] = ", ".join(dict.fromkeys(languages))
    request.scope[KEEP] = keep
    return Response(data, headers=headers, media_type=media)
