"""Routes that compute for seconds: few of their requests run at a time, so that others find a free thread."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from anyio import CapacityLimiter
from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from corpus.errors import BusyError

COSTLY_REQUESTS = 2
"""Number of such requests that the API with MCP, and that the pages, of a process answer at the same time."""
MAX_QUEUED = 16
"""Number of such requests that may be queued."""
QUEUE_SECONDS = 10.0
"""Number of seconds that a request may be queued."""


def costly_limiter() -> CapacityLimiter:
    """A limit on such requests, to be shared by all that answer them."""
    return CapacityLimiter(COSTLY_REQUESTS)


@asynccontextmanager
async def costly_slot(limiter: CapacityLimiter) -> AsyncIterator[None]:
    """Queues a request until it may run. Raises BusyError if too many are queued, or it was queued for too long."""
    borrower = object()  # the block may end in another task
    refusal = BusyError("too many costly requests are running; retry in a moment")
    if limiter.statistics().tasks_waiting >= MAX_QUEUED:
        raise refusal
    try:
        with anyio.fail_after(QUEUE_SECONDS):
            await limiter.acquire_on_behalf_of(borrower)
    except TimeoutError:
        raise refusal from None
    try:
        yield
    finally:
        limiter.release_on_behalf_of(borrower)


async def _queued(request: Request) -> AsyncIterator[None]:
    async with costly_slot(request.app.state.costly_limiter):
        yield


COSTLY = Depends(_queued, scope="function")
"""A dependency of costly routes, until their response begins to be sent: a client that reads slowly occupies no slot."""
COSTLY_UNTIL_SENT = Depends(_queued)
"""The same until the response has been sent, for responses that are computed line by line while they are sent."""


def costly_page(endpoint: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint of a costly page."""

    async def queued(request: Request) -> Response:
        async with costly_slot(request.app.state.costly_limiter):
            return await run_in_threadpool(endpoint, request)

    return queued
