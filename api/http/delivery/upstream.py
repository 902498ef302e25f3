"""Questions that take long are worked out by other processes, which do nothing else: nobody who looks a rule up waits for them.

Threads of one process compute in turns, so that whoever hands on what is kept would wait for each search. The process that a
server listens with passes such questions on over a Unix socket, as a reverse proxy does (RFC 9110, 3.7), each on a connection
of its own, which whoever is free accepts. What nobody takes there it works out itself.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from httptools import HttpResponseParser
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.delivery.replying import HEAD, KEEP

SOCKET = "RULESTONE_UPSTREAM"
"""The setting that tells processes where the others listen."""
_OF_A_CONNECTION = frozenset(
    {b"connection", b"expect", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"upgrade", b"date", b"server"}
)
"""Fields that are said of one connection, or by whoever answers last (RFC 9110, 7.6.1)."""
_OF_DELIVERY = frozenset({b"accept-encoding", b"if-none-match", b"origin"})
"""Fields that are answered where answers are kept."""
_FORWARDED = b"x-forwarded-"
_MAY_BE_KEPT = (b"rulestone-keep", b"yes")
"""What an answer comes back with that may be kept for as long as the bundle; nobody else sees it."""
_CHUNKED = b"transfer-encoding"
_PIECE = 64 << 10
Headers = list[tuple[bytes, bytes]]


class Upstream:
    """Passes some requests on."""

    def __init__(self, app: ASGIApp, socket: str, passed: Callable[[Scope], bool], *, kept: bool = False) -> None:
        """`passed` tells which; their answers may be `kept` where they come through."""
        self.app = app
        self._socket = socket
        self._is_passed = passed
        self._is_kept = kept

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on and its answer back; works it out here where nobody takes it."""
        if scope["type"] != "http" or not self._is_passed(scope):
            await self.app(scope, receive, send)
            return
        asked = _Asked(scope, receive, as_kept=self._is_kept)
        answer = _Answer(bodiless=asked.method == "HEAD")
        try:
            reader, writer = await asyncio.open_unix_connection(self._socket)
            try:
                await asked.write(writer)
                await answer.read(reader, send)
                scope[KEEP] = answer.may_be_kept
            finally:
                writer.close()
        except ClientDisconnect:
            return  # nobody waits for an answer
        except OSError:
            if asked.is_read or answer.is_begun:
                raise
            await self.app(scope, receive, send)


class Telling:
    """Tells who passed a request on whether the answer may be kept."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Adds a field."""

        async def telling(part: Message) -> None:
            if part["type"] == "http.response.start" and scope.get(KEEP):
                part = {**part, "headers": [*part["headers"], _MAY_BE_KEPT]}
            await send(part)

        await self.app(scope, receive, telling)


class _Asked:
    """A request on its way; `is_read` when some of its body is gone."""

    def __init__(self, scope: Scope, receive: Receive, *, as_kept: bool) -> None:
        """What is kept is asked for `as_kept`: whole, in no coding, whoever has it already."""
        self.method = "HEAD" if scope.get(HEAD) and not as_kept else scope["method"]
        self.is_read = False
        self._scope = scope
        self._receive = receive
        self._left_out = _OF_A_CONNECTION | _OF_DELIVERY if as_kept else _OF_A_CONNECTION

    async def write(self, writer: asyncio.StreamWriter) -> None:
        """Sends it; who has read enough of it to answer may close before it is whole. Raises ClientDisconnect if it never is."""
        with suppress(ConnectionError):
            writer.write(self._head())
            names = {name for name, value in self._scope["headers"] if value != b"0"}
            more = bool(names & {b"content-length", _CHUNKED})
            while more:
                part = await self._receive()
                if part["type"] == "http.disconnect":
                    raise ClientDisconnect
                self.is_read = True
                more = part.get("more_body", False)
                piece = part.get("body", b"")
                writer.write(_chunk(piece, more=more) if _CHUNKED in names else piece)
                await writer.drain()

    def _head(self) -> bytes:
        """What is asked for, byte for byte, and its fields; that it came over TLS is told."""
        scope = self._scope
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        sent = [field for field in _passed(scope["headers"], self._left_out) if not field[0].startswith(_FORWARDED)]
        fields = [*sent, (_FORWARDED + b"proto", scope["scheme"].encode()), (b"connection", b"close")]
        line = b"%b %b%b HTTP/1.1\r\n" % (self.method.encode(), scope["raw_path"], query)
        return b"".join([line, *(b"%b: %b\r\n" % field for field in fields), b"\r\n"])


def _chunk(piece: bytes, *, more: bool) -> bytes:
    """A piece of a body of unknown length, or the last (RFC 9112, 7.1)."""
    sized = b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b""
    return sized if more else sized + b"0\r\n\r\n"


class _Answer:
    """An answer as it comes, told by the parser; `is_begun` when some of it was sent on."""

    def __init__(self, *, bodiless: bool) -> None:
        self.is_begun = self.may_be_kept = False
        self._parser = HttpResponseParser(self)
        self._bodiless = bodiless
        self._is_headed = self._is_whole = False
        self._headers: Headers = []
        self._pieces: list[bytes] = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field."""
        self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        """All fields are there, and all of an answer to HEAD."""
        self.may_be_kept = _MAY_BE_KEPT in _passed(self._headers, frozenset())
        self._is_headed, self._is_whole = True, self._bodiless

    def on_body(self, piece: bytes) -> None:
        """Some of the body."""
        self._pieces.append(piece)

    def on_message_complete(self) -> None:
        """That was all."""
        self._is_whole = True

    async def read(self, reader: asyncio.StreamReader, send: Send) -> None:
        """Sends it on as it comes. Raises ConnectionError where it ends before it is whole."""
        while not self._is_whole:
            data = await reader.read(_PIECE)
            if not data:
                raise ConnectionResetError("the process that worked an answer out has ended")
            self._parser.feed_data(data)
            await self._pass_back(send)
        await send({"type": "http.response.body", "body": b""})

    async def _pass_back(self, send: Send) -> None:
        if self._is_headed and not self.is_begun:
            self.is_begun = True
            fields = _passed(self._headers, _OF_A_CONNECTION | {_CHUNKED, _MAY_BE_KEPT[0]})
            await send({"type": "http.response.start", "status": self._parser.get_status_code(), "headers": fields})
        pieces, self._pieces = self._pieces, []
        if pieces:
            await send({"type": "http.response.body", "body": b"".join(pieces), "more_body": True})


def _passed(fields: Iterable[tuple[bytes, bytes]], left_out: frozenset[bytes]) -> Headers:
    return [(name.lower(), value) for name, value in fields if name.lower() not in left_out]
