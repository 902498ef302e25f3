"""One process of a server: its application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from api.http.app import create_app
from api.http.gate.settings import Settings
from rulestone import Library


def create() -> FastAPI:
    """The application of the home in RULESTONE_HOME; new bundles are opened beside the questions."""
    library = Library.open(create=False)
    app = create_app(library, Settings.of())
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(of: FastAPI) -> AsyncIterator[None]:
        async with inner(of):
            with library.looking_ahead():
                yield

    app.router.lifespan_context = lifespan
    return app
