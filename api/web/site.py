"""The site: pages for people beside the API, the choice between them, security headers, and errors as pages."""

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Part

from api import labels
from api.http.caching import Caching
from api.http.costly import costly_limiter, costly_page
from api.http.negotiation import best_media
from api.http.problems import MAX_REASON_LENGTH, RETRY_SECONDS
from api.http.sharing import Sharing
from api.web import books, check, compare, maps, offline, resources, search, sparql, static, terms
from api.web.markup import local_path
from api.web.rendering import HTML, OFFLINE_PATH, page, save_languages
from corpus.address import ID, RULINGS, path_of
from corpus.errors import BusyError, RulestoneError, UnknownAddressError
from corpus.messages import Message, message
from rulestone import Library

_PAGE_ROUTES = [
    Route("/", search.search),
    Route("/library", books.library),
    Route("/terms", terms.terms),
    Route("/concepts", resources.concepts),
    Route("/compare", compare.compare),
    Route("/compare/topics", compare.topics),
    Route("/zones", maps.zones),
    Route("/changes", costly_page(books.changes)),
    Route("/check", check.check, methods=["GET", "POST"]),
    Route("/languages", save_languages),
    Route("/id/{path:path}", resources.resource),
    Route("/ns", resources.vocabulary),
    Route("/sparql", sparql.sparql),
    Route("/read/{game}/{book}/{edition}/{locator:path}", books.reading),
    Route("/part/section/{path:path}", resources.section_fragment),
    Route("/part/proof/{name:path}", resources.proof_fragment),
    Route("/part/rule/{path:path}", resources.rule_preview),
    Route(OFFLINE_PATH, offline.offline_shell),
    Route("/service.js", offline.service_worker),
    Route("/manifest.webmanifest", offline.manifest),
]
_PACK_ROUTES = [Route("/pack", costly_page(offline.pack_list)), Route("/pack/{bundle}/{name}", costly_page(offline.pack))]
PAGE_PREFIXES = frozenset(
    {
        *("", "changes", "check", "compare", "concepts", "find", "languages", "library", "part", "read", "static", "terms"),
        *("manifest.webmanifest", "offline", "pack", "service.js", "zones"),
    }
)
"""The first segments of the paths that are always pages."""
DATA_PREFIXES = frozenset(
    {".well-known", "docs", "healthz", "mcp", "metrics", "openapi.json", "redoc", "static-offline-docs", "v1"}
)
"""The first segments of the paths that are never pages. Any other path, as `/id/…`, is one if the client prefers a page."""
_CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types rulestone",
    )
)
_SECURITY_HEADERS = {
    "Content-Security-Policy": _CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""A page loads nothing from other hosts, and has no inline scripts or styles."""


def site(library: Library, sharing: Sharing) -> Starlette:
    """The pages over a library. Pages are not cached, since cookies choose their language; static files and packs are."""
    files = Router([Route("/{version}/{name:path}", static.static_file)], redirect_slashes=False)
    pages = Router(_PAGE_ROUTES, redirect_slashes=False)  # a slash at the end is ignored: `/id` would lead to itself
    app = Starlette(
        routes=[
            Mount("/static", files, middleware=[Middleware(Caching, bundle=static.static_version, ignores_query=True)]),
            *_PACK_ROUTES,
            Mount("/", pages, middleware=[Middleware(Caching, bundle=lambda: None)]),
        ],
        middleware=[Middleware(_SecurityHeaders)],
        exception_handlers={RulestoneError: _rulestone_error, HTTPException: _http_error, Exception: _unexpected_error},
    )
    app.state.library, app.state.packs, app.state.sharing = library, offline.CompressedPacks(library), sharing
    app.state.costly_limiter = costly_limiter()
    return app


class Pages:
    """Sends requests for a page to the site, and all others to the API."""

    def __init__(self, app: ASGIApp, site: ASGIApp) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Decides by the first segment of the path, and for data at the same address by the Accept header."""
        target = self.site if scope["type"] == "http" and _is_page(scope) else self.app
        await target(scope, receive, send)


def _is_page(scope: Scope) -> bool:
    first = scope["path"][1:].partition("/")[0]
    if first in PAGE_PREFIXES:
        return True
    is_query = scope["path"] == "/sparql" and (scope["method"] != "GET" or b"format=" in scope["query_string"])
    return first not in DATA_PREFIXES and not is_query and _prefers_page(scope)


def _prefers_page(scope: Scope) -> bool:
    """Whether a client prefers a page to data, as browsers do."""
    accept = Headers(scope=scope).get("accept", "")
    return HTML in accept.lower() and best_media(accept, ("application/json", "text/turtle", HTML)) == HTML


class _SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(part: Part) -> None:
            if part["type"] == "http.response.start":
                MutableHeaders(scope=part).update(_SECURITY_HEADERS)
            await send(part)

        await self.app(scope, receive, send_with_headers)


def _rulestone_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RulestoneError)
    reason = _missing(error.iri) if isinstance(error, UnknownAddressError) else _with_local_addresses(error.message)
    response = page(request, "problem.html", error.status, reason=reason)
    if isinstance(error, BusyError):
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _missing(iri: str) -> Message:
    """The message for an address that nothing has; it names the missing rule, edition, ruling or concept."""
    path = path_of(iri)[:MAX_REASON_LENGTH]
    match path.split("/", 3):
        case ["concept", *_]:
            return message("the library has no concept {concept}", concept=path.partition("/")[2])
        case [_, kind, *_] if kind == RULINGS:
            return message("the library has no ruling {ruling}", ruling=path)
        case [game, book, edition, locator] if locator:
            place = {"game": game, "book": book, "edition": edition, "locator": locator}
            return message("the library has no rule {rule}", rule=labels.rule_citation(place))
        case [game, book, edition, *_]:
            return message("the library has no edition {edition}", edition=f"{labels.game_tag(game)} {book.upper()} ({edition})")
    return message("there is no page {path}", path=f"/id/{path}")


def _with_local_addresses(reason: Message) -> Message:
    """A message in which the address of a thing is that of its page."""
    values = reason.values.items()
    local_values = {name: local_path(value) if isinstance(value, str) and value.startswith(ID) else value for name, value in values}
    return Message(reason.text, local_values)


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    reason = message("there is no page {path}", path=request.url.path[:MAX_REASON_LENGTH])
    if error.status_code == 405:
        reason = message("this page does not support that method")
    return page(request, "problem.html", error.status_code, reason=reason)


def _unexpected_error(request: Request, error: Exception) -> Response:
    reason = message("unexpected {error}; see the server's log", error=type(error).__name__)
    return page(request, "problem.html", 500, reason=reason)
