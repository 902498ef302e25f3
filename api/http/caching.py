"""Entity tags and conditional requests (RFC 9110, sections 8.8.3 and 13.1.2), compression, and the cache of responses."""

import gzip
import sys
import threading
from asyncio import Event
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import brotli
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.negotiation import CODINGS, IDENTITY, acceptable_media, best_coding, shorten_header
from api.languages import accepted_language
from corpus.media import TURTLE

CACHEABLE_KEY = "rulestone.cacheable"
"""A handler sets this in the scope of its request if the response may be cached for the lifetime of the bundle."""
STREAMED_KEY = "rulestone.streamed"
"""A handler sets this in the scope of its request if it streams the response and compresses it itself."""
CACHE_BYTES = 24 << 20
"""Maximum number of bytes of the responses, with their keys, that each process caches."""
OFFERED_MEDIA = ("application/json", TURTLE, "application/ld+json")
"""The media types between which Accept decides for cached responses, in the order of preference of every route."""
COMPRESSED_BYTES = 1024
"""Number of bytes of the shortest body that is compressed."""
_OWN_HEADERS = {b"etag", b"content-length", b"content-encoding"}
_ENTRY_BYTES = 2048
"""Number of bytes of a cached response beside its body, path and query."""
_MAX_UNAWAITED = 256
"""Maximum number of paths whose requests do not wait for one another; more than there are routes with uncacheable responses."""
RawHeaders = list[tuple[bytes, bytes]]
_best_coding = lru_cache(256)(best_coding)
_language = lru_cache(256)(accepted_language)
_acceptable_media = lru_cache(256)(lambda header: tuple(acceptable_media(header, OFFERED_MEDIA)))


def entity_tag(body: bytes) -> str:
    """A strong entity tag derived from a body."""
    return f'"{blake2b(body, digest_size=12).hexdigest()}"'


def entity_tag_for_coding(tag: str, coding: str) -> str:
    """The entity tag of a response in a content coding; other bytes need another tag."""
    return tag if coding == IDENTITY else f'{tag[:-1]}-{coding}"'


def matches_entity_tag(if_none_match: str | None, tag: str) -> bool:
    """Whether a client already has a response, in any content coding."""
    tags = {"*", tag, *(entity_tag_for_coding(tag, coding) for coding in CODINGS)}
    return if_none_match is not None and any(each.strip().removeprefix("W/") in tags for each in if_none_match.split(","))


class CacheKey(NamedTuple):
    """The inputs on which a response depends. Routes refuse unknown parameters, so the query has none of them."""

    path: str
    query: bytes  # its parameters in alphabetical order
    lang: str | None  # which the client prefers
    media: tuple[str, ...]  # of those offered, the preferred first

    @property
    def size(self) -> int:
        """Number of bytes that it occupies."""
        return sys.getsizeof(self.path) + sys.getsizeof(self.query)


def cache_key(scope: Scope, headers: Headers) -> CacheKey:
    """The key of a request, from its path, its query and the parts of its headers that decide between responses."""
    query = b"&".join(sorted(filter(None, scope["query_string"].split(b"&"))))
    lang = _language(shorten_header(headers.get("accept-language", "")))
    return CacheKey(scope["path"], query, lang, _acceptable_media(shorten_header(headers.get("accept", ""))))


@dataclass(slots=True)
class CachedResponse:
    """A 200 with an entity tag, and its body in every content coding that was requested so far."""

    tag: str
    headers: RawHeaders  # without entity tag, length and coding
    bodies: dict[str, bytes] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of bytes to reserve: the compressed bodies, made later, together take little more than half of the plain one."""
        return len(self.bodies[IDENTITY]) * 3 // 2 + _ENTRY_BYTES

    def body(self, coding: str, *, smallest: bool) -> bytes:
        """The body in a coding, compressed once; `smallest` spends more time for fewer bytes."""
        if coding not in self.bodies:
            plain = self.bodies[IDENTITY]
            if coding == "br":
                self.bodies[coding] = brotli.compress(plain, quality=9 if smallest else 4)
            else:
                self.bodies[coding] = gzip.compress(plain, 9 if smallest else 5, mtime=0)
        return self.bodies[coding]


class ResponseCache:
    """The responses of one bundle, in order of their last use. Thread-safe."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._limit = limit
        self._bundle: str | None = None
        self._responses: OrderedDict[CacheKey, CachedResponse] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, bundle: str, key: CacheKey) -> CachedResponse | None:
        """The response to an earlier request, if it came from the same bundle."""
        with self._lock:
            if bundle != self._bundle or key not in self._responses:
                return None
            self._responses.move_to_end(key)
            return self._responses[key]

    def put(self, bundle: str, key: CacheKey, response: CachedResponse) -> None:
        """Adds a response; drops those of another bundle, and the least recently used ones above the limit."""
        with self._lock:
            if bundle != self._bundle:
                self._responses.clear()
                self._bundle, self._bytes = bundle, 0
            if key not in self._responses:
                self._responses[key] = response
                self._bytes += key.size + response.size
            while self._bytes > self._limit:
                oldest, oldest_response = self._responses.popitem(last=False)
                self._bytes -= oldest.size + oldest_response.size


class Caching:
    """Middleware for GET: entity tags, 304 for responses that the client already has, compression, and the cache of responses.

    It applies to a 200 whose body is sent in one message and may be stored; other responses pass through.
    """

    def __init__(self, app: ASGIApp, bundle: Callable[[], str | None], *, ignores_query: bool = False) -> None:
        """`bundle` names the bundle in use; while it is None nothing is cached. `ignores_query`: no response depends on queries."""
        self.app = app
        self._bundle = bundle
        self._ignores_query = ignores_query
        self._cache = ResponseCache()
        self._unawaited_paths: set[str] = set()  # had an uncacheable response: their requests do not wait for one another
        self._pending: dict[tuple[str, CacheKey], Event] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends a response from the cache, else that of the application."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        if self._ignores_query:
            scope = {**scope, "query_string": b""}
        headers, bundle = Headers(scope=scope), self._bundle()
        key = cache_key(scope, headers)
        response = None
        if bundle is not None:
            if pending := self._pending.get((bundle, key)):
                await pending.wait()
            response = self._cache.get(bundle, key)
        is_cached = response is not None
        if response is None and bundle is not None and key.path not in self._unawaited_paths:
            response = await self._run_once_per_key(bundle, key, scope, receive, send)
        elif response is None:
            response = await self._run_application(scope, receive, send, lambda: None)
            self._cache_if_allowed(bundle, key, scope, response)
        if response is not None:
            await _send_response(response, headers, send, smallest=is_cached or bool(scope.get(CACHEABLE_KEY)))

    async def _run_once_per_key(
        self, bundle: str, key: CacheKey, scope: Scope, receive: Receive, send: Send
    ) -> CachedResponse | None:
        """Runs the application once for concurrent requests for the same response, and caches the response if that is allowed."""
        completion = self._pending.setdefault((bundle, key), Event())

        def release_waiting() -> None:
            self._pending.pop((bundle, key), None)
            completion.set()

        try:
            response = await self._run_application(scope, receive, send, release_waiting)
            self._cache_if_allowed(bundle, key, scope, response)
        finally:
            release_waiting()
        return response

    def _cache_if_allowed(self, bundle: str | None, key: CacheKey, scope: Scope, response: CachedResponse | None) -> None:
        if response is None or bundle is None:
            return
        if scope.get(CACHEABLE_KEY):
            self._cache.put(bundle, key, response)
        elif len(self._unawaited_paths) < _MAX_UNAWAITED:
            self._unawaited_paths.add(key.path)

    async def _run_application(
        self, scope: Scope, receive: Receive, send: Send, passed_on: Callable[[], None]
    ) -> CachedResponse | None:
        """The application's response if it may be cached; any other response is sent, and None is returned.

        `passed_on` is called before its first message, so that requests for the same response need not wait for its last.
        """
        start: Message | None = None
        response: CachedResponse | None = None

        async def collect(message: Message) -> None:
            nonlocal start, response
            if message["type"] == "http.response.start" and message["status"] == 200 and not scope.get(STREAMED_KEY):
                start = message
                return
            headers = Headers(raw=start["headers"] if start else [])
            if start is not None and not message.get("more_body") and "no-store" not in headers.get("cache-control", ""):
                body = message.get("body", b"")
                tag = headers.get("etag") or entity_tag(body)
                app_headers = [header for header in start["headers"] if header[0] not in _OWN_HEADERS]
                response = CachedResponse(tag, app_headers, {IDENTITY: body})
                return
            passed_on()
            if start is not None:
                await send(start)
                start = None
            await send(message)

        await self.app(scope, receive, collect)
        return response


async def _send_response(response: CachedResponse, request: Headers, send: Send, *, smallest: bool) -> None:
    accept_encoding = shorten_header(request.get("accept-encoding", ""))
    coding = IDENTITY if len(response.bodies[IDENTITY]) < COMPRESSED_BYTES else _best_coding(accept_encoding)
    tag = (b"etag", entity_tag_for_coding(response.tag, coding).encode())
    if matches_entity_tag(request.get("if-none-match"), response.tag):
        headers = [header for header in response.headers if header[0] != b"content-type"]
        await _send(send, 304, [*headers, tag], b"")
        return
    body = response.bodies.get(coding)
    if body is None:
        body = await run_in_threadpool(response.body, coding, smallest=smallest)
    length = (b"content-length", str(len(body)).encode())
    encoding: RawHeaders = [(b"content-encoding", coding.encode())] if coding != IDENTITY else []
    await _send(send, 200, [*response.headers, *encoding, tag, length], body)


async def _send(send: Send, status: int, headers: RawHeaders, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
