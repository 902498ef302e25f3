"""The HTTP application: routes, errors, and the library they answer from."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from fastapi import Depends, FastAPI
from fastapi_offline import FastAPIOffline
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http import openapi, problems
from api.http.delivery.entrance import Entrance
from api.http.delivery.replying import HEAD, Delivery
from api.http.delivery.tagged import tag_pages
from api.http.gate.gate import Gate
from api.http.gate.settings import Settings
from api.http.parameters import only_known
from api.http.routes import health
from api.http.routes.graph import export, linked, sparql
from api.http.routes.questions import answers, batch, cards, rulings, search, suggestions, verify
from api.http.routes.rules import changes, cites, editions, rules
from api.http.routes.terminology import concepts, desk, terms, topics, translation, zones
from api.mcp.http import Door, Mcp
from api.web.dispatch import PLACES, Pages
from api.web.site import site
from rulestone import Library
from rulestone.version import version

PARTS = (
    rulings,
    rules,
    changes,
    search,
    answers,
    batch,
    suggestions,
    editions,
    cites,
    zones,
    topics,
    concepts,
    terms,
    translation,
    cards,
    verify,
    desk,
    export,
    linked,
    sparql,
    health,
)
"""The parts of the API, in the order of its description."""
EXPOSED = ["ETag", sparql.TRUNCATED, "Retry-After", "RateLimit", "RateLimit-Policy"]
"""Headers that a page elsewhere may read."""
THREADS = 8
"""Requests that are worked on at once in a process; the others wait in line."""


def create_app(library: Library, settings: Settings | None = None) -> FastAPI:
    """The application over a library. One opened without `create` answers 503 while there is no knowledge base.

    `settings` are those of an open server.
    """
    settings = settings or Settings()
    door = Door(library, settings.hosts)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = THREADS
        with library:
            async with door.entered():
                yield

    # its documentation pages bring their scripts along: FastAPI's own load them from the network
    app = FastAPIOffline(title="Rulestone", version=version(), description=openapi.ABOUT, lifespan=lifespan, redirect_slashes=False)
    app.state.library = library
    for part in PARTS:
        app.include_router(part.router, dependencies=[Depends(only_known)])
    problems.install(app)
    openapi.install(app)
    tag_pages(app)
    app.add_middleware(Delivery, bundle=library.bundle_name)
    app.add_middleware(
        CORSMiddleware,
        allow_origins=settings.origins,
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
        expose_headers=EXPOSED,
    )
    app.add_middleware(Mcp, door=door)
    app.add_middleware(Pages, site=site(library))
    app.add_middleware(_Head)
    app.add_middleware(Entrance)
    if settings != Settings(origins=settings.origins):
        app.add_middleware(Gate, settings=settings, paths=_counted(app))
    return app


def _counted(app: FastAPI) -> frozenset[str]:
    """What requests are counted as: routes without what is asked of them, and pages."""
    routes = {"/".join(path.split("/")[: 3 if path.startswith("/v1/") else 2]) for path in app.openapi()["paths"]}
    return frozenset(routes | {f"/{place}" for place in PLACES} | {"/mcp"})


class _Head:
    """HEAD is GET without the body, which the server leaves out (RFC 9110, section 9.3.2)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes HEAD on as GET."""
        await self.app({**scope, "method": "GET", HEAD: True} if scope.get("method") == "HEAD" else scope, receive, send)
