"""Entity tags for pages that another library makes: the description of the API and what shows it."""

from hashlib import blake2b

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.delivery.replying import KEEP

PAGES = frozenset({"/openapi.json", "/docs", "/docs/oauth2-redirect", "/redoc"})


def tag_pages(app: Starlette) -> None:
    """Has these pages answer with an entity tag, which their own makers leave out."""
    for route in app.routes:
        if isinstance(route, Route) and route.path in PAGES:
            route.app = Tagged(route.app)


class Tagged:
    """An answer with an entity tag made of its bytes; it is the same for as long as the program runs."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Waits for the whole answer."""
        parts: list[Message] = []

        async def collect(part: Message) -> None:
            parts.append(part)

        await self.app(scope, receive, collect)
        start, *rest = parts
        body = b"".join(part.get("body", b"") for part in rest)
        tag = b'"%b"' % blake2b(body, digest_size=12).hexdigest().encode()
        scope[KEEP] = True
        await send({**start, "headers": [*start["headers"], (b"etag", tag), (b"cache-control", b"no-cache")]})
        await send({"type": "http.response.body", "body": body})
