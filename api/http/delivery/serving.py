"""One process of a server: its application."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager

from fastapi import FastAPI

from api.http.app import create_app
from api.http.gate.settings import Settings
from rulestone import Library

TURN = 0.0005
"""Seconds that a thread computes until another one may go on (see `sys.setswitchinterval`): a tenth of what Python has.

What only hands a kept answer on waits so long for each search of its process, and a look-up takes less than one of Python's turns.
"""


def create() -> FastAPI:
    """The application of the home in RULESTONE_HOME; new bundles are opened beside the questions."""
    return _application(Library.looking_ahead)


def of_one_bundle() -> FastAPI:
    """The same, of the bundle that is current when it begins: a process that goes with its bundle."""
    return _application(Library.staying)


def _application(opening: Callable[[Library], AbstractContextManager[None]]) -> FastAPI:
    sys.setswitchinterval(TURN)
    library = Library.open(create=False)
    app = create_app(library, Settings.of())
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: FastAPI) -> AsyncIterator[None]:
        async with inner(of):
            with opening(library):
                yield

    app.router.lifespan_context = lifespan
    return app
