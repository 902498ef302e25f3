"""`/mcp`: the protocol over HTTP (streamable HTTP, stateless): requests are independent, so any process can answer them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup, TaskStatus
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.problems import http_problem
from corpus.messages import message
from rulestone import Library

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"
MAX_MESSAGE_BYTES = 256 << 10
"""Bytes of a request."""
_LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")


class McpEndpoint:
    """Passes `/mcp` to the server of the SDK, which is imported on first use, and other paths to the application."""

    def __init__(self, app: ASGIApp, middleware: "McpMiddleware") -> None:
        self.app = app
        self._door = middleware

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Routes by path."""
        if scope["type"] == "http" and scope["path"] == PATH and scope["method"] != "POST":
            await _refuse_get(scope)(scope, receive, send)
            return
        if scope["type"] == "http" and scope["path"] == PATH:
            await (await self._door.session_manager()).asgi_app(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _refuse_get(scope: Scope) -> Response:
    """Refuses GET: the SDK's server would open an event stream that a stateless server never uses."""
    answer = http_problem(
        Request(scope), 405, message("the Model Context Protocol uses POST here; this server has no event stream")
    )
    answer.headers["Allow"] = "POST"
    return answer


class McpMiddleware:
    """The SDK's server for a library, with the lifetime of the application."""

    def __init__(self, library: Library, hosts: Sequence[str] = ()) -> None:
        """`hosts` are further host names of the server."""
        self._library = library
        self._hosts = hosts
        self._manager: StreamableHTTPSessionManager | None = None
        self._tasks: TaskGroup | None = None
        self._opening = anyio.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs the server inside the block."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                self._tasks = self._manager = None
                tasks.cancel_scope.cancel()

    async def session_manager(self) -> "StreamableHTTPSessionManager":
        """The server, started on the first request."""
        async with self._opening:
            if self._manager is None:
                assert self._tasks is not None, "the application is not running"
                self._manager = await self._tasks.start(self._run_session_manager)
        return self._manager

    async def _run_session_manager(self, *, task_status: "TaskStatus[StreamableHTTPSessionManager]") -> None:
        manager = await anyio.to_thread.run_sync(self._create_session_manager)
        async with manager.run():
            task_status.started(manager)
            await anyio.sleep_forever()

    def _create_session_manager(self) -> "StreamableHTTPSessionManager":
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        from api.mcp.server import server

        hosts = [name for host in (*_LOOPBACK_HOSTS, *self._hosts) for name in (host, f"{host}:*")]
        security = TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
        )
        return StreamableHTTPSessionManager(
            server(self._library),
            json_response=True,
            stateless=True,
            security_settings=security,
            max_request_body_size=MAX_MESSAGE_BYTES,
        )
