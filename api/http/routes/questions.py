"""Questions in a person's words: search, answers (also many at once), suggestions while typing, cards, and checked citations."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from api.encoding import encode
from api.http import description
from api.http.costly import COSTLY, COSTLY_UNTIL_SENT
from api.http.negotiation import best_media
from api.http.queries import Lang, LanguageQuery, Parameters, Question, View
from api.http.replies import JSON, LANGUAGE_HEADER, answer_language, library_of, reply
from api.http.request_limits import read_body
from api.http.routes.library import JSON_LINES
from api.languages import accepted_language
from api.parameters import AsOf, BookLang, GamesOfGame, Maybe, QuestionGames, field
from api.schemas import REFERENCE_TEMPLATE
from corpus.contract import Ask, BriefAsk, BriefSearch, Cards, Search, Suggestions, Verify, VerifyRequest
from corpus.errors import InputError, TooLargeError
from rulestone import options
from rulestone.brief import brief_answer, brief_search
from rulestone.languages import DEFAULT_LANGUAGE
from rulestone.limits import (
    BATCH_BYTES,
    HIT_LIMITS,
    HIT_OFFSETS,
    MAX_QUERY_LENGTH,
    MAX_REFS,
    REFERENCE,
    SUGGESTION_LIMITS,
    TEXT,
    text_too_long_error,
)
from rulestone.options import HitKind

router = APIRouter(prefix="/v1")
EVENT_STREAM = "text/event-stream"
_VARY_HEADER = f"Accept, {LANGUAGE_HEADER}"
_VERIFY_BYTES = 6 * TEXT + (4 << 10)
"""Maximum bytes of a request to verify: JSON may need six bytes per character."""
_VERIFY_FIELDS = tuple(VerifyRequest.__annotations__)
_VERIFY_FLAGS = ("strict",)
_VERIFY_LISTS = ("allowed",)


class SearchQuery(Parameters):
    """Parameters of `/v1/search`."""

    query: Question
    games: QuestionGames = None
    lang: Lang = None
    book_lang: BookLang = None
    as_of: AsOf = None
    kind: Maybe[HitKind] = field(options.HIT_KIND, default=None)
    limit: int = field(options.LIMIT.within(HIT_LIMITS))
    offset: int = field(options.OFFSET.within(HIT_OFFSETS))
    view: View = "full"
    examples: bool = field(options.HIT_EXAMPLES, default=True)
    siblings: bool = Field(False, description="Whether hits name what stands beside them in the book, with its first words.")
    seen: Maybe[str] = field(
        options.SEEN, "Separated by commas.", default=None, min_length=1, max_length=MAX_REFS * (REFERENCE + 1)
    )


@router.get("/search", tags=["search"], response_model=Search | BriefSearch)
def search(request: Request, query: Annotated[SearchQuery, Query()]) -> Response:
    """Rules that answer a question in any language, with highlights and counterparts; or the reason for abstaining."""
    body = library_of(request).search(**query.options("view"))
    once = query.siblings or query.seen is not None  # asked for by a model; other clients have the words of every hit
    return reply(request, brief_search(body, once=once) if query.view == "brief" else body, [body["lang"]], cacheable=False)


class AskQuery(Parameters):
    """Parameters of `/v1/answers`."""

    query: Question
    games: QuestionGames = None
    lang: Lang = None
    as_of: AsOf = None
    view: View = "full"


@router.get(
    "/answers",
    tags=["answers"],
    response_model=Ask | BriefAsk,
    responses={200: {"content": description.media_content(EVENT_STREAM)}},
)
def ask(request: Request, query: Annotated[AskQuery, Query()]) -> Response:
    """A few quotations of rules that answer a question: the best rule first, exceptions last.

    An answer needs more evidence than a search, so it abstains more often. `Accept: text/event-stream` returns server-sent events:
    `answer`, then each `claim`, `difference` and `ruling`, then `end`.
    """
    body = library_of(request).ask(**query.options("view"))
    if best_media(request.headers.get("accept"), (JSON, EVENT_STREAM)) == EVENT_STREAM:
        headers = {"Cache-Control": "no-cache", "Vary": _VARY_HEADER, "Content-Language": body["lang"], "X-Accel-Buffering": "no"}
        return StreamingResponse(server_sent_events(body), headers=headers, media_type=EVENT_STREAM)
    return reply(request, brief_answer(body) if query.view == "brief" else body, [body["lang"]], vary=_VARY_HEADER, cacheable=False)


def server_sent_events(body: Ask) -> Iterator[bytes]:
    """An answer as server-sent events (WHATWG HTML): its scalar fields, each item of its lists, and the end."""
    yield _server_sent_event("answer", {name: value for name, value in body.items() if not isinstance(value, list)})
    for name, items in (("claim", body["claims"]), ("difference", body["differences"]), ("ruling", body["rulings"])):
        yield from (_server_sent_event(name, item) for item in items)
    yield _server_sent_event("end", {})


def _server_sent_event(name: str, data: Mapping[str, object]) -> bytes:
    """One event, whose JSON is one line."""
    return b"event: %b\ndata: %b\n\n" % (name.encode(), encode(data))


def _batch_responses(answer: str) -> dict[str, Any]:
    """The description of a route that answers lines with lines of a type of the contract."""
    questions = description.media_content(JSON_LINES, about="Lines of `BatchQuestion`")
    lines = description.media_content(JSON_LINES, about=f"Lines of `{answer}`")
    return {
        "tags": ["batch"],
        "dependencies": [COSTLY_UNTIL_SENT],
        "response_class": Response,
        "responses": {200: {"description": "A line for each line, in order", "content": lines}, **description.TOO_LARGE},
        "openapi_extra": {"requestBody": {"required": True, "content": questions}},
    }


@router.post("/search:batch", **_batch_responses("BatchSearch"))
async def search_batch(request: Request, query: Annotated[LanguageQuery, Query()]) -> Response:
    """The answer of `/v1/search` to each line, in order, or its error.

    Each line is JSON with `query` and, if wanted, `id`, `game` and `lang`. At most 100 lines and 256 KiB.
    """
    data, lang = await _read_batch(request), answer_language(request, query.lang)
    return await _json_lines_reply(lambda: library_of(request).search_lines(data, lang=lang))


@router.post("/answers:batch", **_batch_responses("BatchAnswer"))
async def ask_batch(request: Request, query: Annotated[LanguageQuery, Query()]) -> Response:
    """The answer of `/v1/answers` to each line, in order, or its error.

    Each line is JSON with `query` and, if wanted, `id`, `game` and `lang`. At most 100 lines and 256 KiB.
    """
    data, lang = await _read_batch(request), answer_language(request, query.lang)
    return await _json_lines_reply(lambda: library_of(request).ask_lines(data, lang=lang))


async def _read_batch(request: Request) -> bytes:
    refusal = TooLargeError("the batch has more than {most} KiB; send it in parts", most=BATCH_BYTES >> 10)
    return await read_body(request, BATCH_BYTES, refusal)


async def _json_lines_reply(answer: Callable[[], Iterator[Any]]) -> Response:
    """Streams the lines. Raises the errors of the whole batch before the first line is sent."""

    def first_line() -> Iterator[Any]:
        lines = answer()
        return chain([next(lines)], lines)

    lines = await run_in_threadpool(first_line)
    return StreamingResponse((encode(line) + b"\n" for line in lines), headers={"Cache-Control": "no-cache"}, media_type=JSON_LINES)


class SuggestQuery(Parameters):
    """Parameters of `/v1/suggestions`."""

    typed: str = Field(
        alias="q", min_length=1, max_length=MAX_QUERY_LENGTH, description="Beginning of a number, name or title.", examples=["grav"]
    )
    game: Maybe[str] = field(options.GAME, default=None)
    lang: Lang = None
    limit: int = field(options.LIMIT.within(SUGGESTION_LIMITS))


@router.get("/suggestions", tags=["search"], response_model=Suggestions)
def suggest(request: Request, query: Annotated[SuggestQuery, Query()]) -> Response:
    """Completions for typed text: rules by their number, concepts and cards by their name, sections by part of their title."""
    body = library_of(request).suggest(**query.options(lang=answer_language(request, query.lang)))
    return reply(request, body, [body["lang"]], cacheable=False)


class CardsQuery(Parameters):
    """Parameters of `/v1/cards`."""

    name: str = field(options.CARD)
    games: GamesOfGame = None
    lang: Lang = None


@router.get("/cards", tags=["cards"], response_model=Cards)
def get_cards(request: Request, query: Annotated[CardsQuery, Query()]) -> Response:
    """Cards by their name in any language: their names and texts, and the concepts in the texts with the rules that define them."""
    body = library_of(request).cards(**query.options(lang=answer_language(request, query.lang)))
    return reply(request, body, [body["lang"]])


@router.post(
    "/verify",
    tags=["verify"],
    dependencies=[COSTLY],
    response_model=Verify,
    responses=description.TOO_LARGE,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": REFERENCE_TEMPLATE.format(model="VerifyRequest")}}},
        }
    },
)
async def verify(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Checks each citation in a text: whether the rule exists, still has that number, and contains the quoted words.

    The body is JSON with `text` and, if wanted, `game`, `as_of`, `lang`, `strict` and `allowed`. With `strict`, the response also
    has the text with each unverified sentence marked, and a verdict. With `allowed`, the references of the rules that the writer
    has read, each citation says whether its rule is among them (`read`).
    """
    fields = _verify_fields(await read_body(request, _VERIFY_BYTES, text_too_long_error()))
    lang = fields.get("lang") or accepted_language(request.headers.get("accept-language")) or DEFAULT_LANGUAGE
    others: dict[str, Any] = {name: fields.get(name) for name in ("game", "as_of", "allowed")}
    others |= {"lang": lang, "strict": bool(fields.get("strict"))}
    body = await run_in_threadpool(lambda: library_of(request).verify(fields["text"], **others, limited=True))
    return Response(encode(body), headers={"Cache-Control": "no-cache", "Content-Language": body["lang"]}, media_type=JSON)


def _verify_fields(data: bytes) -> dict[str, Any]:
    """The fields of a request. Raises InputError unless it is a JSON object of known fields, each once."""
    try:
        fields = json.loads(data, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or not isinstance(fields.get("text"), str):
        raise InputError('expected a JSON object with "text", a string; it may have {known}', known=", ".join(_VERIFY_FIELDS[1:]))
    if unknown := [name for name in fields if name not in _VERIFY_FIELDS]:
        raise InputError(
            "{path} has no field {unknown}; known fields: {known}",
            path="/v1/verify",
            unknown=", ".join(name[:40] for name in unknown[:5]),
            known=", ".join(_VERIFY_FIELDS),
        )
    others = (*_VERIFY_FLAGS, *_VERIFY_LISTS)
    if wrong := [name for name in _VERIFY_FIELDS if name not in others and not isinstance(fields.get(name), str | None)]:
        raise InputError("{names}: expected a string or null", names=", ".join(wrong))
    if wrong := [name for name in _VERIFY_FLAGS if not isinstance(fields.get(name), bool | None)]:
        raise InputError("{names}: expected true, false or null", names=", ".join(wrong))
    if wrong := [name for name in _VERIFY_LISTS if not _is_list_of_words(fields.get(name))]:
        raise InputError("{names}: expected a list of strings or null", names=", ".join(wrong))
    return fields


def _is_list_of_words(value: object) -> bool:
    """Whether a field is a list of strings, or missing."""
    return value is None or (isinstance(value, list) and all(isinstance(word, str) for word in value))


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object. Raises InputError for a repeated one."""
    if repeats := [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]:
        raise InputError("{names}: given more than once; give each field once", names=", ".join(name[:40] for name in repeats[:5]))
    return dict(pairs)
