"""How answers leave: kept ones at once, known ones as 304, long ones compressed; and questions that are too long do not enter."""

from asyncio import Event
from collections.abc import Callable
from functools import lru_cache

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers as Fields
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.http.delivery.compression import IDENTITY, LEAST, chosen
from api.http.delivery.kept import Answer, Headers, Kept, Key
from api.http.delivery.tags import has, suffixed
from api.languages import accepted

KEEP = "rulestone.keep"
"""What a handler sets in its request's scope where the answer may be kept for as long as the bundle."""
STREAM = "rulestone.stream"
"""The same where the answer is sent as it is made, and coded already."""
HEAD = "rulestone.head"
"""What a request's scope has where nobody reads the body."""
_OWN = {b"etag", b"content-length", b"content-encoding"}
_coding = lru_cache(256)(chosen)
_language = lru_cache(256)(accepted)


class Delivery:
    """What stands between the server and the routes: entity tags, codings and kept answers."""

    def __init__(self, app: ASGIApp, bundle: Callable[[], str | None]) -> None:
        """`bundle` names the bundle that questions are answered from now; None keeps nothing."""
        self.app = app
        self._bundle = bundle
        self._kept = Kept()
        self._fresh: set[str] = set()  # routes whose answers are worked out each time
        self._at_work: dict[tuple[str, Key], Event] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers from what is kept, else passes a request on and its answer through."""
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        fields, bundle = Fields(scope=scope), self._bundle()
        key = Key(scope["path"], scope["query_string"], _language(fields.get("accept-language")), fields.get("accept", "").encode())
        answer = await self._known(bundle, key) if bundle else None
        often = answer is not None
        if answer is None:
            answer = await self._worked_out(bundle, key, scope, receive, send)
            often = bool(scope.get(KEEP))
        if answer is not None:
            await _deliver(answer, fields, send, often=often)

    async def _known(self, bundle: str, key: Key) -> Answer | None:
        """A kept answer, also one that is being worked out for somebody else."""
        if (at_work := self._at_work.get((bundle, key))) is not None:
            await at_work.wait()
        return self._kept.get(bundle, key)

    async def _worked_out(self, bundle: str | None, key: Key, scope: Scope, receive: Receive, send: Send) -> Answer | None:
        if bundle is None or key.path in self._fresh:
            return await self._answered(scope, receive, send, lambda: None)
        done = self._at_work.setdefault((bundle, key), Event())

        def release() -> None:
            self._at_work.pop((bundle, key), None)
            done.set()

        try:
            answer = await self._answered(scope, receive, send, release)
            if answer is not None and scope.get(KEEP):
                self._kept.put(bundle, key, answer)
            elif answer is not None:
                self._fresh.add(key.path)
        finally:
            release()
        return answer

    async def _answered(self, scope: Scope, receive: Receive, send: Send, passing: Callable[[], None]) -> Answer | None:
        """An answer with an entity tag as a whole; None where it was something else, which is passed on as it comes.

        `passing` is told of that with the first piece: who waits for the same need not wait for the last one.
        """
        started: list[Message] = []
        answers: list[Answer] = []

        async def collect(part: Message) -> None:
            if part["type"] == "http.response.start" and not scope.get(STREAM) and (tag := _tag(part)):
                started.append(part)
                answers.append(Answer(tag, [header for header in part["headers"] if header[0] not in _OWN]))
            elif started:
                answers[0].codings[IDENTITY] = answers[0].codings.get(IDENTITY, b"") + part.get("body", b"")
            else:
                passing()
                await send(part)

        await self.app(scope, receive, collect)
        return answers[0] if answers else None


def _tag(start: Message) -> str | None:
    """The entity tag of a 200."""
    return Fields(raw=start["headers"]).get("etag") if start["status"] == 200 else None


async def _deliver(answer: Answer, fields: Fields, send: Send, *, often: bool) -> None:
    coding = IDENTITY if len(answer.codings[IDENTITY]) < LEAST else _coding(fields.get("accept-encoding"))
    tag = suffixed(answer.tag, coding)
    if has(fields.get("if-none-match"), answer.tag):
        unsized = [header for header in answer.headers if header[0] != b"content-type"]
        await _send(send, 304, [*unsized, (b"etag", tag.encode())], b"")
        return
    known = answer.codings.get(coding)
    body = known if known is not None else await run_in_threadpool(answer.coded, coding, often=often)
    coded: Headers = [(b"content-encoding", coding.encode())] if coding != IDENTITY else []
    sized = (b"content-length", str(len(body)).encode())
    await _send(send, 200, [*answer.headers, *coded, (b"etag", tag.encode()), sized], body)


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
