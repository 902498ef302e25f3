"""Connections that do not wait for ever, neither for a request nor for the next one."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

PATIENCE = 20.0
"""Seconds in which a request must have arrived as a whole."""
IDLE = 75
"""Seconds that a connection may rest between two requests. Clients must be the first to close: Node lets go after 4, and on a busy
machine it notices too late that uvicorn did after 5; what it sends then is lost, since a POST is not sent twice."""


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
