"""Linked Data: the addresses of rules and concepts, the vocabulary, VoID, and SPARQL 1.1 Protocol (read only)."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, quote

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import Field, ValidationError
from starlette.responses import RedirectResponse, Response

from api.http import description
from api.http.negotiation import acceptable_media, best_media
from api.http.problems import http_problem
from api.http.queries import REPEATABLE_KEY, Lang, LanguageQuery, Parameters, unrepeated
from api.http.replies import JSON, answer_language, library_of, reply, reply_bytes
from api.http.request_limits import read_body
from api.parameters import Maybe, field
from corpus.contract import Concept, EditionSummary, Rule, Ruling
from corpus.errors import BusyError, InputError, NotAcceptableError, TooLargeError
from corpus.media import MEDIA_BY_FORMAT, RESULTS_JSON, TURTLE
from corpus.messages import message
from rulestone import options
from rulestone.library.linked_data import CONCEPTS, vocabulary, vocabulary_json
from rulestone.limits import SPARQL_LIMITS
from rulestone.options import EditionSet

router = APIRouter()
JSON_LD, HTML = "application/ld+json", "text/html"
_TURTLE_MEDIA_TYPE = f"{TURTLE}; charset=utf-8"
_VARY = "Accept, Accept-Language"
LATEST_SEGMENT = "latest"


@router.get(
    "/id/{path:path}",
    tags=["linked data"],
    response_model=Rule | EditionSummary | Concept | Ruling,
    responses={
        200: {"description": "The rule, edition, concept or ruling", "content": description.media_content(TURTLE, HTML)},
        307: {"description": "For `latest`: the address in the current edition"},
        308: {"description": "For the former address of a concept: its address"},
        406: description.problem_response("Neither JSON nor Turtle nor HTML is acceptable"),
    },
)
def get_resource(
    request: Request,
    path: Annotated[str, Path(description="The part of an address after /id/: mtg/cr/2024-06-07/400.7d")],
    query: Annotated[LanguageQuery, Query()],
) -> Response:
    """The resource at an address: a rule (`/id/mtg/cr/2024-06-07/400.7d`), edition (`/id/mtg/cr/2024-06-07`), concept or ruling.

    `latest` as the edition redirects to the current one, the former address of a concept to its address.
    `/id/concept/mtg/graveyard` is the concept of a game, `/id/concept/graveyard` a cross-game one.
    """
    library = library_of(request)
    if path.split("/")[2:3] == [LATEST_SEGMENT] and not path.startswith(CONCEPTS):
        current = f"/id/{library.current_path(path)}"
        return RedirectResponse(current, 307, {"Vary": _VARY, "Cache-Control": "no-cache"})
    if new_path := library.moved_path(path):
        return RedirectResponse(f"/id/{quote(new_path)}", 308, {"Vary": _VARY, "Cache-Control": "no-cache"})
    media = best_media(request.headers.get("accept"), (JSON, TURTLE))
    if media == JSON:
        body = library.resource(path, lang=answer_language(request, query.lang))
        return reply(request, body, [lang] if isinstance(lang := body.get("lang"), str) else [], vary=_VARY)
    if media == TURTLE:
        return reply_bytes(request, library.turtle(path), _TURTLE_MEDIA_TYPE, vary=_VARY)
    library.kind_at(path)
    reason = message("/id/{path} is available as {types}; name one of them in Accept", path=path, types=f"{JSON}, {TURTLE}, {HTML}")
    return http_problem(request, 406, reason)


@router.get(
    "/ns",
    tags=["linked data"],
    response_class=Response,
    responses={200: {"description": "The vocabulary", "content": description.media_content(TURTLE) | {JSON_LD: {}}}},
)
def get_vocabulary(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """The vocabulary of Rulestone, in Turtle or JSON-LD; browsers get a page."""
    if best_media(request.headers.get("accept"), (TURTLE, JSON_LD)) == JSON_LD:
        return reply_bytes(request, vocabulary_json(), JSON_LD, vary="Accept")
    return reply_bytes(request, vocabulary(), _TURTLE_MEDIA_TYPE, vary="Accept")


@router.get(
    "/.well-known/void",
    tags=["linked data"],
    response_class=Response,
    responses={200: {"description": "The description", "content": description.media_content(TURTLE)}},
)
def get_void(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """A description of the data and its size (VoID), in Turtle."""
    return reply_bytes(request, library_of(request).void(), TURTLE, vary="Accept")


TRUNCATED_HEADER = "Rulestone-Truncated"
"""The header with the limit that truncated a response: `rows` or `bytes`."""
_FORM, _QUERY, _UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
_QUERY_THREADS = 8
"""Number of threads of a process that run queries; look-ups have their own threads."""
_MAX_QUEUED = 32
"""Number of queries that may be queued for one of these threads."""
Graphs = Sequence[Annotated[str, Field(json_schema_extra={"format": "uri"})]]
_GRAPH_PARAMETER = {"type": "array", "items": {"type": "string", "format": "uri"}}


class SparqlQuery(Parameters):
    """Parameters of `/sparql`: SPARQL 1.1 Protocol, section 2.1, and the format of the answer."""

    query: Maybe[str] = Field(
        None,
        min_length=1,
        description="SPARQL 1.1 query. Default: none; the response is the service description",
        examples=["DESCRIBE <address>"],
    )
    default_graphs: Graphs = Field(
        alias="default-graph-uri",
        default_factory=list,
        description="Graphs that form the default graph, instead of FROM",
    )
    named_graphs: Graphs = Field(alias="named-graph-uri", default_factory=list, description="Named graphs, instead of FROM NAMED")
    format: Maybe[Literal["json", "xml", "csv", "tsv", "turtle", "ntriples"]] = Field(
        None, description="Format of the response, instead of Accept"
    )
    editions: EditionSet = field(options.EDITION_SET, "See docs/operations.md.", default="current")
    lang: Lang = None


_QUERY_RESPONSES: description.Responses = {
    200: {
        "description": "The answer",
        "headers": {
            TRUNCATED_HEADER: {
                "description": "The limit that cut the response",
                "schema": {"type": "string", "enum": ["rows", "bytes"]},
            }
        },
        "content": {media: {"schema": {}} for media in MEDIA_BY_FORMAT.values()},
    },
    406: description.problem_response("None of the acceptable types is available"),
    415: description.problem_response("The content type is no query"),
    **description.TOO_LARGE,
}
_QUERY_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            _QUERY: {"schema": {"type": "string", "minLength": 1}},
            _FORM: {
                "schema": {
                    "type": "object",
                    "required": ["query"],
                    "properties": {
                        "query": {"type": "string", "minLength": 1},
                        "default-graph-uri": _GRAPH_PARAMETER,
                        "named-graph-uri": _GRAPH_PARAMETER,
                        "editions": {"type": "string", "enum": ["current", "all"], "default": "current"},
                    },
                    "additionalProperties": False,
                }
            },
        },
    }
}


@router.get("/sparql", tags=["linked data"], response_class=Response, responses=_QUERY_RESPONSES)
async def query(request: Request, query: Annotated[SparqlQuery, Query()]) -> Response:
    """The result of a SPARQL query; without a query, the service description.

    The default graph is the union of all graphs unless the request names others. A result has at most 10,000 solutions or triples
    and 8 MiB; `Rulestone-Truncated` marks one that was cut. A query may take 5 seconds and 512 MB. Updates and SERVICE are refused.
    The first query with `editions=all` writes a store with all editions, which takes a few seconds for each superseded edition.
    """
    if not query.model_fields_set:
        service = await run_sync(library_of(request).service)
        return reply_bytes(request, service, TURTLE, vary="Accept", cacheable=False)
    return await _run_query(request, query)


@router.post("/sparql", tags=["linked data"], response_class=Response, responses=_QUERY_RESPONSES, openapi_extra=_QUERY_BODY)
async def query_by_post(request: Request, _: Annotated[SparqlQuery, Query()]) -> Response:
    """The result of a query in the body: `application/sparql-query`, or a form with the same parameters."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media not in (_FORM, _QUERY, _UPDATE):
        reason = message("a query must be sent as {types}", types=f"{_QUERY}, {_FORM}")
        return http_problem(request, 415, reason)
    if media == _UPDATE:
        raise InputError("this is an update, and the knowledge base is read-only; expected a query, as {type}", type=_QUERY)
    body = await _query_in_body(request)
    form = [("query", body)] if media == _QUERY else parse_qsl(body, keep_blank_values=True)
    return await _run_query(request, _parse_parameters([*request.query_params.multi_items(), *form]))


async def _query_in_body(request: Request) -> str:
    """The body of a request. Raises TooLargeError as soon as it is too large, InputError if it is not UTF-8."""
    most = int(SPARQL_LIMITS.query)
    refusal = TooLargeError("the query has more than {most} KiB; expected a SPARQL query", most=most >> 10)
    data = await read_body(request, 4 * most, refusal)  # a form may encode a byte in three
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        raise InputError("the query is not UTF-8 text (byte {place})", place=fault.start) from fault


def _parse_parameters(pairs: Iterable[tuple[str, str]]) -> SparqlQuery:
    """The parameters of the address and of the form. Raises InputError, RequestValidationError."""
    pairs = list(pairs)
    if any(name == "update" for name, _ in pairs):
        raise InputError("this is an update, and the knowledge base is read-only; expected a query, as {type}", type="query")
    unrepeated(pairs)
    values: dict[str, Any] = {
        name: [value for other, value in pairs if other == name] for name, _ in pairs if name in REPEATABLE_KEY
    }
    try:
        return SparqlQuery.model_validate(dict(pairs) | values)
    except ValidationError as error:
        faults = error.errors(include_url=False)
        raise RequestValidationError([{**fault, "loc": ("query", *fault["loc"])} for fault in faults]) from error


async def _run_query(request: Request, query: SparqlQuery) -> Response:
    words = query.query
    if words is None:
        raise InputError("missing: {names}; e.g. {example}", names="query", example="?query=DESCRIBE <address>")
    media = _accepted_media(request, query.format)
    library, threads = library_of(request), _thread_limiter(request)
    if threads.statistics().tasks_waiting >= _MAX_QUEUED:
        raise BusyError("too many queries are running; retry in {seconds:g} s", seconds=SPARQL_LIMITS.wait)
    answer = await run_sync(
        lambda: library.sparql(
            words,
            media=media,
            default_graphs=query.default_graphs,
            named_graphs=query.named_graphs,
            rows=int(SPARQL_LIMITS.rows),
            size=int(SPARQL_LIMITS.bytes),
            seconds=SPARQL_LIMITS.seconds,
            editions=query.editions,
        ),
        limiter=threads,
    )
    reply = reply_bytes(request, answer.body, answer.media, vary="Accept", cacheable=False)
    if answer.truncated_by:
        reply.headers[TRUNCATED_HEADER] = answer.truncated_by
    return reply


def _thread_limiter(request: Request) -> CapacityLimiter:
    """The threads that run queries."""
    state = request.app.state
    if not hasattr(state, "query_threads"):
        state.query_threads = CapacityLimiter(_QUERY_THREADS)
    threads: CapacityLimiter = state.query_threads
    return threads


def _accepted_media(request: Request, format_: str | None) -> Sequence[str]:
    """The media types that an answer may have, the best first. Raises NotAcceptableError."""
    if format_ is not None:
        return (MEDIA_BY_FORMAT[format_],)
    accept = request.headers.get("accept")
    if acceptable := acceptable_media(accept, (*MEDIA_BY_FORMAT.values(), JSON)):
        return [RESULTS_JSON if media == JSON else media for media in acceptable]
    raise NotAcceptableError(
        "an answer is available as {types}; name one of them in Accept", types=", ".join(MEDIA_BY_FORMAT.values())
    )
