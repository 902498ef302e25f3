"""The OpenAPI description. Answers are written as ready bytes, so what describes them is made from the contract's types."""

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from api.http.parameters import SHARED, parameters
from api.http.schemas import components, reference, schema_of
from corpus.contract import Concept, EditionSummary, Rule, Ruling
from corpus.media import ANSWERS

__all__ = [
    "ABOUT",
    "FEED",
    "GRAPH_QUERY",
    "RESOURCE",
    "TURTLE_DESCRIPTION",
    "VOCABULARY",
    "described",
    "download",
    "install",
    "or_download",
    "parameters",
]

ABOUT = (
    "Rules of trading card games with permanent addresses, in Japanese, Chinese and English. "
    "Errors are `application/problem+json` (RFC 9457)."
)
Json = dict[str, Any]
Responses = dict[int | str, Json]
_PROBLEM = {"application/problem+json": {"schema": reference("problem")}}
_PROBLEMS: Responses = {
    status: {"description": text, "content": _PROBLEM}
    for status, text in (
        (400, "What was given cannot be used"),
        (404, "Nothing found"),
        (401, "The server asks for a key, and this is none"),
        (405, "Another method than GET, HEAD or OPTIONS"),
        (414, "The address is longer than 8 KiB"),
        (421, "The server does not go by that name"),
        (429, "Asked too often; Retry-After says when to come again"),
        (503, "No knowledge base"),
    )
}
_ETAG = {"ETag": {"description": "Names this answer; send it back with If-None-Match", "schema": {"type": "string"}}}
_KNOWN: Json = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "Entity tags of answers that the client has; where the answer is still one of them, 304 comes without it",
    "schema": {"type": "string"},
}
_UNCHANGED = {"description": "The client has this answer already (If-None-Match)", "headers": _ETAG}
_HTML = {"text/html": {"schema": {"type": "string"}}}
_TURTLE = {"text/turtle": {"schema": {"type": "string"}}}


EVENTS: Json = {"text/event-stream": {"schema": {"type": "string"}}}


def described(
    operation: str,
    body: Any,  # noqa: ANN401
    *names: str,
    cached: bool = True,
    more: Responses | None = None,
    also: Json | None = None,
) -> Json:
    """What describes a route: the name of its operation, the type of its body, its parameters as `PARAMETERS` has them.

    `more` are other answers, `also` other media types of the body.
    """
    content = {"application/json": {"schema": schema_of(body, {})}} | (also or {})
    responses: Responses = {200: {"description": "Found", "content": content}}
    if cached:
        responses = {200: responses[200] | {"headers": _ETAG}, 304: _UNCHANGED}
    return {"operation_id": operation, "responses": responses | _PROBLEMS | (more or {}), "openapi_extra": parameters(*names)}


def download(operation: str, media: Iterable[str], *names: str) -> Json:
    """What describes a route that answers with a file, in one of some media types."""
    content = {media_type: {"schema": {"type": "string"}} for media_type in media}
    headers = _ETAG | {"Content-Disposition": {"description": "A name for the file", "schema": {"type": "string"}}}
    responses: Responses = {200: {"description": "The file", "headers": headers, "content": content}, 304: _UNCHANGED, **_PROBLEMS}
    extra = {"openapi_extra": parameters(*names), "response_class": Response}
    return {"operation_id": operation, "responses": responses} | extra


def or_download(described: Json, media: Iterable[str]) -> Json:
    """What describes a route that may answer with a file instead."""
    described["responses"][200]["content"] |= {media_type: {"schema": {"type": "string"}} for media_type in media}
    return described


def request_body(body: Any) -> Json:  # noqa: ANN401
    """What describes the JSON that a route is sent, and that it can be too much."""
    content = {"application/json": {"schema": schema_of(body, {})}}
    return {"openapi_extra": {"requestBody": {"required": True, "content": content}}}


def lines_described(operation: str, sent: str, got: str, *names: str, more: Responses | None = None) -> Json:
    """What describes a route that takes JSON Lines and gives them: the names of the schemas of their lines."""
    lines = {"application/x-ndjson": {"schema": {"type": "string", "description": f"Lines of `{got}`"}}}
    asked = {"application/x-ndjson": {"schema": {"type": "string", "description": f"Lines of `{sent}`"}}}
    extra = parameters(*names) | {"requestBody": {"required": True, "content": asked}}
    responses: Responses = {200: {"description": "One line for each line, in order", "content": lines}}
    return {
        "operation_id": operation,
        "response_class": Response,
        "responses": responses | _PROBLEMS | (more or {}),
        "openapi_extra": extra,
    }


def lines_download(operation: str, got: str) -> Json:
    """What describes a route without parameters that answers with JSON Lines: the schemas of its lines."""
    lines = {"application/x-ndjson": {"schema": {"type": "string", "description": f"Lines of {got}"}}}
    responses: Responses = {200: {"description": "The lines", "headers": _ETAG, "content": lines}, 304: _UNCHANGED, **_PROBLEMS}
    extra = {"openapi_extra": parameters(), "response_class": Response}
    return {"operation_id": operation, "responses": responses} | extra


TOO_LARGE: Responses = {413: {"description": "More than is taken at once", "content": _PROBLEM}}


RESOURCE: Responses = {
    200: {
        "description": "The rule, edition, concept or ruling",
        "headers": _ETAG,
        "content": {"application/json": {"schema": schema_of(Rule | EditionSummary | Concept | Ruling, {})}} | _TURTLE | _HTML,
    },
    304: _UNCHANGED,
    307: {"description": "For `latest`: the address in the current edition"},
    406: {"description": "Neither JSON nor Turtle nor HTML is acceptable", "content": _PROBLEM},
    **_PROBLEMS,
}
FEED: Responses = {
    200: {"description": "The editions", "headers": _ETAG, "content": {"application/atom+xml": {"schema": {"type": "string"}}}},
    304: _UNCHANGED,
    **_PROBLEMS,
}
VOCABULARY: Responses = {
    200: {"description": "The vocabulary", "headers": _ETAG, "content": {**_TURTLE, "application/ld+json": {}}},
    304: _UNCHANGED,
    404: _PROBLEMS[404],
    405: _PROBLEMS[405],
}


_CUT = {"type": "string", "enum": ["rows", "bytes"]}
_NOT_ACCEPTABLE = {"description": "None of the acceptable types is there", "content": _PROBLEM}
GRAPH_QUERY: Responses = {
    200: {
        "description": "The answer",
        "headers": _ETAG | {"Rulestone-Truncated": {"description": "What there were too many of", "schema": _CUT}},
        "content": {media: {"schema": {}} for media in ANSWERS.values()},
    },
    304: _UNCHANGED,
    406: _NOT_ACCEPTABLE,
    413: TOO_LARGE[413],
    415: {"description": "No type of a query", "content": _PROBLEM},
    **_PROBLEMS,
}
TURTLE_DESCRIPTION: Responses = {
    200: {"description": "The description", "headers": _ETAG, "content": _TURTLE},
    304: _UNCHANGED,
    **_PROBLEMS,
}


def graph_body() -> Json:
    """What describes the query that a route is sent."""
    words, graphs = {"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string", "format": "uri"}}
    fields: Json = {"query": words, "default-graph-uri": graphs, "named-graph-uri": graphs}
    form = {"type": "object", "required": ["query"], "properties": fields, "additionalProperties": False}
    content = {"application/sparql-query": {"schema": words}, "application/x-www-form-urlencoded": {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}


def install(app: FastAPI) -> None:
    """Has an application describe itself with the contract's schemas."""

    def openapi() -> Json:
        if app.openapi_schema is None:
            app.openapi_schema = _openapi(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _openapi(app: FastAPI) -> Json:
    whole = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    for path in whole["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)  # told as 400
            if "304" in operation["responses"] and operation is path.get("get"):
                operation.setdefault("parameters", []).append(_KNOWN)
    whole.setdefault("components", {})["schemas"] = dict(sorted({**components(), **SHARED}.items()))
    return whole
