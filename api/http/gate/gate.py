"""The gate of a server: names it goes by, keys, rates, counts and log, each where a setting asks for it."""

import time
from typing import NamedTuple

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.gate.callers import address_of, field, hashed, key_of
from api.http.gate.log import AccessLog
from api.http.gate.metrics import PATH as METRICS
from api.http.gate.metrics import Metrics
from api.http.gate.rates import Limiter, Verdict
from api.http.gate.settings import Settings
from api.http.problems import plain
from corpus.messages import Message as Sentence
from corpus.messages import message

OPEN = frozenset({"/healthz", METRICS})
"""What is asked by those who watch a server: it needs no key and is not counted against a rate."""
_ALL = "everybody"


class Refusal(NamedTuple):
    """Why a request does not enter, as HTTP has it."""

    status: int
    reason: Sentence
    headers: dict[str, str]


class _Entry(NamedTuple):
    """A request as it was judged: whose it is, why it is refused, and what is told with the answer."""

    caller: str
    refusal: Refusal | None
    told: tuple[tuple[bytes, bytes], ...]


class Gate:
    """Lets requests through, or refuses them."""

    def __init__(self, app: ASGIApp, settings: Settings, paths: frozenset[str]) -> None:
        self.app = app
        self._settings = settings
        self._hosts = frozenset(host.lower() for host in settings.hosts)
        self._rate = Limiter(settings.rate) if settings.rate else None
        self._total = Limiter(settings.total) if settings.total else None
        self._metrics = Metrics(paths) if settings.metrics else None
        self._policy = b"ratelimit-policy", _policy(self._rate)
        self._log = AccessLog(settings.log, questions=settings.log_questions) if settings.log else None
        self._watched = self._metrics is not None or self._log is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        caller, refusal, told = self._judged(scope)
        if refusal is None and not (told or self._watched):
            await self.app(scope, receive, send)
            return
        await self._watching(scope, receive, send, _Entry(caller, refusal, told))

    async def _watching(self, scope: Scope, receive: Receive, send: Send, entry: "_Entry") -> None:
        """Tells of the rate with the answer; counts it, and writes it down."""
        began, status = time.perf_counter(), 500

        async def telling(part: Message) -> None:
            nonlocal status
            if part["type"] == "http.response.start":
                status = part["status"]
                part["headers"] = [*part["headers"], *entry.told]
            await send(part)

        try:
            await self._answered(entry.refusal, scope, receive, telling)
        finally:
            self._noted(scope, entry.caller, status, time.perf_counter() - began)

    async def _answered(self, refusal: Refusal | None, scope: Scope, receive: Receive, send: Send) -> None:
        if refusal is not None:
            response = plain(Request(scope), refusal.status, refusal.reason)
            response.headers.update(refusal.headers)
            await response(scope, receive, send)
        elif self._metrics is not None and scope["path"] == METRICS:
            await self._metrics.answer(send)
        else:
            await self.app(scope, receive, send)

    def _judged(self, scope: Scope) -> "_Entry":
        """Who asks, why they may not, and what they are told of their rate."""
        if self._hosts and _name(field(scope, b"host")) not in self._hosts:
            return _Entry("", Refusal(421, message("this server does not go by that name (Host)"), {}), ())
        caller, refusal = self._known(scope)
        if scope["path"] in OPEN or scope["method"] == "OPTIONS":
            return _Entry(caller, refusal, ())
        verdict = self._rate.ask(caller) if self._rate else None
        told = (self._policy, _limit(verdict)) if verdict else ()
        if refusal is None and (verdict is None or verdict.allowed):
            whole = self._total.ask(_ALL) if self._total else None
            verdict = whole if whole and not whole.allowed else verdict
        if verdict is not None and not verdict.allowed:
            seconds = max(1, verdict.seconds)
            reason = message("too many requests; ask again in {seconds:g} s", seconds=seconds)
            refusal = Refusal(429, reason, {"Retry-After": str(seconds)})
        return _Entry(caller, refusal, told)

    def _known(self, scope: Scope) -> tuple[str, Refusal | None]:
        """The name of a caller's key or their address, and why that is not enough."""
        keys, address = self._settings.keys, address_of(scope)
        if keys is None or scope["path"] in OPEN or scope["method"] == "OPTIONS":
            return address, None
        key = key_of(scope)
        if key is not None and (owner := keys.get(hashed(key))) is not None:
            return owner, None
        if key is None and self._settings.anonymous:
            return address, None
        reason = message("this server needs a key; send it as Authorization: Bearer KEY, or as X-API-Key")
        return address, Refusal(401, reason, {"WWW-Authenticate": 'Bearer realm="rulestone"'})

    def _noted(self, scope: Scope, caller: str, status: int, seconds: float) -> None:
        if self._metrics is not None and scope["path"] != METRICS:
            self._metrics.count(scope["path"], status, seconds)
        if self._log is not None:
            self._log.write(scope, caller, status, seconds)


def _policy(limiter: Limiter | None) -> bytes:
    """What a caller may do in all (draft-ietf-httpapi-ratelimit-headers)."""
    return b'"caller";q=%d;w=%d' % (limiter.rate.most, limiter.rate.seconds) if limiter else b""


def _limit(verdict: Verdict) -> tuple[bytes, bytes]:
    return b"ratelimit", b'"caller";r=%d;t=%d' % (verdict.left, verdict.seconds)


def _name(host: str) -> str:
    """A Host field without its port."""
    host = host.strip().lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]
