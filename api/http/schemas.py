"""The published JSON Schema (2020-12, the dialect of OpenAPI 3.1), made from the types of the contract."""

import inspect
import re
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin

from typing_extensions import get_type_hints, is_typeddict

from corpus import contract
from corpus.contract import Schema

Json = dict[str, Any]
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_KEYWORDS = {
    "description": "description",
    "enum": "enum",
    "const": "const",
    "pattern": "pattern",
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusive_minimum": "exclusiveMinimum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_items": "minItems",
    "max_items": "maxItems",
}
"""Field of `Schema` → keyword of JSON Schema."""


@cache
def components() -> Mapping[str, Json]:
    """Every body of the contract and what it is made of, by name: `ConceptBrief` is `concept_brief`."""
    made: dict[str, Json] = {}
    for name in contract.__all__:
        if is_typeddict(kind := getattr(contract, name)):
            schema_of(kind, made)
    return dict(sorted(made.items()))


def reference(name: str) -> Json:
    """A component by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def schema_of(kind: Any, made: dict[str, Json]) -> Json:  # noqa: ANN401
    """The schema of a type; the components that it refers to are added to `made`. Raises TypeError for any other type."""
    if is_typeddict(kind):
        return _component(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower(), kind, made)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1], made)
    if origin is NotRequired:
        return schema_of(arguments[0], made)
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0], made)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1], made)}
    if origin in (Union, UnionType):
        return _either([schema_of(argument, made) for argument in arguments])
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    raise TypeError(f"the contract has no schema for {kind!r}")


def _component(name: str, kind: type, made: dict[str, Json]) -> Json:
    if name not in made:
        made[name] = {}  # a type may refer to itself
        made[name] = _object(kind, made)
    return reference(name)


def _object(kind: Any, made: dict[str, Json]) -> Json:  # noqa: ANN401
    properties = {name: schema_of(hint, made) for name, hint in get_type_hints(kind, include_extras=True).items()}
    required = [name for name in properties if name in kind.__required_keys__]
    return {"type": "object", "description": inspect.getdoc(kind), "required": required, "properties": properties}


def _annotated(kind: Any, said: Schema, made: dict[str, Json]) -> Json:  # noqa: ANN401
    schema = schema_of(kind, made) | keywords(said)
    if said.keys is not None:
        schema["propertyNames"] = schema_of(said.keys, made)
    if said.required:
        schema["required"] = list(said.required)
        schema["properties"] = dict.fromkeys(said.required, schema["additionalProperties"])
    if said.name is None:
        return schema
    made[said.name] = schema
    return reference(said.name)


def keywords(said: Schema) -> Json:
    """What a `Schema` says, in the words of JSON Schema."""
    values = ((keyword, getattr(said, field)) for field, keyword in _KEYWORDS.items())
    return {keyword: list(value) if keyword == "enum" else value for keyword, value in values if value is not None}


def _either(schemas: list[Json]) -> Json:
    """Plain types as a list of them, all else as alternatives."""
    if all(set(schema) == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}
