"""Answers that are too large to be held: sent as they are made, compressed on the way."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping

import brotli
from fastapi import Request
from starlette.responses import Response, StreamingResponse

from api.http.delivery.compression import IDENTITY, chosen
from api.http.delivery.replying import HEAD, STREAM
from api.http.delivery.tags import has, suffixed

_PIECE = 64 << 10
_GZIP = 31
"""What has zlib write gzip's header."""


def streamed(request: Request, pieces: Iterable[bytes], media: str, tag: str, headers: Mapping[str, str]) -> Response:
    """An answer in pieces, in a coding that the client takes; 304 without them where the client has it already."""
    coding = chosen(request.headers.get("accept-encoding"))
    told = {**headers, "ETag": suffixed(tag, coding), "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    request.scope[STREAM] = True
    if has(request.headers.get("if-none-match"), tag):
        return Response(status_code=304, headers=told)
    if coding != IDENTITY:
        told["Content-Encoding"] = coding
    body = iter(()) if request.scope.get(HEAD) else _coded(_gathered(pieces), coding)
    return StreamingResponse(body, headers=told, media_type=media)


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in fewer pieces: each goes to a thread and back."""
    waiting = bytearray()
    for piece in pieces:
        waiting += piece
        if len(waiting) >= _PIECE:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)


def _coded(pieces: Iterator[bytes], coding: str) -> Iterator[bytes]:
    if coding == IDENTITY:
        yield from pieces
        return
    work, end = _compressor(coding)
    for piece in pieces:
        if packed := work(piece):
            yield packed
    yield end()


def _compressor(coding: str) -> tuple[Callable[[bytes], bytes], Callable[[], bytes]]:
    if coding == "br":
        packer = brotli.Compressor(quality=4)
        return packer.process, packer.finish
    zipper = zlib.compressobj(5, wbits=_GZIP)
    return zipper.compress, zipper.flush
