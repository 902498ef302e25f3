"""`/v1/search:batch` and `/v1/answers:batch`: many questions as JSON Lines, answered line by line as they are worked out."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from api.encoding import encode
from api.http.openapi import TOO_LARGE, lines_described
from api.http.received import received
from api.http.replies import answer_language, library_of
from corpus.errors import TooLargeError
from rulestone.limits import BATCH_BYTES

router = APIRouter(prefix="/v1", tags=["batch"])
LINES = "application/x-ndjson"


@router.post("/search:batch", **lines_described("search_batch", "batch_question", "batch_search", "?lang", more=TOO_LARGE))
async def search(request: Request) -> Response:
    """What `/v1/search` gives for each line, in order: at most 100 lines and 256 KiB; a line that cannot be asked says why."""
    data, lang = await _sent(request), answer_language(request)
    return await _streamed(lambda: library_of(request).search_lines(data, lang=lang))


@router.post("/answers:batch", **lines_described("ask_batch", "batch_question", "batch_answer", "?lang", more=TOO_LARGE))
async def answers(request: Request) -> Response:
    """What `/v1/answers` gives for each line, in order, as above."""
    data, lang = await _sent(request), answer_language(request)
    return await _streamed(lambda: library_of(request).ask_lines(data, lang=lang))


async def _streamed(begin: Callable[[], Iterator[Any]]) -> Response:
    """The lines as they come; what is wrong with the whole is told before the first."""

    def first() -> Iterator[Any]:
        lines = begin()
        return chain([next(lines)], lines)

    lines = await run_in_threadpool(first)
    return StreamingResponse((encode(line) + b"\n" for line in lines), headers={"Cache-Control": "no-cache"}, media_type=LINES)


async def _sent(request: Request) -> bytes:
    return await received(
        request, BATCH_BYTES, TooLargeError("the batch has more than {most} KiB; send it in parts", most=BATCH_BYTES >> 10)
    )
