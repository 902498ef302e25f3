"""One process of a server: its application, and connections that do not wait for ever."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.http.app import create_app
from api.http.gate.settings import Settings
from rulestone import Library

HOME = "RULESTONE_HOME"
PATIENCE = 20.0
"""Seconds in which a request must have arrived as a whole."""
IDLE = 75
"""Seconds that a connection may rest between two requests. Clients must be the first to close: Node lets go after 4, and on a busy
machine it notices too late that uvicorn did after 5; what it sends then is lost, since a POST is not sent twice."""


def create() -> FastAPI:
    """The application of the home that the environment names; new bundles are opened beside the questions."""
    library = Library.open(os.environ[HOME], create=False)
    app = create_app(library, Settings.of())
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: FastAPI) -> AsyncIterator[None]:
        async with inner(of):
            with library.looking_ahead():
                yield

    app.router.lifespan_context = lifespan
    return app


class Protocol(HttpToolsProtocol):
    """HTTP/1.1 that drops who sends a request too slowly; uvicorn itself waits for ever."""

    _limit: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Starts the clock with a request's first byte."""
        if self._limit is None:
            self._limit = self.loop.call_later(PATIENCE, self.transport.abort)
        super().data_received(data)

    def on_message_complete(self) -> None:
        """Stops it with the last."""
        self._stop()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops it with the connection."""
        self._stop()
        super().connection_lost(exc)

    def _stop(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
