"""The server over standard input and output: when input ends, requests that were read are answered before the server ends.

The SDK cancels them, so that `rulestone mcp < requests.jsonl` would print only the responses that were ready in time.
"""

from contextvars import Context
from types import TracebackType
from typing import Any, Self

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from api.mcp.server import server
from rulestone import Library

_MAX_WAIT_SECONDS = 60.0
"""Maximum time after the end of input in which requests are answered."""
_CANCELLED = "notifications/cancelled"


def serve_stdio(library: Library) -> None:
    """Serves until standard input ends and every request is answered."""
    anyio.run(_serve_stdio, library)


async def _serve_stdio(library: Library) -> None:
    mcp_server, pending = server(library), _Unanswered()
    async with stdio_server() as (source, sink):
        await mcp_server.run(_MessageSource(source, pending), _Sink(sink, pending), mcp_server.create_initialization_options())


class _Unanswered:
    """The ids of the requests that were read and not yet answered."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId] = set()
        self._is_empty = anyio.Event()

    def add_read(self, message: types.JSONRPCMessage) -> None:
        """Notes a request; one that its client cancels is not answered."""
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == _CANCELLED:
            request = (message.params or {}).get("requestId")
            if isinstance(request, str | int):  # the SDK has not checked it
                self._remove(request)

    def add_written(self, message: types.JSONRPCMessage) -> None:
        """Notes an answer."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._remove(message.id)

    def _remove(self, request: types.RequestId | None) -> None:
        self._ids.discard(request)
        if not self._ids:
            self._is_empty.set()
            self._is_empty = anyio.Event()

    async def wait(self) -> None:
        """Blocks until every request is answered."""
        with anyio.move_on_after(_MAX_WAIT_SECONDS):
            while self._ids:
                await self._is_empty.wait()


class _ClosedStream:
    """A stream of the SDK that is closed with the block."""

    def __init__(self, stream: Any, pending: _Unanswered) -> None:  # noqa: ANN401
        self._stream = stream
        self._pending = pending

    async def aclose(self) -> None:
        """Closes the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()


class _MessageSource(_ClosedStream):
    """The messages that are read; it ends when all requests are answered."""

    @property
    def last_context(self) -> Context | None:
        """The context in which the last message was sent."""
        context: Context | None = self._stream.last_context
        return context

    async def receive(self) -> SessionMessage | Exception:
        """The next message. Raises EndOfStream after the last one."""
        try:
            item: SessionMessage | Exception = await self._stream.receive()
        except anyio.EndOfStream:
            await self._pending.wait()
            raise
        if isinstance(item, SessionMessage):
            self._pending.add_read(item.message)
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class _Sink(_ClosedStream):
    """The messages that are written."""

    async def send(self, item: SessionMessage) -> None:
        """Writes a message."""
        await self._stream.send(item)
        self._pending.add_written(item.message)
