"""The OpenAPI description: FastAPI's description of the routes, and their common parts."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from api.schemas import REFERENCE, contract_definitions

ABOUT = (
    "Rules of trading card games with permanent addresses, in Japanese, Chinese and English. "
    "Errors are `application/problem+json` (RFC 9457)."
)
Json = dict[str, Any]
Responses = dict[int | str, Json]


def media(*types: str, about: str = "") -> Json:
    """The content of an answer or request that is not JSON, in one of some media types."""
    return {kind: {"schema": {"type": "string", "description": about} if about else {"type": "string"}} for kind in types}


def problem(about: str) -> Json:
    """A response with a problem document."""
    return {"description": about, "content": {"application/problem+json": {"schema": {"$ref": REFERENCE.format(model="Problem")}}}}


PROBLEMS: Responses = {
    400: problem("A parameter is unknown, missing, repeated or wrong"),
    401: problem("The server requires a key, and this is none"),
    404: problem("Nothing found"),
    405: problem("Another method than GET, HEAD or OPTIONS"),
    414: problem("The address is longer than 8 KiB"),
    421: problem("The server does not have that name"),
    429: problem("Too many requests; Retry-After gives the seconds until the next"),
    503: problem("No knowledge base"),
}
"""Responses that any route may return."""
TOO_LARGE: Responses = {413: problem("The body is larger than the route takes")}
_UNCACHED = {"/healthz"}
_ETAG = {"ETag": {"description": "Entity tag of this response, for If-None-Match", "schema": {"type": "string"}}}
_UNCHANGED = {"description": "The client has this response already (If-None-Match)", "headers": _ETAG}
_IF_NONE_MATCH: Json = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "Entity tags of responses that the client has; if the current one is among them, the server sends 304",
    "schema": {"type": "string"},
}


def install(app: FastAPI) -> None:
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
            if method == "get" and path not in _UNCACHED:
                operation["responses"]["304"] = _UNCHANGED
                operation["responses"]["200"].setdefault("headers", {}).update(_ETAG)
                operation["parameters"] = [*operation.get("parameters", ()), _IF_NONE_MATCH]
            operation.get("parameters", []).sort(key=lambda parameter: not parameter["required"])
    schemas = whole["components"]["schemas"] | contract_definitions()
    whole["components"]["schemas"] = {name: schemas[name] for name in sorted(schemas) if not name.endswith("ValidationError")}
    return whole
