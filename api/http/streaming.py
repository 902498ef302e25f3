"""Responses that are too large for memory: sent piece by piece, and compressed on the way."""

import asyncio
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping

import brotli
from fastapi import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from api.http.caching import STREAMED_KEY, entity_tag_for_coding, matches_entity_tag
from api.http.negotiation import IDENTITY, best_coding
from corpus.errors import BusyError

HEAD_REQUEST_KEY = "rulestone.head"
"""In the scope of a HEAD request, which handlers see as GET: the body is not sent."""
MAX_STREAMS = 4
"""Number of such responses that a process sends at the same time; each holds the parts of the bundle that it has read."""
TIMEOUT_SECONDS = 900.0
"""Number of seconds in which a client must have received one, so that a few stalled clients do not block all others."""
_CHUNK_BYTES = 64 << 10
_GZIP_WBITS = 31
"""Makes zlib write the header of gzip."""


def streamed_response(request: Request, pieces: Iterable[bytes], media: str, tag: str, headers: Mapping[str, str]) -> Response:
    """A response in pieces, in a coding that the client accepts; 304 without them if the client already has it."""
    coding = best_coding(request.headers.get("accept-encoding"))
    headers = {**headers, "ETag": entity_tag_for_coding(tag, coding), "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    request.scope[STREAMED_KEY] = True
    if matches_entity_tag(request.headers.get("if-none-match"), tag):
        return Response(status_code=304, headers=headers)
    if coding != IDENTITY:
        headers["Content-Encoding"] = coding
    body = iter(()) if request.scope.get(HEAD_REQUEST_KEY) else _compress_chunks(_join_pieces(pieces), coding)
    return _LimitedStream(body, headers=headers, media_type=media)


class _LimitedStream(StreamingResponse):
    """One of a limited number of responses. It stops at its next piece when its client disconnects."""

    sending = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Raises BusyError if too many are being sent, TimeoutError if the client takes too long."""
        if _LimitedStream.sending >= MAX_STREAMS:
            raise BusyError("{most} exports are already being sent; retry in a moment", most=MAX_STREAMS)
        _LimitedStream.sending += 1
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await super().__call__(scope, receive, send)
        finally:
            _LimitedStream.sending -= 1


def _join_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in fewer pieces, since each piece is read in a thread."""
    buffer = bytearray()
    for piece in pieces:
        buffer += piece
        if len(buffer) >= _CHUNK_BYTES:
            yield bytes(buffer)
            buffer.clear()
    yield bytes(buffer)


def _compress_chunks(chunks: Iterator[bytes], coding: str) -> Iterator[bytes]:
    if coding == IDENTITY:
        yield from chunks
        return
    compress, finish = _compressor(coding)
    for chunk in chunks:
        if packed := compress(chunk):
            yield packed
    yield finish()


def _compressor(coding: str) -> tuple[Callable[[bytes], bytes], Callable[[], bytes]]:
    if coding == "br":
        brotli_compressor = brotli.Compressor(quality=4)
        return brotli_compressor.process, brotli_compressor.finish
    gzip_compressor = zlib.compressobj(5, wbits=_GZIP_WBITS)
    return gzip_compressor.compress, gzip_compressor.flush
