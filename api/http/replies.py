"""Shared parts of the routes: the library, the language of an answer, and responses with headers for caches and browsers."""

from collections.abc import Mapping

from fastapi import Request
from starlette.responses import Response

from api.encoding import encode
from api.http.caching import CACHEABLE_KEY, entity_tag
from api.languages import accepted_language
from rulestone import Library
from rulestone.languages import DEFAULT_LANGUAGE

JSON = "application/json"
LANGUAGE_HEADER = "Accept-Language"
SECURITY_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
"""Security headers of responses that are not pages."""


def library_of(request: Request) -> Library:
    """The library of the application."""
    library: Library = request.app.state.library
    return library


def answer_language(request: Request, *parameters: str | None) -> str:
    """The language of the answer: the first that a parameter names, else that of Accept-Language, else English."""
    requested = next((lang for lang in parameters if lang), None)
    return requested or accepted_language(request.headers.get("accept-language")) or DEFAULT_LANGUAGE


def reply(
    request: Request,
    body: Mapping[str, object],
    languages: list[str] | None = None,
    *,
    vary: str = LANGUAGE_HEADER,
    cacheable: bool = True,
) -> Response:
    """A JSON body; if `cacheable`, the response is cached for the lifetime of the bundle."""
    return reply_bytes(request, encode(body), JSON, languages, vary=vary, cacheable=cacheable)


def reply_bytes(
    request: Request,
    data: bytes,
    media: str,
    languages: list[str] | None = None,
    *,
    vary: str = LANGUAGE_HEADER,
    cacheable: bool = True,
) -> Response:
    """Bytes with an entity tag; `languages` are those of the content."""
    headers = {"ETag": entity_tag(data), "Cache-Control": "no-cache", "Vary": f"{vary}, Accept-Encoding", **SECURITY_HEADERS}
    if languages:
        headers["Content-Language"] = ", ".join(dict.fromkeys(languages))
    request.scope[CACHEABLE_KEY] = cacheable
    return Response(data, headers=headers, media_type=media)
