"""Access to a server: host names and, each if a setting enables it, keys, rate limits, metrics and the access log."""

import json
import math
import sys
import time
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import NamedTuple, TextIO

from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.hosts import HostNames
from api.http.metrics import PATH as METRICS
from api.http.metrics import Metrics
from api.http.problems import http_problem
from api.http.settings import Rate, Settings
from corpus import messages
from corpus.errors import EnvironmentFault
from corpus.messages import message

MONITORING_PATHS = frozenset({"/healthz", METRICS})
"""Paths that need no key and do not count towards rate limits."""
_SHARED_BUCKET = "all"
MAX_KEY_LENGTH = 256
"""Number of characters of the longest key; a longer one is wrong."""
_MAX_ADDRESS_LENGTH = 64
"""Number of characters of the longest client address that a proxy may state."""
_PREFIX_BITS = 64
"""Number of bits of an IPv6 address that identify one customer."""


class Refusal(NamedTuple):
    """A problem that replaces the application's response."""

    status: int
    reason: messages.Message
    headers: dict[str, str]


class AccessControl:
    """Middleware that checks host, key and rate of each request, and records it."""

    def __init__(self, app: ASGIApp, settings: Settings, paths: frozenset[str]) -> None:
        """`paths` are the labels that metrics may use."""
        self.app = app
        self._keys, self._anonymous = settings.keys, settings.anonymous
        self._hosts = HostNames(settings.hosts)
        self._caller_limiter = RateLimiter(settings.rate) if settings.rate else None
        self._total_limiter = RateLimiter(settings.total) if settings.total else None
        self._metrics = Metrics(paths) if settings.metrics else None
        self._log = open_log(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or refuses it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        caller, refusal, rate_headers = self._check_access(scope)
        began, status = time.perf_counter(), 500

        async def send_recorded(part: Message) -> None:
            nonlocal status
            if part["type"] == "http.response.start":
                status = part["status"]
                part["headers"] = [*part["headers"], *rate_headers]
            await send(part)

        try:
            if refusal is not None:
                response = http_problem(Request(scope), refusal.status, refusal.reason)
                response.headers.update(refusal.headers)
                await response(scope, receive, send_recorded)
            elif self._metrics is not None and scope["path"] == METRICS:
                await self._metrics.send_metrics(send_recorded)
            else:
                await self.app(scope, receive, send_recorded)
        finally:
            seconds = time.perf_counter() - began
            if self._metrics is not None and scope["path"] != METRICS:
                self._metrics.count(scope["path"], status, seconds)
            if self._log is not None:
                self._log.write(scope, caller, status, seconds)

    def _check_access(self, scope: Scope) -> tuple[str, Refusal | None, list[tuple[bytes, bytes]]]:
        """The caller, the reason for a refusal, and the headers that describe the caller's rate limit."""
        if (reason := self._hosts.refusal(scope)) is not None:
            return client_address(scope), Refusal(421, reason, {}), []
        if scope["path"] in MONITORING_PATHS or scope["method"] == "OPTIONS":
            return client_address(scope), None, []
        caller, refusal = self._authenticate(scope)
        usage = self._caller_limiter.hit(caller) if self._caller_limiter else None
        headers = usage.headers() if usage else []
        if refusal is None and (usage is None or usage.allowed):
            total = self._total_limiter.hit(_SHARED_BUCKET) if self._total_limiter else None
            usage = total if total and not total.allowed else usage
        if usage is not None and not usage.allowed:
            seconds = max(1, usage.reset_seconds)
            reason = message("too many requests; retry in {seconds:g} s", seconds=seconds)
            refusal = Refusal(429, reason, {"Retry-After": str(seconds)})
        return caller, refusal, headers

    def _authenticate(self, scope: Scope) -> tuple[str, Refusal | None]:
        """The owner of the request's key, or else its address, and the reason for a refusal."""
        address = client_address(scope)
        if self._keys is None:
            return address, None
        key = _key_in_header(scope)
        if key is not None and len(key) <= MAX_KEY_LENGTH and (owner := self._keys.get(_key_hash(key))) is not None:
            return owner, None
        if key is None and self._anonymous:
            return address, None
        reason = message("this server needs a key; send it as Authorization: Bearer KEY, or as X-API-Key")
        return address, Refusal(401, reason, {"WWW-Authenticate": 'Bearer realm="rulestone"'})


class Usage(NamedTuple):
    """The verdict of a rate limit on a request."""

    rate: Rate
    allowed: bool
    remaining: int
    reset_seconds: int

    def headers(self) -> list[tuple[bytes, bytes]]:
        """RateLimit and its policy (draft-ietf-httpapi-ratelimit-headers)."""
        policy = b'"caller";q=%d;w=%d' % (self.rate.requests, self.rate.seconds)
        return [(b"ratelimit-policy", policy), (b"ratelimit", b'"caller";r=%d;t=%d' % (self.remaining, self.reset_seconds))]


class RateLimiter:
    """A rate limit for each caller over a sliding window, in the memory of one worker process."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._limit = RateLimitItemPerSecond(rate.requests, rate.seconds)
        self._window = SlidingWindowCounterRateLimiter(MemoryStorage())

    def hit(self, caller: str) -> Usage:
        """Counts a request unless it is refused."""
        is_allowed = self._window.hit(self._limit, caller)
        reset, remaining = self._window.get_window_stats(self._limit, caller)
        return Usage(self._rate, is_allowed, remaining, max(0, math.ceil(reset - time.time())))


class AccessLog:
    """One line of JSON for each request, in a file or on standard error; several processes may write to one file."""

    def __init__(self, target: str, *, queries: bool) -> None:
        """`-` is standard error; `queries` also logs query strings. Raises EnvironmentFault if the file cannot be written."""
        self._queries = queries
        try:
            self._file: TextIO = (
                sys.stderr if target == "-" else Path(target).open("a", buffering=1, encoding="utf-8")  # noqa: SIM115 as long as the server runs
            )
        except OSError as fault:
            reason = fault.strerror or fault
            raise EnvironmentFault("cannot write the access log {file}: {reason}", file=target, reason=reason) from fault

    def write(self, scope: Scope, caller: str, status: int, seconds: float) -> None:
        """Logs a request. Its path names at most a rule or concept; a question is in the query string."""
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "caller": caller,
            "method": scope["method"],
            "path": scope["path"][:200],
            "status": status,
            "ms": round(seconds * 1000, 1),
        }
        if self._queries:
            line["query"] = scope["query_string"].decode("ascii", "replace")[:2000]
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")


def open_log(settings: Settings) -> AccessLog | None:
    """The access log, if it is enabled. Raises EnvironmentFault if it cannot be written."""
    return AccessLog(settings.log, queries=settings.log_questions) if settings.log is not None else None


def client_address(scope: Scope) -> str:
    """The IP address of a request; for IPv6 the network of one customer."""
    client = scope.get("client")
    return _client_network(str(client[0])[:_MAX_ADDRESS_LENGTH]) if client else "unknown"


@lru_cache(4096)
def _client_network(host: str) -> str:
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return f"{IPv6Address(int(address) >> (128 - _PREFIX_BITS) << (128 - _PREFIX_BITS))}/{_PREFIX_BITS}"
    return str(address)


def _key_in_header(scope: Scope) -> str | None:
    """The key that a request sends as a bearer token or in X-API-Key."""
    headers = Headers(scope=scope)
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return headers.get("x-api-key") or None


@lru_cache(4096)
def _key_hash(key: str) -> str:
    return sha256(key.encode("utf-8", "replace")).hexdigest()
