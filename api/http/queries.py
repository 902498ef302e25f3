"""Request parameters as pydantic types, from which FastAPI generates the description, and the errors for invalid ones.

This module has the parameters that several routes share; those of a single route are beside it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union

from fastapi import Path, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypeAliasType

from corpus.errors import InputError
from corpus.messages import message
from rulestone.languages import parse_language
from rulestone.limits import MAX_QUERY_LENGTH, NAME, REFERENCE, Range

REPEATABLE_KEY = frozenset({"default-graph-uri", "named-graph-uri"})
"""Parameters that may be given several times (SPARQL 1.1 Protocol, section 2.1)."""
_NAMED, _LONGEST = 5, 40
"""Maximum number of parameters that an error names, and of characters of a name or value that it repeats."""

T = TypeVar("T")
Maybe = Union[T, SkipJsonSchema[None]]  # noqa: UP007, which mypy takes for no type
"""The type of an optional parameter. The description omits null, which a query string cannot express."""


class Parameters(BaseModel):
    """The query parameters of a route; all others are refused. Routes without parameters use this class itself.

    Fields have the names of the library's options, and an alias if the parameter has another name.
    """

    model_config = ConfigDict(extra="forbid")

    def options(self, *without: str, **others: Any) -> dict[str, Any]:  # noqa: ANN401
        """The fields as options of the library, `without` some of them; those in `others` replace others."""
        return {name: value for name, value in self if name not in without} | others


def _language(tag: str) -> str:
    """The language of a BCP 47 tag; for an unknown language the tag itself, which then fails validation."""
    return parse_language(tag) or tag


def bounded_field(bounds: Range, about: str) -> Any:  # noqa: ANN401
    """The pydantic field of a whole number within a range, with its default."""
    return Field(bounds.usual, ge=bounds.least, le=bounds.most, description=about)


AnswerLang = TypeAliasType(
    "AnswerLang",
    Annotated[Literal["ja", "zh", "zh-Hans", "zh-Hant", "en"], BeforeValidator(_language), Field(description="`zh` is `zh-Hans`.")],
)
Lang = Annotated[
    Maybe[AnswerLang],
    Field(
        description="Language of the answer. Default: the question's for searches and answers, otherwise that of Accept-Language"
    ),
]
BookLang = Annotated[Maybe[AnswerLang], Field(alias="in", description="Language of the book")]
AsOf = Annotated[
    Maybe[str],
    Field(
        min_length=1,
        max_length=NAME,
        description="Answer from the editions current at a date (2024-06-07), month (2024-06), year (2024) or edition "
        "(mtg/cr/2024-06-07)",
        examples=["2024-06-07"],
    ),
]
Reference = Annotated[
    str,
    Field(
        min_length=1,
        max_length=REFERENCE,
        description="Reference to a rule: 400.3b, dm:400.3b, mtg:2024-06-07:400.7, MTG CR 400.7d or an IRI",
        examples=["dm:400.3b"],
    ),
]
Question = Annotated[
    str,
    Field(
        alias="q",
        min_length=1,
        max_length=MAX_QUERY_LENGTH,
        description="Question in Japanese, Chinese or English",
        examples=["graveyard order"],
    ),
]
OneGame = Annotated[Maybe[str], Field(description="Only this game")]
OnlyGames = Annotated[Maybe[str], Field(alias="game", description="Only these games, separated by commas")]
Games = Annotated[Maybe[str], Field(description="Games, separated by commas. Default: all")]
QuestionGames = Annotated[
    Maybe[str], Field(alias="game", description="Games, separated by commas. Default: those that the question names, else all")
]


View = Annotated[
    Literal["full", "brief"],
    Field(description="`brief`: only the fields that a citation needs, a fifth of the size"),
]


class LanguageQuery(Parameters):
    """Of routes whose only parameter is the language of the answer."""

    lang: Lang = None


PathGame = Annotated[str, Path(description="Slug of the game: dm")]
PathReference = Annotated[
    str, Path(max_length=REFERENCE, description="Rule number, with or without book and edition: 400.3b, cr/2024-06-07/400.7")
]


async def refuse_repeated(request: Request) -> None:
    """Raises InputError for a query parameter that occurs several times; FastAPI would use the last."""
    if request.scope["query_string"]:
        unrepeated(request.query_params.multi_items())


def unrepeated(pairs: Iterable[tuple[str, str]]) -> None:
    """Raises InputError for a name that occurs in several pairs."""
    counts = Counter(name for name, _ in pairs if name not in REPEATABLE_KEY)
    if repeats := [name[:_LONGEST] for name, count in counts.items() if count > 1]:
        raise InputError("{names}: given more than once; give each parameter once", names=", ".join(repeats[:_NAMED]))


def input_error(request: Request, faults: RequestValidationError) -> InputError:
    """One sentence about invalid parameters: the unknown ones, else the missing ones, else the first wrong value."""
    schemas = _parameter_schemas(request.scope["route"])
    first, *_ = errors = faults.errors()
    unknown, missing = (
        [str(fault["loc"][1]) for fault in errors if fault["type"] == kind] for kind in ("extra_forbidden", "missing")
    )
    if unknown:
        return InputError(
            "{path} has no parameter {unknown}; known parameters: {known}",
            path=request.url.path,
            unknown=", ".join(name[:_LONGEST] for name in unknown[:_NAMED]),
            known=", ".join(schemas) or message("none"),
        )
    if missing:
        example = "&".join(f"{name}={schemas[name]['examples'][0]}" for name in missing)
        return InputError("missing: {names}; e.g. {example}", names=", ".join(missing), example=f"?{example}")
    return _wrong_value(str(first["loc"][1]), first, schemas)


def _wrong_value(name: str, fault: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]) -> InputError:
    value, context = str(fault["input"])[:_LONGEST], fault.get("ctx", {})
    match fault["type"]:
        case "string_too_short" | "too_short":
            return InputError("{name} is empty; give e.g. {example}", name=name, example=schemas[name]["examples"][0])
        case "string_too_long" | "too_long":
            return InputError("{name} has more than {most} characters", name=name, most=context["max_length"])
        case "literal_error":
            choices = context["expected"].replace("'", "").replace(" or ", ", ")
            return InputError("{name} {given!r}: expected one of {known}", name=name, given=value, known=choices)
        case "bool_parsing":
            return InputError("{name} {given!r}: expected true or false", name=name, given=value)
        case _ if "minimum" in schemas.get(name, {}):
            values = {"name": name, "given": value, "least": schemas[name]["minimum"], "most": schemas[name]["maximum"]}
            return InputError("{name} {given!r}: expected a whole number from {least} to {most}", **values)
    return InputError("{name} {given!r} cannot be read", name=name, given=value)


def _parameter_schemas(route: Any) -> Mapping[str, Mapping[str, Any]]:  # noqa: ANN401
    """The JSON Schema of each query parameter of a route, by name."""
    [query] = route.dependant.query_params
    return _properties(query.field_info.annotation)


@cache
def _properties(parameters: type[Parameters]) -> Mapping[str, Mapping[str, Any]]:
    schema = parameters.model_json_schema()
    required_names = schema.get("required", ())
    return dict(sorted(schema.get("properties", {}).items(), key=lambda item: item[0] not in required_names))
