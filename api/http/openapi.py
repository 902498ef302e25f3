"""The OpenAPI description: answers are written as ready bytes, so their schemas are data (`schemas.json`)."""

import json
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

ABOUT = (
    "Rules of trading card games with permanent addresses, in Japanese, Chinese and English. "
    "Errors are `application/problem+json` (RFC 9457)."
)
Responses = dict[int | str, dict[str, Any]]
_PROBLEMS = {400: "What was given cannot be used", 404: "Nothing found", 503: "No knowledge base"}


def _content(media: str, schema: str) -> dict[str, Any]:
    return {media: {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _failures() -> Responses:
    return {
        status: {"description": text, "content": _content("application/problem+json", "problem")}
        for status, text in _PROBLEMS.items()
    }


def answer(schema: str) -> Responses:
    """The documented answers of a route whose body has a schema."""
    return {200: {"description": "Found", "content": _content("application/json", schema)}, **_failures()}


def either(*schemas: str) -> Responses:
    """The documented answers of a route whose body has one of several schemas."""
    whole = {"oneOf": [{"$ref": f"#/components/schemas/{schema}"} for schema in schemas]}
    return {200: {"description": "Found", "content": {"application/json": {"schema": whole}}}, **_failures()}


_PARAMETERS: dict[str, tuple[str, str]] = {
    "game": ("path", "The game's slug, e.g. dm"),
    "ref": ("path", "A number, with book and edition before it or without: 400.3b, cr/2024-06-07/400.7"),
    "?ref": ("query", "400.3b, dm:400.3b, mtg:2024-06-07:400.7, MTG CR 400.7d or an IRI"),
    "?lang": ("query", "The answer's language: ja, zh (= zh-Hans), zh-Hant or en; else that of Accept-Language"),
    "?in": ("query", "The book's language"),
    "?games": ("query", "Slugs of games divided by commas; without it all"),
    "?q": ("query", "A question in Japanese, Chinese or English, at most 1000 characters"),
    "?game": ("query", "Slugs of games divided by commas; without it those that the question names, else all"),
    "?limit": ("query", "Hits in one answer, 1 to 100; 10 without it"),
    "?offset": ("query", "Hits to pass over, 0 to 1000"),
    "slug": ("path", "The concept's slug, e.g. graveyard, or its name in any language"),
    "?ref=concept": ("query", "mtg/graveyard, graveyard, a name in any language, slang too, or an IRI; without it all are listed"),
    "?label": ("query", "A name of a concept in any language: 山札, graveyard, yard"),
    "?game=one": ("query", "Slug of the one game to look at"),
    "?kind": (
        "query",
        "zone, sub-zone, composite, not-a-zone, characteristic, state, principle, role, deck, type, position, idea, floor-term",
    ),
    "?offset=page": ("query", "How many to pass over"),
    "?limit=page": ("query", "How many to give at most, up to 1000"),
    "path": ("path", "What follows /id/ in an address: mtg/cr/2024-06-07/400.7d"),
}


def parameters(*names: str) -> dict[str, Any]:
    """The documented parameters of a route that reads them from the request itself.

    `?` marks those of the query, `=` divides a name from what it is about where that differs from route to route.
    FastAPI's own reading of four parameters takes longer than looking the rule up.
    """
    return {"parameters": [_parameter(name, *_PARAMETERS[name]) for name in names]}


def _parameter(name: str, where: str, about: str) -> dict[str, Any]:
    plain, required = name.removeprefix("?").partition("=")[0], where == "path" or name in ("?ref", "?q", "?label")
    return {"name": plain, "in": where, "required": required, "description": about, "schema": {"type": "string"}}


_TURTLE = {"text/turtle": {"schema": {"type": "string"}}}
ID: Responses = {
    200: {"description": "The rule, edition or concept", "content": either("rule", "concept")[200]["content"] | _TURTLE},
    303: {"description": "For a browser: the page about it"},
    307: {"description": "For `latest`: the address in the current edition"},
    406: {"description": "Neither JSON nor Turtle is acceptable"},
    **_failures(),
}
SCHEMA: Responses = {200: {"description": "The vocabulary", "content": _TURTLE}, 404: _failures()[404]}


def install(app: FastAPI) -> None:
    """Has an application describe itself with the schemas of `schemas.json`."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _openapi(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _openapi(app: FastAPI) -> dict[str, Any]:
    described = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    for path in described["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)  # told as 400
    described.setdefault("components", {})["schemas"] = json.loads(files("api").joinpath("data/schemas.json").read_text("utf-8"))
    return described
