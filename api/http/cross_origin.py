"""Pages of other origins (CORS): which of them a browser lets read the answers."""

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.routes.linked_data import TRUNCATED_HEADER
from api.http.settings import Settings
from api.http.sharing import is_all_shared
from corpus.errors import RulestoneError
from rulestone import Library

_EXPOSED_HEADERS = ("ETag", TRUNCATED_HEADER, "Retry-After", "RateLimit", "RateLimit-Policy")
"""Headers that scripts of other origins may read."""


class CrossOrigin:
    """Middleware that allows the origins of the settings; without them all origins, while every loaded word may be shared."""

    def __init__(self, app: ASGIApp, library: Library, settings: Settings) -> None:
        self.app = app
        self._library = library
        self._is_limited, self._books = bool(settings.origins), frozenset(settings.shared_books)
        self._sharing_of_bundle: tuple[str | None, bool] = None, False
        self._cors = CORSMiddleware(
            app,
            allow_origins=settings.origins or ("*",),
            allow_methods=("GET", "POST"),
            allow_headers=("*",),
            expose_headers=_EXPOSED_HEADERS,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, with the headers of CORS if its origin may read the response."""
        is_from_elsewhere = scope["type"] == "http" and "origin" in Headers(scope=scope)
        is_allowed = is_from_elsewhere and (self._is_limited or self._is_all_shared())
        await (self._cors if is_allowed else self.app)(scope, receive, send)

    def _is_all_shared(self) -> bool:
        """Whether every word of the bundle may be shared; worked out once for each bundle. Without a bundle there are none."""
        bundle = self._library.bundle_name()
        if bundle is not None and bundle != self._sharing_of_bundle[0]:
            try:
                self._sharing_of_bundle = bundle, is_all_shared(self._library, self._books)
            except RulestoneError:  # which every route reports
                return False
        return bundle is None or self._sharing_of_bundle[1]
