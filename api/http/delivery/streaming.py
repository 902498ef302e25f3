"""Answers that are too large to be held: sent as they are made, compressed on the way."""

import asyncio
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping

import brotli
from fastapi import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from api.http.delivery.compression import IDENTITY, chosen
from api.http.delivery.replying import HEAD, STREAM
from api.http.delivery.tags import has, suffixed
from corpus.errors import BusyError

AT_ONCE = 4
"""Answers of this kind that a process sends at once; each holds what it has read of the bundle."""
SECONDS = 900.0
"""Seconds in which a client must have taken one: else a few that stall would keep everybody else out."""
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
    return _Stream(body, headers=told, media_type=media)


class _Stream(StreamingResponse):
    """One of the few that are sent at once. It stops at its next piece when its client is gone."""

    sending = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises BusyError where too many are on their way, TimeoutError where the client takes too long."""
        if _Stream.sending >= AT_ONCE:
            raise BusyError("{most} exports are being sent already; ask again in a moment", most=AT_ONCE)
        _Stream.sending += 1
        try:
            async with asyncio.timeout(SECONDS):
                await super().__call__(scope, receive, send)
        finally:
            _Stream.sending -= 1


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
