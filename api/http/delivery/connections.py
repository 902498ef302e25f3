"""Connections that do not wait for ever, neither for a request nor for the next one."""

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

PATIENCE = 20.0
"""Seconds in which a request must have arrived as a whole."""
IDLE = 75
"""Seconds that a connection may rest between two requests. Clients must be the first to close: Node lets go after 4, and on a busy
machine it notices too late that uvicorn did after 5; what it sends then is lost, since a POST is not sent twice."""
LINGER = 5.0
"""Seconds in which a process that retires still answers on a connection that rests."""


class Protocol(HttpToolsProtocol):
    """HTTP/1.1 that drops who sends a request too slowly; uvicorn itself waits for ever."""

    retiring: ClassVar[bool] = False
    """Whether this process lets others take its place; then each answer says that it is the last of its connection."""
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Lets also one go that was accepted last of all."""
        super().connection_made(transport)
        if self.retiring:
            self.shutdown()

    def shutdown(self) -> None:
        """Closes it, or lets an answer be its last; one that retires leaves time to ask."""
        if not self.retiring:
            super().shutdown()
            return
        if self.cycle and not self.cycle.response_started:
            self.cycle.keep_alive = False
        self.loop.call_later(LINGER, self._rested)

    def _rested(self) -> None:
        """Closes it if nothing is on its way."""
        if self._limit is None and not self.transport.is_closing():
            super().shutdown()

    def on_headers_complete(self) -> None:
        """Tells one that retires to say that its answer is the last."""
        super().on_headers_complete()
        if self.retiring and self.cycle:
            self.cycle.keep_alive = False

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
