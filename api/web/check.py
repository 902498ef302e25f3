"""`/check`: a post, a mail or a chatbot's answer is checked against the rules that it cites."""

from collections import Counter
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from api.http.request_limits import body_of
from api.text.verify import HINT, change, scope, status
from api.web.markup import cited
from api.web.rendering import library_of, reader_of, shown
from corpus.errors import InputError
from rulestone.limits import TEXT, too_long_text

_LARGEST = 3 * TEXT + (4 << 10)
"""Maximum number of bytes of a request: a form may encode a byte of UTF-8 in three."""


async def check(request: Request) -> Response:
    """The page with a form for a text and, once it is sent, its citations with status and the right words."""
    given = await _given(request) if request.method == "POST" else {}
    return await run_in_threadpool(_checked, request, given)


async def _given(request: Request) -> dict[str, str]:
    """The fields of the form. Raises TooLargeError as soon as it is too large, InputError if it is not a form."""
    data = await body_of(request, _LARGEST, too_long_text())
    try:
        return dict(parse_qsl(data.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=8))
    except ValueError as fault:
        raise InputError("the form cannot be read; send it from this page") from fault


def _checked(request: Request, given: dict[str, str]) -> Response:
    library, reader = library_of(request), reader_of(request)
    text, game, as_of = given.get("text", ""), given.get("game") or None, given.get("as_of") or None
    slugs = list(dict.fromkeys(edition["game"] for edition in library.editions()["editions"]))
    values: dict[str, Any] = {"text": text, "game": game, "as_of": as_of, "slugs": slugs}
    if not text.strip():
        return shown(request, "check.html", body=None, **values)
    plain = text.replace("\r\n", "\n")
    body = library.verify(plain, game=game, as_of=as_of, lang=reader.lang, limited=True)
    counts = Counter(map(status, body["citations"]))
    return shown(
        request,
        "check.html",
        body=body,
        marked_text=cited(plain, body["citations"]),
        counts=counts,
        status_of=status,
        scope=scope,
        change=change,
        hint=HINT,
        **values,
    )
