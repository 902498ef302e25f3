"""Pages as answers: with an entity tag, in the language that was read."""

import json
from hashlib import blake2b
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api.web.addresses import asking
from api.web.dispatch import HTML
from api.web.named import LANGUAGE
from api.web.reader import reader_of
from api.web.templates import page

VARY = "Accept, Accept-Language, Cookie, Accept-Encoding"


def shown(request: Request, template: str, status: int = 200, **values: Any) -> Response:  # noqa: ANN401
    """A page made of a template; every page knows who reads it and where it is."""
    reader = reader_of(request)
    here = asking(request.url.path, **dict(request.query_params))
    body = page(template, lang=reader.lang, reader=reader, here=here, path=request.url.path, languages=LANGUAGE, **values)
    return tagged(body, f"{HTML}; charset=utf-8", status, lang=reader.lang)


def data(body: Any, lang: str) -> Response:  # noqa: ANN401
    """JSON for the scripts of a page."""
    return tagged(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(), "application/json", lang=lang)


def tagged(body: bytes, media: str, status: int = 200, *, lang: str) -> Response:
    """Bytes with an entity tag made of themselves; only what was found may be kept."""
    headers = {"Vary": VARY, "Cache-Control": "no-cache", "Content-Language": lang}
    if status == 200:
        headers["ETag"] = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    return Response(body, status, headers, media)


def elsewhere(path: str, status: int = 303) -> Response:
    """The way to another page of this server."""
    return RedirectResponse(path, status, {"Vary": VARY, "Cache-Control": "no-cache"})
