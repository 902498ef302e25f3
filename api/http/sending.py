"""Sends bodies in small pieces, so that a client that does not read them occupies one piece instead of a copy of the body.

granian copies each message, and takes the next one when the connection has room for it. It sets no time limit on that.
"""

import asyncio
from collections.abc import Iterator

from starlette.types import ASGIApp, Message, Receive, Scope, Send

PIECE_BYTES = 16 << 10
"""Maximum number of bytes of a body that are sent in one message."""
PIECE_SECONDS = 20.0
"""Number of seconds within which the connection must take a message."""


class PiecewiseSending:
    """Middleware that splits bodies into pieces, and ends a response whose client does not read them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on. Sending raises TimeoutError once the client has not taken an earlier message in time."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_stalled = False

        async def send_in_pieces(message: Message) -> None:
            nonlocal has_stalled
            if message["type"] != "http.response.body":
                await send(message)
                return
            if has_stalled:
                raise TimeoutError
            try:
                for piece in _pieces(message):
                    async with asyncio.timeout(PIECE_SECONDS):
                        await send(piece)
            except TimeoutError:
                has_stalled = True

        try:
            await self.app(scope, receive, send_in_pieces)
        except Exception:
            if not has_stalled:
                raise


def _pieces(message: Message) -> Iterator[Message]:
    """A message as messages whose bodies have the maximum size; each is copied when its turn comes."""
    body = message.get("body", b"")
    last = max(0, len(body) - 1) // PIECE_BYTES * PIECE_BYTES
    for start in range(0, last, PIECE_BYTES):
        yield {**message, "body": body[start : start + PIECE_BYTES], "more_body": True}
    yield {**message, "body": body[last:]} if last else message
