"""Which requests are a person's: pages are answered beside the API, whose routes, caches and checks they never pass."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.delivery.accept import best_media

HTML, JSON, TURTLE = "text/html", "application/json", "text/turtle"
PLACES = frozenset(
    {
        *("", "changes", "check", "compare", "concepts", "find", "languages", "library", "part", "read", "static", "terms"),
        *("manifest.webmanifest", "offline", "pack", "service.js", "zones"),
    }
)
"""What the paths of pages begin with. `/id/…` and `/ns` are pages too, for who would rather have one."""
SPARQL = "/sparql"
LINKED = frozenset({"id", "ns"})


class Pages:
    """Hands pages to the site and everything else on."""

    def __init__(self, app: ASGIApp, site: ASGIApp) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Chooses by the first part of the path; for `/id/…` and `/ns` by Accept."""
        there = self.site if scope["type"] == "http" and is_page(scope) else self.app
        await there(scope, receive, send)


def is_page(scope: Scope) -> bool:
    """Whether an HTTP request is for a page."""
    first = scope["path"][1:].partition("/")[0]
    return first in PLACES or (first in LINKED and prefers_page(scope)) or (scope["path"] == SPARQL and _asks_on_page(scope))


def _asks_on_page(scope: Scope) -> bool:
    """Whether somebody asks the graph on a page, and not for a file of the answer."""
    return scope["method"] == "GET" and b"format=" not in scope["query_string"] and prefers_page(scope)


def prefers_page(scope: Scope) -> bool:
    """Whether a client would rather have a page than data, as browsers say."""
    accept = Headers(scope=scope).get("accept", "")
    return HTML in accept.lower() and best_media(accept, (JSON, TURTLE, HTML)) == HTML
