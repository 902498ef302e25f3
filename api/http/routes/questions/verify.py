"""`/v1/verify`: the citations and quotations of a text."""

import json
from collections import Counter
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from api.encoding import encode
from api.http.openapi import TOO_LARGE, described, request_body
from api.http.received import received
from api.http.replies import JSON, library_of
from api.languages import accepted
from corpus.contract import Verify, VerifyRequest
from corpus.errors import InputError
from rulestone.languages import DEFAULT
from rulestone.limits import TEXT, too_long_text

router = APIRouter(prefix="/v1/verify", tags=["verify"])
_FIELDS = tuple(VerifyRequest.__annotations__)
_FLAGS = ("strict",)
_LARGEST = 6 * TEXT + (4 << 10)
"""Bytes of a request: JSON may write a character in six bytes."""


@router.post("", **described("verify", Verify, cached=False, more=TOO_LARGE) | request_body(VerifyRequest))
async def verify(request: Request) -> Response:
    """Every citation of a text with its status: whether the rule exists, still stands there, and has the words quoted.

    With `strict` the text comes back with each sentence marked whose citations are not all verified, and a verdict.
    """
    given = _given(await received(request, _LARGEST, too_long_text()))
    lang = given.get("lang") or accepted(request.headers.get("accept-language")) or DEFAULT
    library = library_of(request)
    options: dict[str, Any] = {
        "game": given.get("game"),
        "as_of": given.get("as_of"),
        "lang": lang,
        "strict": bool(given.get("strict")),
    }
    body = await run_in_threadpool(lambda: library.verify(given["text"], **options, limited=True))
    return Response(encode(body), headers={"Cache-Control": "no-cache", "Content-Language": body["lang"]}, media_type=JSON)


def _given(data: bytes) -> dict[str, Any]:
    """The fields of a request. Raises InputError for what is not a JSON object of the fields that are known, each once."""
    try:
        given = json.loads(data, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict) or not isinstance(given.get("text"), str):
        raise InputError('expected a JSON object with "text", a string; it may have {known}', known=", ".join(_FIELDS[1:]))
    if unknown := [name for name in given if name not in _FIELDS]:
        raise InputError(
            "{path} knows no field {unknown}; it takes {known}",
            path="/v1/verify",
            unknown=", ".join(name[:40] for name in unknown[:5]),
            known=", ".join(_FIELDS),
        )
    if wrong := [name for name in _FIELDS if name not in _FLAGS and not isinstance(given.get(name), str | None)]:
        raise InputError("{names}: expected a string or null", names=", ".join(wrong))
    if wrong := [name for name in _FLAGS if not isinstance(given.get(name), bool | None)]:
        raise InputError("{names}: expected true, false or null", names=", ".join(wrong))
    return given


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object. Raises InputError for one that is given twice."""
    if twice := [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]:
        raise InputError("{names}: given more than once; give each field once", names=", ".join(name[:40] for name in twice[:5]))
    return dict(pairs)
