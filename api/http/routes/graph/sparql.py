"""`/sparql`: SPARQL 1.1 Protocol, read only; `/.well-known/void`: the description of the data."""

from collections.abc import Sequence
from urllib.parse import parse_qsl

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Request
from starlette.responses import Response

from api.http.delivery.accept import welcome
from api.http.openapi import GRAPH_QUERY, TURTLE_DESCRIPTION, graph_body, parameters
from api.http.problems import plain
from api.http.received import received
from api.http.replies import library_of, reply_bytes
from corpus.errors import BusyError, InputError, NotAcceptableError, TooLargeError
from corpus.media import ANSWERS, RESULTS_JSON, TURTLE
from corpus.messages import message
from rulestone.limits import SPARQL

router = APIRouter(tags=["linked data"])
ENDPOINT = "/sparql"
TRUNCATED = "Rulestone-Truncated"
"""The header that says why an answer is not whole: `rows` or `bytes`."""
_FORM, _QUERY, _UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
_PARAMETERS = ("?query", "?default-graph-uri", "?named-graph-uri", "?format=sparql", "?lang")
_NAMES = tuple(name.removeprefix("?").partition("=")[0] for name in _PARAMETERS)
_LISTS = frozenset({"default-graph-uri", "named-graph-uri"})
_THREADS = 8
"""Queries that a process of the server waits for at once; look-ups have threads of their own."""
_IN_LINE = 32
"""Queries that may wait for one of these threads."""

Given = list[tuple[str, str]]


@router.get(ENDPOINT, operation_id="query", responses=GRAPH_QUERY, openapi_extra=parameters(*_PARAMETERS))
async def sparql(request: Request) -> Response:
    """The answer to a query over everything, which is one default graph unless others are named; without one, what can be asked.

    At most 10,000 solutions or triples and 8 MiB are given; an answer that was cut says so in `Rulestone-Truncated`. A query may
    take 5 seconds and 512 MB. Updates and SERVICE are refused.
    """
    given = request.query_params.multi_items()
    if not given:
        return await _described(request)
    return await _answered(request, given)


@router.post(ENDPOINT, operation_id="query_by_post", responses=GRAPH_QUERY, openapi_extra=parameters(*_PARAMETERS) | graph_body())
async def sparql_by_post(request: Request) -> Response:
    """The same for a query in the body: `application/sparql-query`, or a form with the same parameters."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media not in (_FORM, _QUERY, _UPDATE):
        there = message("a query is sent as {types}; other types are not read", types=f"{_QUERY}, {_FORM}")
        return plain(request, 415, there)
    if media == _UPDATE:
        raise InputError("this is an update; the knowledge base is only read: expected a query, as {type}", type=_QUERY)
    body = await _sent(request)
    given = request.query_params.multi_items()
    sent = [("query", body)] if media == _QUERY else parse_qsl(body, keep_blank_values=True)
    return await _answered(request, _checked([*given, *sent]))


@router.get("/.well-known/void", operation_id="get_void", responses=TURTLE_DESCRIPTION)
def void(request: Request) -> Response:
    """What the data is and how much of it there is (VoID), in Turtle."""
    return reply_bytes(request, library_of(request).void(), TURTLE, vary="Accept")


async def _described(request: Request) -> Response:
    description = await run_sync(library_of(request).service)
    return reply_bytes(request, description, TURTLE, vary="Accept", keep=False)


async def _answered(request: Request, given: Given) -> Response:
    query = next((value for name, value in given if name == "query"), None)
    if query is None:
        raise InputError("no query is asked; give one with ?query=, e.g. ?query=DESCRIBE <address>")
    default, named = _graphs(given, "default-graph-uri"), _graphs(given, "named-graph-uri")
    media = _media(request, next((value for name, value in given if name == "format"), None))
    library, line = library_of(request), _line(request)
    if line.statistics().tasks_waiting >= _IN_LINE:
        raise BusyError("too many queries are being answered; ask again in {seconds:g} s", seconds=SPARQL.wait)
    answer = await run_sync(
        lambda: library.sparql(
            query,
            media=media,
            default_graphs=default,
            named_graphs=named,
            rows=int(SPARQL.rows),
            size=int(SPARQL.bytes),
            seconds=SPARQL.seconds,
        ),
        limiter=line,
    )
    reply = reply_bytes(request, answer.body, answer.media, vary="Accept", keep=False)
    if answer.cut:
        reply.headers[TRUNCATED] = answer.cut
    return reply


def _line(request: Request) -> CapacityLimiter:
    """The threads that wait for queries."""
    state = request.app.state
    if not hasattr(state, "querying"):
        state.querying = CapacityLimiter(_THREADS)
    line: CapacityLimiter = state.querying
    return line


def _media(request: Request, format_: str | None) -> Sequence[str]:
    if format_ is not None:
        if format_ not in ANSWERS:
            raise InputError("format {given!r}: expected one of {known}", given=format_[:40], known=", ".join(ANSWERS))
        return (ANSWERS[format_],)
    accept = request.headers.get("accept")
    liked = welcome(accept, (*ANSWERS.values(), "application/json"))
    if not liked:
        raise NotAcceptableError(
            "an answer is there as {types}; ask for one of them with Accept", types=", ".join(ANSWERS.values())
        )
    return [RESULTS_JSON if media == "application/json" else media for media in liked]


def _graphs(given: Given, name: str) -> Sequence[str]:
    return [value for field, value in given if field == name]


async def _sent(request: Request) -> str:
    """The body of a request. Raises TooLargeError as soon as it is too large, InputError for what is no UTF-8."""
    most = int(SPARQL.query)
    refusal = TooLargeError("the query has more than {most} KiB; expected a SPARQL query", most=most >> 10)
    data = await received(request, 4 * most, refusal)  # a form may write a byte in three
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        raise InputError("the query is not UTF-8 text (byte {place})", place=fault.start) from fault


def _checked(given: Given) -> Given:
    """What a form gives, as `only_known` has it of a query. Raises InputError."""
    if any(name == "update" for name, _ in given):
        raise InputError("this is an update; the knowledge base is only read: expected a query, as {type}", type="query")
    if unknown := [name for name in dict(given) if name not in _NAMES]:
        raise InputError(
            "{path} knows no parameter {unknown}; it takes {known}",
            path=ENDPOINT,
            unknown=", ".join(name[:40] for name in unknown[:5]),
            known=", ".join(_NAMES),
        )
    names = [name for name, _ in given if name not in _LISTS]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise InputError("{names}: given more than once; give each parameter once", names=", ".join(twice))
    return given
