"""Use without a network: `/pack` has the packs, `/offline` the page that shows them, `/service.js` the service worker."""

import gzip
import json
import threading
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import brotli
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from api import labels
from api.http.caching import matches_entity_tag
from api.http.negotiation import best_coding
from api.http.sharing import shared_books
from api.web import static
from api.web.rendering import library_of, page, request_reader, with_entity_tag
from corpus.errors import NotFoundError
from corpus.languages import LANGUAGES
from corpus.messages import message
from rulestone import Library
from rulestone.library.exports import SharedBooks
from rulestone.packs import MODEL

_WORKER_FILE = "offline/service.js"
_TITLE, _ABOUT = message("Rules of trading card games"), message("Rules by meaning, in every game and language")
_PACK_COMPRESSION = {"quality": 9}
"""Settings of Brotli: quality 10 saves 5 % of a pack, and takes as long as making all packs."""
_MODEL_COMPRESSION = {"quality": 4, "lgwin": 10}
"""The same for the model, which has no repeated strings."""


@dataclass(frozen=True, slots=True)
class CompressedPack:
    """A pack in Brotli, and the SHA-256 (64 hex) of its JSON."""

    data: bytes
    digest: str


class CompressedPacks:
    """The packs of the newest bundle, made on first use. Thread-safe: packs are made one at a time.

    `books` are those whose words the packs contain; None: all.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._bundle: str | None = None
        self._compressed_packs: dict[tuple[str, SharedBooks], CompressedPack] = {}
        self._lock = threading.Lock()

    def pack_list(self, shared_books: SharedBooks) -> dict[str, Any]:
        """The packs of the bundle: game, language, bytes to download, digest; and the bundle's name."""
        with self._lock:
            bundle = self._current_bundle()
            parts = [(part, self._compressed_pack(part.name, shared_books)) for part in self._library.packs()]
        rows = [
            {"name": part.name, "game": part.game, "lang": part.lang, "size": len(compressed.data), "digest": compressed.digest}
            for part, compressed in parts
        ]
        return {"bundle": bundle, "parts": rows}

    def pack(self, bundle: str, name: str, books: SharedBooks) -> CompressedPack:
        """A pack of the bundle.

        Raises NotFoundError if the bundle is outdated, so that packs of different bundles are never mixed.
        """
        with self._lock:
            if bundle != self._current_bundle():
                raise NotFoundError("the bundle has been replaced; request the list of packs again")
            return self._compressed_pack(name, books)

    def _current_bundle(self) -> str | None:
        bundle = self._library.bundle_name()
        if bundle != self._bundle:
            self._bundle, self._compressed_packs = bundle, {}
        return bundle

    def _compressed_pack(self, name: str, books: SharedBooks) -> CompressedPack:
        if (name, books) not in self._compressed_packs:
            body = self._library.pack(name, books)
            compressed = brotli.compress(body, **(_MODEL_COMPRESSION if name == MODEL else _PACK_COMPRESSION))
            self._compressed_packs[name, books] = CompressedPack(compressed, sha256(body).hexdigest())
        return self._compressed_packs[name, books]


def _compressed_packs(request: Request) -> CompressedPacks:
    packs: CompressedPacks = request.app.state.packs
    library_of(request).ensure_built()
    return packs


def pack_list(request: Request) -> Response:
    """The list of packs."""
    body = _compressed_packs(request).pack_list(shared_books(request))
    tag = sha256("".join(part["digest"] for part in body["parts"]).encode()).hexdigest()[:24]
    headers = {"ETag": f'"{body["bundle"]}-{tag}"', "Cache-Control": "no-cache"}
    if matches_entity_tag(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return JSONResponse(body, headers=headers)


def pack(request: Request) -> Response:
    """One pack, in Brotli if the client accepts it."""
    packed = _compressed_packs(request).pack(request.path_params["bundle"], request.path_params["name"], shared_books(request))
    headers = {"ETag": f'"{packed.digest[:24]}"', "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if matches_entity_tag(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    coding = best_coding(request.headers.get("accept-encoding"))
    body = packed.data if coding == "br" else brotli.decompress(packed.data)
    if coding == "gzip":
        body = gzip.compress(body, 6, mtime=0)
    coding_header = {} if coding == "identity" else {"Content-Encoding": coding}
    return Response(body, headers=headers | coding_header, media_type="application/json")


def offline_shell(request: Request) -> Response:
    """The page without content, in the language of `?lang=`, else the reader's."""
    return page(request, "offline.html", authorities=labels.AUTHORITY_LABELS)


def service_worker(_: Request) -> Response:
    """The service worker with the current files; any changed byte makes browsers update it."""
    files = [static.static_path(name) for name in static.static_files() if name != _WORKER_FILE]
    constants = {"VERSION": static.static_version(), "FILES": files, "LANGS": LANGUAGES}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    headers = {"Cache-Control": "no-cache", "Service-Worker-Allowed": "/"}
    return Response(
        head.encode() + static.static_files()[_WORKER_FILE], headers=headers, media_type="text/javascript; charset=utf-8"
    )


def manifest(request: Request) -> Response:
    """The name, the icon and the colours of the pages as an app (W3C Web Application Manifest)."""
    lang = request_reader(request).lang
    body = {
        "id": "/",
        "name": f"Rulestone · {_TITLE.in_language(lang)}",
        "short_name": "Rulestone",
        "description": _ABOUT.in_language(lang),
        "lang": lang,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f6f7f7",
        "theme_color": "#0b5566",
        "icons": [{"src": static.static_path("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    return with_entity_tag(json.dumps(body, ensure_ascii=False).encode(), "application/manifest+json", lang=lang)
