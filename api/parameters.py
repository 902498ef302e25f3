"""The options of the library as pydantic types, for the HTTP API and the MCP tools, and the errors for invalid values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeVar, Union

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypeAliasType

from api.schemas import Json
from corpus.errors import InputError
from corpus.messages import message
from rulestone import options
from rulestone.languages import parse_language
from rulestone.options import LanguageTag, Option

_NAMED, _LONGEST = 5, 40
"""Maximum number of parameters that an error names, and of characters of a name or value that it repeats."""

T = TypeVar("T")
Maybe = Union[T, SkipJsonSchema[None]]  # noqa: UP007, which mypy takes for no type
"""The type of an optional parameter. Its description omits null."""


def field(option: Option, *notes: str, **others: Any) -> Any:  # noqa: ANN401
    """The pydantic field of an option: its description with the notes of one interface, and its limits."""
    limits: Json = {"description": option.described(*notes)}
    if option.bounds:
        limits |= {"default": option.bounds.usual, "ge": option.bounds.least, "le": option.bounds.most}
    if option.max_length:
        limits |= {"max_length": option.max_length, "min_length": 1 if option.example else None}
    if option.example:
        limits["examples"] = [option.example]
    return Field(**limits | others)


def _language(tag: object) -> object:
    """The language of a BCP 47 tag; for an unknown language the tag itself, which then fails validation."""
    return (isinstance(tag, str) and parse_language(tag)) or tag


AnswerLang = TypeAliasType(
    "AnswerLang", Annotated[LanguageTag, BeforeValidator(_language), Field(description="`zh` is `zh-Hans`.")]
)
BookLang = Annotated[Maybe[AnswerLang], field(options.BOOK_LANG, alias="in")]
AsOf = Annotated[Maybe[str], field(options.AS_OF)]
Reference = Annotated[str, field(options.REFERENCE)]
Games = Annotated[Maybe[str], field(options.GAMES)]
GamesOfGame = Annotated[Games, Field(alias="game")]
QuestionGames = Annotated[Maybe[str], field(options.QUESTION_GAMES, alias="game")]
Changed = Annotated[Maybe[bool], field(options.CHANGED, "False: only the others.")]


def parameter_error(
    place: str, faults: Sequence[Mapping[str, Any]], schemas: Mapping[str, Json], missing_error: Callable[[list[str]], InputError]
) -> InputError:
    """One sentence about invalid parameters of a place: the unknown ones, else the missing ones, else the first wrong value.

    The faults are those of pydantic, whose `loc` begins with the name of the parameter.
    """
    unknown, missing = (
        [str(fault["loc"][0]) for fault in faults if fault["type"] == kind] for kind in ("extra_forbidden", "missing")
    )
    if unknown:
        return InputError(
            "{path} has no parameter {unknown}; known parameters: {known}",
            path=place,
            unknown=listed(unknown),
            known=", ".join(schemas) or message("none"),
        )
    return missing_error(missing) if missing else _wrong_value(str(faults[0]["loc"][0]), faults[0], schemas)


def listed(names: Iterable[str]) -> str:
    """The first names of a list, each cut to a readable length."""
    return ", ".join(name[:_LONGEST] for name in [*names][:_NAMED])


def _wrong_value(name: str, fault: Mapping[str, Any], schemas: Mapping[str, Json]) -> InputError:
    value, context, schema = str(fault["input"])[:_LONGEST], fault.get("ctx", {}), schemas.get(name, {})
    match fault["type"]:
        case "string_too_short" | "too_short":
            return InputError("{name} is empty; give e.g. {example}", name=name, example=schema["examples"][0])
        case "string_too_long" | "too_long":
            item = f"[{fault['loc'][-1]}]" if schema.get("type") == "array" else ""
            return InputError("{name} has more than {most} characters", name=name + item, most=context["max_length"])
        case "literal_error":
            choices = context["expected"].replace("'", "").replace(" or ", ", ")
            return InputError("{name} {given!r}: expected one of {known}", name=name, given=value, known=choices)
        case "bool_parsing":
            return InputError("{name} {given!r}: expected true or false", name=name, given=value)
        case "string_type" | "bool_type" | "list_type":
            kind = "array of strings" if schema["type"] == "array" else schema["type"]
            return InputError("{name}: expected {type}", name=name, type=kind)
        case _ if "minimum" in schema:
            values = {"name": name, "given": value, "least": schema["minimum"], "most": schema["maximum"]}
            return InputError("{name} {given!r}: expected a whole number from {least} to {most}", **values)
    return InputError("{name} {given!r} cannot be read", name=name, given=value)
