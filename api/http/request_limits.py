"""Limits on a request, applied before a route reads it: its address, header fields, Host, and the size and time of its body.

The server itself limits the size and time of the header fields that it buffers: `api.http.server`.
"""

import asyncio

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.hosts import requested_host
from api.http.problems import http_problem
from corpus import messages
from corpus.errors import TooLargeError
from corpus.messages import message

ADDRESS_BYTES = 8192
"""Maximum number of bytes of a path with its query (RFC 9110, section 4.1, recommends supporting at least 8000)."""
HEADERS_BYTES = 64 << 10
"""Maximum number of bytes of all names and values of header fields."""
BODY_BYTES = 1 << 20
"""Maximum number of bytes of a body; a route may allow fewer."""
BODY_SECONDS = 20.0
"""Number of seconds within which a body must have arrived."""
_DISCARDED_BYTES = 16 << 20
"""Number of bytes of a body that are read and discarded, since a client that sends the whole body before it reads would miss the
refusal.
"""
Refusal = tuple[int, messages.Message]
"""A status, and the reason."""


class RequestLimits:
    """Middleware that refuses requests beyond the limits, and passes on the others with their body in one message."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers 400, 408, 413, 414 or 431, or passes the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if (refusal := _refusal(scope)) is None and _has_body(scope):
            body = await _read_and_discard(receive)
            if isinstance(body, bytes):
                receive = _replay(body, receive)
            else:
                refusal = body
        if refusal is not None:
            status, reason = refusal
            short = {**scope, "path": scope["path"][:80], "query_string": b""}
            await http_problem(Request(short), status, reason)(scope, receive, send)
            return
        if scope["path"] != "/" and scope["path"].endswith("/"):  # a redirect would have to trust Host
            scope = {**scope, "path": scope["path"].rstrip("/") or "/"}
        await self.app(scope, receive, send)


async def read_body(request: Request, limit: int, refusal: TooLargeError) -> bytes:
    """The body of a request. Raises the refusal if it has more bytes than the route's own limit."""
    body = await request.body()
    if len(body) > limit:
        raise refusal
    return body


def _refusal(scope: Scope) -> Refusal | None:
    """The reason for refusing a request before its body is read."""
    if (length := len(scope["raw_path"]) + len(scope["query_string"])) > ADDRESS_BYTES:
        return 414, message("the address has {length} bytes; the limit is {limit}", length=length, limit=ADDRESS_BYTES)
    if sum(len(name) + len(value) for name, value in scope["headers"]) > HEADERS_BYTES:
        return 431, message("the header fields have more than {most} KiB; send fewer or shorter ones", most=HEADERS_BYTES >> 10)
    if not scope["path"].startswith("/"):  # CONNECT names a host instead, OPTIONS may name *
        return 400, message("the address must begin with /; this server is no proxy")
    if requested_host(scope) is None:
        return 400, message("expected one Host field with a name and, if needed, the number of a port")
    return None


def _has_body(scope: Scope) -> bool:
    return any(name == b"transfer-encoding" or (name == b"content-length" and value != b"0") for name, value in scope["headers"])


async def _read_and_discard(receive: Receive) -> bytes | Refusal:
    """The body, or the reason for refusing it."""
    body, size = bytearray(), 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                part = await receive()
                if part["type"] == "http.disconnect":  # also sent for a broken body, for example endless trailers
                    return 400, message("the body of the request is incomplete")
                piece = part.get("body", b"")
                size += len(piece)
                if size <= BODY_BYTES:
                    body += piece
                if not part.get("more_body", False) or size > _DISCARDED_BYTES:
                    break
    except TimeoutError:
        return 408, message("the body of the request did not arrive within {seconds:g} s", seconds=BODY_SECONDS)
    if size > BODY_BYTES:
        return 413, message("the body of the request has more than {most} KiB", most=BODY_BYTES >> 10)
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Passes on the body in one message, then all that the server sends."""
    unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_replayed() -> Message:
        return unread.pop() if unread else await receive()

    return receive_replayed
