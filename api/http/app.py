"""The HTTP application: middleware, routes, errors, and the library behind them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio.to_thread import current_default_thread_limiter
from fastapi import Depends, FastAPI
from fastapi_offline import FastAPIOffline
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http import description, problems
from api.http.access import AccessControl
from api.http.caching import Caching
from api.http.costly import costly_limiter
from api.http.cross_origin import CrossOrigin
from api.http.queries import refuse_repeated
from api.http.replies import SECURITY_HEADERS
from api.http.request_limits import RequestLimits
from api.http.routes import concepts, library, linked_data, questions, rules, translation
from api.http.sending import PiecewiseSending
from api.http.settings import Settings
from api.http.streaming import HEAD_REQUEST_KEY
from api.mcp.http import McpEndpoint, McpMiddleware
from api.web.site import PAGE_PREFIXES, Pages, site
from rulestone import Library
from rulestone.version import version

ROUTE_MODULES = (rules, questions, concepts, translation, library, linked_data)
"""The modules of routes, in the order of the OpenAPI description."""
DOCUMENTATION_PATHS = ("/docs", "/docs/oauth2-redirect", "/redoc")
_DOCUMENTATION_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'unsafe-inline'",  # FastAPI's pages start their program in a script of their own
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
THREAD_COUNT = 8
"""Number of requests that a process answers at the same time; more are queued."""


def create_app(library: Library, settings: Settings | None = None) -> FastAPI:
    """The application over a library. It answers 503 while a library that was opened without `create` has no knowledge base."""
    settings = settings or Settings()
    limiter = costly_limiter()
    door = McpMiddleware(library, limiter)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = THREAD_COUNT
        with library:
            async with door.running():
                yield

    # FastAPI's own documentation pages load their scripts from the network; these include them
    app = FastAPIOffline(
        title="Rulestone",
        version=version(),
        description=description.API_DESCRIPTION,
        lifespan=lifespan,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.library, app.state.sharing, app.state.costly_limiter = library, settings.download_sharing, limiter
    for topic in ROUTE_MODULES:
        app.include_router(topic.router, dependencies=[Depends(refuse_repeated)], responses=description.PROBLEMS)
    problems.install_handlers(app)
    description.install_openapi(app)
    app.add_middleware(Caching, bundle=library.bundle_name)
    app.add_middleware(McpEndpoint, middleware=door, settings=settings)
    app.add_middleware(CrossOrigin, library=library, settings=settings)
    app.add_middleware(_DocumentationPolicy)
    app.add_middleware(Pages, site=site(library, settings.download_sharing))
    app.add_middleware(_HeadAsGet)
    app.add_middleware(RequestLimits)
    app.add_middleware(AccessControl, settings=settings, paths=_metric_labels(app) if settings.metrics else frozenset())
    app.add_middleware(PiecewiseSending)
    return app


def _metric_labels(app: FastAPI) -> frozenset[str]:
    """The first one or two segments of every route, and the pages."""
    routes = {"/".join(path.split("/")[: 3 if path.startswith("/v1/") else 2]) for path in app.openapi()["paths"]}
    return frozenset(routes | {f"/{place}" for place in PAGE_PREFIXES} | {"/mcp"})


class _DocumentationPolicy:
    """Middleware that restricts the pages of the API's description to files of this server (CSP)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Adds the headers to these pages."""

        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update({"Content-Security-Policy": _DOCUMENTATION_POLICY, **SECURITY_HEADERS})
            await send(message)

        is_page = scope["type"] == "http" and scope["path"] in DOCUMENTATION_PATHS
        await self.app(scope, receive, send_with_policy if is_page else send)


class _HeadAsGet:
    """Middleware that answers HEAD like GET; the server omits the body (RFC 9110, section 9.3.2)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes HEAD on as GET."""
        await self.app(
            {**scope, "method": "GET", HEAD_REQUEST_KEY: True} if scope.get("method") == "HEAD" else scope, receive, send
        )
