"""`/pack`: what can be kept for use offline, with its size; the packs themselves, compressed once for each bundle."""

import gzip
import threading
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import brotli
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from api.http.delivery.compression import chosen
from api.http.delivery.tags import has
from api.http.replies import library_of
from corpus.errors import NotFoundError
from rulestone import Library
from rulestone.packs.pack import MODEL

_CODED = {"quality": 10}
"""How Brotli codes: a pack is compressed once and fetched over bad connections."""
_MODEL = {"quality": 4, "lgwin": 10}
"""The same of the model: in its letters nothing is said twice, and looking for that makes them longer."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A pack in Brotli, and the SHA-256 (64 hex) of what it says."""

    data: bytes
    digest: str


class Packs:
    """The packs of the newest bundle, each made when it is asked for. Thread-safe: one is made at a time."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._bundle: str | None = None
        self._packed: dict[str, Packed] = {}
        self._lock = threading.Lock()

    def listed(self) -> dict[str, Any]:
        """The packs of the bundle: game, language, bytes to fetch, digest; and the bundle's name."""
        with self._lock:
            bundle = self._current()
            parts = [(part, self._made(part.name)) for part in self._library.packs()]
        rows = [
            {"name": part.name, "game": part.game, "lang": part.lang, "size": len(made.data), "digest": made.digest}
            for part, made in parts
        ]
        return {"bundle": bundle, "parts": rows}

    def pack(self, bundle: str, name: str) -> Packed:
        """A pack of the bundle. Raises NotFoundError where that is not the newest any more: packs of two are never mixed."""
        with self._lock:
            if bundle != self._current():
                raise NotFoundError("there is another bundle by now; ask for the list of packs again")
            return self._made(name)

    def _current(self) -> str | None:
        bundle = self._library.bundle_name()
        if bundle != self._bundle:
            self._bundle, self._packed = bundle, {}
        return bundle

    def _made(self, name: str) -> Packed:
        if name not in self._packed:
            body = self._library.pack(name)
            coded = brotli.compress(body, **(_MODEL if name == MODEL else _CODED))
            self._packed[name] = Packed(coded, sha256(body).hexdigest())
        return self._packed[name]


def _packs(request: Request) -> Packs:
    packs: Packs = request.app.state.packs
    library_of(request).ensure()
    return packs


def listed(request: Request) -> Response:
    """What can be kept."""
    body = _packs(request).listed()
    tag = sha256("".join(part["digest"] for part in body["parts"]).encode()).hexdigest()[:24]
    headers = {"ETag": f'"{body["bundle"]}-{tag}"', "Cache-Control": "no-cache"}
    if has(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return JSONResponse(body, headers=headers)


def pack(request: Request) -> Response:
    """One pack, in Brotli where that is taken."""
    packed = _packs(request).pack(request.path_params["bundle"], request.path_params["name"])
    headers = {"ETag": f'"{packed.digest[:24]}"', "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if has(request.headers.get("if-none-match"), headers["ETag"]):
        return Response(status_code=304, headers=headers)
    coding = chosen(request.headers.get("accept-encoding"))
    body = packed.data if coding == "br" else brotli.decompress(packed.data)
    if coding == "gzip":
        body = gzip.compress(body, 6, mtime=0)
    coded = {} if coding == "identity" else {"Content-Encoding": coding}
    return Response(body, headers=headers | coded, media_type="application/json")
