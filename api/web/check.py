"""`/check`: a post, a mail or a chatbot's answer is checked against the rules that it cites."""

from collections import Counter
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from api.http.costly import costly_slot
from api.http.request_limits import read_body
from api.text.verify import HINT_LABELS, change_message, nearest_words, scope_message
from api.web.markup import mark_citations
from api.web.rendering import library_of, page, request_reader
from corpus.errors import InputError
from rulestone.limits import TEXT, text_too_long_error

_MAX_FORM_BYTES = 3 * TEXT + (4 << 10)
"""Maximum number of bytes of a request: a form may encode a byte of UTF-8 in three."""


async def check(request: Request) -> Response:
    """The page with a form for a text and, once it is sent, its citations with status and the right words."""
    if request.method != "POST":
        return await run_in_threadpool(_result_page, request, {})
    form = await _read_form(request)
    async with costly_slot(request.app.state.costly_limiter):
        return await run_in_threadpool(_result_page, request, form)


async def _read_form(request: Request) -> dict[str, str]:
    """The fields of the form. Raises TooLargeError as soon as it is too large, InputError if it is not a form."""
    data = await read_body(request, _MAX_FORM_BYTES, text_too_long_error())
    try:
        return dict(parse_qsl(data.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=8))
    except ValueError as fault:
        raise InputError("the form cannot be read; send it from this page") from fault


def _result_page(request: Request, fields: dict[str, str]) -> Response:
    library, reader = library_of(request), request_reader(request)
    text, game, as_of = fields.get("text", ""), fields.get("game") or None, fields.get("as_of") or None
    slugs = list(dict.fromkeys(edition["game"] for edition in library.editions()["editions"]))
    values: dict[str, Any] = {"text": text, "game": game, "as_of": as_of, "slugs": slugs}
    if not text.strip():
        return page(request, "check.html", body=None, **values)
    plain = text.replace("\r\n", "\n")
    body = library.verify(plain, game=game, as_of=as_of, lang=reader.lang, limited=True)
    counts = Counter(citation["status"] for citation in body["citations"])
    return page(
        request,
        "check.html",
        body=body,
        marked_text=mark_citations(plain, body["citations"]),
        counts=counts,
        scope=scope_message,
        change=change_message,
        hint=HINT_LABELS,
        nearest=nearest_words,
        **values,
    )
