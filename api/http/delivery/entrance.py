"""What enters: addresses of a length that a person or a program of good will gives, with a slash at the end or without."""

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.problems import plain
from corpus.messages import message

LONGEST = 8192
"""Bytes of a path with its query (RFC 9110, section 4.1, recommends to take as many)."""


class Entrance:
    """Turns away what is too long to be read. A slash too many is passed over: a redirect would have to trust `Host`."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers 414 to an address that is too long."""
        if scope["type"] == "http" and (length := len(scope["raw_path"]) + len(scope["query_string"])) > LONGEST:
            short = {**scope, "path": scope["path"][:80], "query_string": b""}
            reason = message("the address is {length} bytes long; at most {longest} are read", length=length, longest=LONGEST)
            await plain(Request(short), 414, reason)(scope, receive, send)
            return
        if scope["type"] == "http" and scope["path"] != "/" and scope["path"].endswith("/"):
            scope = {**scope, "path": scope["path"].rstrip("/") or "/"}
        await self.app(scope, receive, send)
