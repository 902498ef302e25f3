"""The OpenAPI description: FastAPI's description of the routes, and their common parts."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from api.schemas import REFERENCE_TEMPLATE, contract_schemas

API_DESCRIPTION = (
    "Rules of trading card games with permanent addresses, in Japanese, Chinese and English. "
    "Errors are `application/problem+json` (RFC 9457)."
)
Json = dict[str, Any]
Responses = dict[int | str, Json]


def media_content(*types: str, about: str = "") -> Json:
    """The content of an answer or request that is not JSON, in one of some media types."""
    return {kind: {"schema": {"type": "string", "description": about} if about else {"type": "string"}} for kind in types}


def problem_response(about: str) -> Json:
    """A response with a problem document."""
    return {
        "description": about,
        "content": {"application/problem+json": {"schema": {"$ref": REFERENCE_TEMPLATE.format(model="Problem")}}},
    }


PROBLEMS: Responses = {
    400: problem_response("A parameter is unknown, missing, repeated or wrong"),
    401: problem_response("The server requires a key, and this is none"),
    404: problem_response("Nothing found"),
    405: problem_response("Another method than GET, HEAD or OPTIONS"),
    414: problem_response("The address is longer than 8 KiB"),
    421: problem_response("The server does not have that name"),
    429: problem_response("Too many requests; Retry-After gives the seconds until the next"),
    503: problem_response("No knowledge base"),
}
"""Responses that any route may return."""
TOO_LARGE: Responses = {413: problem_response("The body is larger than the route takes")}
_UNCACHED_PATHS = {"/healthz"}
_ETAG_HEADER = {"ETag": {"description": "Entity tag of this response, for If-None-Match", "schema": {"type": "string"}}}
_NOT_MODIFIED = {"description": "The client has this response already (If-None-Match)", "headers": _ETAG_HEADER}
_IF_NONE_MATCH: Json = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "Entity tags of responses that the client has; if the current one is among them, the server sends 304",
    "schema": {"type": "string"},
}


def install_openapi(app: FastAPI) -> None:
    """Replaces the function that generates an application's description."""

    def openapi() -> Json:
        if app.openapi_schema is None:
            app.openapi_schema = _openapi(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _openapi(app: FastAPI) -> Json:
    """FastAPI's description, with conditional requests and without 422: requests that FastAPI refuses get 400 here."""
    whole = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    for path, item in whole["paths"].items():
        for method, operation in item.items():
            operation["responses"].pop("422", None)
            if method == "get" and path not in _UNCACHED_PATHS:
                operation["responses"]["304"] = _NOT_MODIFIED
                operation["responses"]["200"].setdefault("headers", {}).update(_ETAG_HEADER)
                operation["parameters"] = [*operation.get("parameters", ()), _IF_NONE_MATCH]
            operation.get("parameters", []).sort(key=lambda parameter: not parameter["required"])
    schemas = whole["components"]["schemas"] | contract_schemas()
    whole["components"]["schemas"] = {name: schemas[name] for name in sorted(schemas) if not name.endswith("ValidationError")}
    return whole
