"""The service worker, at an address from which it may answer for every page, and what a home screen needs to know."""

import json

from starlette.requests import Request
from starlette.responses import Response

from api.web import static
from api.web.reader import reader_of
from api.web.replies import tagged
from corpus.languages import LANGUAGES
from corpus.messages import message

_WORKER = "offline/service.js"
_TITLE, _ABOUT = message("Rules of trading card games"), message("Rules by meaning, in every game and language")


def worker(_: Request) -> Response:
    """The worker with the files of today: another byte in any of them, and browsers take the new one."""
    files = [static.static(name) for name in static.files() if name != _WORKER]
    known = {"VERSION": static.version(), "FILES": files, "LANGS": LANGUAGES}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in known.items())
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}
    return Response(head.encode() + static.files()[_WORKER], headers=headers, media_type="text/javascript; charset=utf-8")


def manifest(request: Request) -> Response:
    """The name, the icon and the colours of the pages as an app (W3C Web Application Manifest)."""
    lang = reader_of(request).lang
    body = {
        "id": "/",
        "name": f"Rulestone · {_TITLE.said(lang)}",
        "short_name": "Rulestone",
        "description": _ABOUT.said(lang),
        "lang": lang,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f7f7",
        "theme_color": "#0b5566",
        "icons": [{"src": static.static("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    return tagged(json.dumps(body, ensure_ascii=False).encode(), "application/manifest+json", lang=lang)
