"""One process of a server: its application."""

import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, suppress

from fastapi import FastAPI

from api.http.app import create_app
from api.http.delivery.upstream import SOCKET
from api.http.gate.settings import Settings
from rulestone import Library

TURN = 0.0005
"""Seconds that a thread computes until another one may go on (see `sys.setswitchinterval`): a tenth of what Python has.

What only hands a kept answer on waits so long for each search of its process, and a look-up takes less than one of Python's turns.
"""
NICE = 5
"""How far those that only work out what takes long let the others go first."""


def create() -> FastAPI:
    """The application of the home in RULESTONE_HOME; new bundles are opened beside the questions."""
    return _application(Library.looking_ahead, Settings.of())


def of_one_bundle() -> FastAPI:
    """The same, of the bundle that is current when it begins: a process that goes with its bundle.

    What takes long it passes on, where others listen for it.
    """
    upstream = os.environ.get(SOCKET)
    return _application(Library.staying if upstream is None else Library.looking_up, Settings.of(), upstream)


def upstream() -> FastAPI:
    """What the others pass on to: as they are, but that everybody may ask it whom they let in; it lets them go first."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, NICE)
    return _application(Library.staying, Settings.of().for_upstream(), facing=False)


def _application(
    opening: Callable[[Library], AbstractContextManager[None]],
    settings: Settings,
    upstream: str | None = None,
    *,
    facing: bool = True,
) -> FastAPI:
    sys.setswitchinterval(TURN)
    library = Library.open(create=False)
    app = create_app(library, settings, upstream, facing=facing)
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: FastAPI) -> AsyncIterator[None]:
        async with inner(of):
            with opening(library):
                yield

    app.router.lifespan_context = lifespan
    return app
