"""Query parameters of the HTTP API, from which FastAPI generates the description, and the errors for invalid ones.

This module has the parameters that several routes share; those of a single route are beside it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from fastapi import Path, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field

from api.parameters import AnswerLang, Maybe, field, listed, parameter_error
from api.schemas import Json, parameter_schema
from corpus.errors import InputError
from rulestone import options
from rulestone.limits import REFERENCE

REPEATABLE_KEY = frozenset({"default-graph-uri", "named-graph-uri"})
"""Parameters that may be given several times (SPARQL 1.1 Protocol, section 2.1)."""


class Parameters(BaseModel):
    """The query parameters of a route; all others are refused. Routes without parameters use this class itself.

    Fields have the names of the library's options, and an alias if the parameter has another name.
    """

    model_config = ConfigDict(extra="forbid")

    def options(self, *without: str, **others: Any) -> dict[str, Any]:  # noqa: ANN401
        """The fields as options of the library, `without` some of them; those in `others` replace others."""
        return {name: value for name, value in self if name not in without} | others


Lang = Annotated[
    Maybe[AnswerLang],
    field(options.LANG, "Default: the question's for searches and answers, otherwise that of Accept-Language."),
]
Question = Annotated[str, field(options.QUERY, alias="q")]
View = Annotated[
    Literal["full", "brief"],
    Field(description="`brief`: only the fields that a citation needs, a fifth of the size."),
]


class LanguageQuery(Parameters):
    """Of routes whose only parameter is the language of the answer."""

    lang: Lang = None


PathGame = Annotated[str, Path(description=options.GAME.about)]
PathReference = Annotated[
    str, Path(max_length=REFERENCE, description="Rule number, with or without book and edition: 400.3b, cr/2024-06-07/400.7.")
]


async def refuse_repeated(request: Request) -> None:
    """Raises InputError for a query parameter that occurs several times; FastAPI would use the last."""
    if request.scope["query_string"]:
        unrepeated(request.query_params.multi_items())


def unrepeated(pairs: Iterable[tuple[str, str]]) -> None:
    """Raises InputError for a name that occurs in several pairs."""
    counts = Counter(name for name, _ in pairs if name not in REPEATABLE_KEY)
    if repeats := [name for name, count in counts.items() if count > 1]:
        raise InputError("{names}: given more than once; give each parameter once", names=listed(repeats))


def input_error(request: Request, faults: RequestValidationError) -> InputError:
    """One sentence about the invalid parameters of a request."""
    schemas = _parameter_schemas(request.scope["route"])

    def missing_error(names: list[str]) -> InputError:
        example = "&".join(f"{name}={schemas[name]['examples'][0]}" for name in names)
        return InputError("missing: {names}; e.g. {example}", names=", ".join(names), example=f"?{example}")

    errors = [{**fault, "loc": fault["loc"][1:]} for fault in faults.errors()]  # without `query` or `path`
    return parameter_error(request.url.path, errors, schemas, missing_error)


def _parameter_schemas(route: Any) -> Mapping[str, Json]:  # noqa: ANN401
    """The JSON Schema of each query parameter of a route, by name."""
    [query] = route.dependant.query_params
    schemas: Mapping[str, Json] = parameter_schema(query.field_info.annotation)["properties"]
    return schemas
