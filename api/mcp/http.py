"""`/mcp`: the protocol over HTTP (streamable HTTP, stateless): requests are independent, so any process can answer them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio import CapacityLimiter
from anyio.abc import TaskGroup, TaskStatus
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.costly import costly_slot
from api.http.hosts import HostNames
from api.http.negotiation import best_media
from api.http.problems import http_problem
from api.http.settings import Settings
from corpus.messages import message
from rulestone import Library

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
MAX_MESSAGE_BYTES = 256 << 10
"""Bytes of a request."""
_JSON, _EVENT_STREAM = "application/json", "text/event-stream"
_INVALID_REQUEST = -32600
"""The code of JSON-RPC 2.0, section 5.1."""


class McpEndpoint:
    """Passes `/mcp` to the server of the SDK, which is imported on first use, and other paths to the application."""

    def __init__(self, app: ASGIApp, middleware: "McpMiddleware", settings: Settings) -> None:
        self.app = app
        self._door = middleware
        self._hosts = HostNames(settings.hosts)
        self._origins = frozenset(settings.origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Routes by path, and refuses requests that the SDK's server leaves unanswered."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self.app(scope, receive, send)
            return
        refusal = _refuse_get(scope) if scope["method"] != "POST" else self._refuse_origin(scope)
        if refusal is None:
            request = await receive()  # the whole body: see RequestLimits
            refusal = _refuse_id(request.get("body", b""))
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        # the SDK asks for both types and then answers in one of them
        media = best_media(Headers(scope=scope).get("accept"), (_JSON, _EVENT_STREAM))
        if media is not None:
            scope = {**scope, "headers": list(scope["headers"])}
            MutableHeaders(scope=scope)["accept"] = f"{_JSON}, {_EVENT_STREAM}"
        manager = await self._door.session_manager(streaming=media == _EVENT_STREAM)
        await manager.asgi_app(scope, _replay(request, receive), send)

    def _refuse_origin(self, scope: Scope) -> Response | None:
        """Refuses pages of other servers, which would send requests through their visitors' browsers."""
        origin = Headers(scope=scope).get("origin")
        if origin is None or not self._origins.isdisjoint((origin, "*")) or self._hosts.allows_origin(origin):
            return None
        reason = message(
            "pages of {origin} may not use this server; if it is the server's own address, the operator names its host in "
            "RULESTONE_HOSTS, otherwise the origin in RULESTONE_ORIGINS",
            origin=origin[:100],
        )
        return http_problem(Request(scope), 403, reason)


def _refuse_get(scope: Scope) -> Response:
    """Refuses GET: the SDK's server would open an event stream that a stateless server never uses."""
    answer = http_problem(
        Request(scope), 405, message("the Model Context Protocol uses POST here; this server has no event stream")
    )
    answer.headers["Allow"] = "POST"
    return answer


def _refuse_id(body: bytes) -> Response | None:
    """Refuses a request whose id is neither a string nor a whole number: the SDK would take it for a notification."""
    try:
        request = json.loads(body) if len(body) <= MAX_MESSAGE_BYTES else None
    except (ValueError, RecursionError):
        return None  # the SDK reports it
    if not isinstance(request, dict) or "method" not in request or "id" not in request:
        return None
    if isinstance(request["id"], str | int) and not isinstance(request["id"], bool):
        return None
    error = {"code": _INVALID_REQUEST, "message": "Invalid Request: id must be a string or an integer"}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, 400)


def _replay(request: Message, receive: Receive) -> Receive:
    """Passes on a request that was already received, then all that the server sends."""
    unread = [request]

    async def receive_replayed() -> Message:
        return unread.pop() if unread else await receive()

    return receive_replayed


class McpMiddleware:
    """The SDK's servers for a library, with the lifetime of the application: one answers in JSON, one in event streams."""

    def __init__(self, library: Library, costly_limiter: CapacityLimiter) -> None:
        self._library = library
        self._costly_limiter = costly_limiter
        self._managers: dict[bool, StreamableHTTPSessionManager] = {}
        self._tasks: TaskGroup | None = None
        self._opening = anyio.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs the servers inside the block."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                self._tasks = None
                self._managers.clear()
                tasks.cancel_scope.cancel()

    async def session_manager(self, *, streaming: bool) -> "StreamableHTTPSessionManager":
        """The server that answers in event streams or in JSON, started on its first request."""
        async with self._opening:
            if streaming not in self._managers:
                assert self._tasks is not None, "the application is not running"
                self._managers[streaming] = await self._tasks.start(self._run_session_manager, streaming)
        return self._managers[streaming]

    async def _run_session_manager(
        self,
        streaming: bool,
        *,
        task_status: "TaskStatus[StreamableHTTPSessionManager]",
    ) -> None:
        manager = await anyio.to_thread.run_sync(self._create_session_manager, streaming)
        async with manager.run():
            task_status.started(manager)
            await anyio.sleep_forever()

    def _create_session_manager(self, streaming: bool) -> "StreamableHTTPSessionManager":
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        from api.mcp.server import server

        return StreamableHTTPSessionManager(
            server(self._library, lambda: costly_slot(self._costly_limiter)),
            json_response=not streaming,
            stateless=True,
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # see McpEndpoint and HostNames
            max_request_body_size=MAX_MESSAGE_BYTES,
        )
