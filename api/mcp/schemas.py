"""What a tool takes and gives, as JSON Schema: the bodies of the HTTP API, whose lists may be cut, with what was cut."""

from collections.abc import Mapping
from typing import Any

from api.http.schemas import schema_of

Json = dict[str, Any]
_REFERENCE = "#/components/schemas/"
TRUNCATED: Json = {"type": "boolean", "description": "Whether anything was left out; ask for more tokens, or go on with cursor"}
CURSOR: Json = {"type": ["string", "null"], "description": "Give it back for what comes next; null where nothing does"}


def given(body: Any) -> Json:  # noqa: ANN401
    """The schema of what a tool gives: a body of the contract with `truncated` and `cursor`."""
    made: Json = {}
    name = schema_of(body, made)["$ref"].removeprefix(_REFERENCE)
    defined = {definition: _lenient(schema) for definition, schema in made.items()}
    whole = defined.pop(name) if not _mentions(made, name) else dict(defined[name])
    properties = whole["properties"] | {"truncated": TRUNCATED, "cursor": CURSOR}
    return whole | {"properties": properties, "required": [*whole["required"], "truncated", "cursor"], "$defs": defined}


def _mentions(made: Json, name: str) -> bool:
    return f"'{_REFERENCE}{name}'" in repr(made)


def _lenient(schema: Any) -> Any:  # noqa: ANN401
    """A schema without lengths of lists, which are cut, and without descriptions, which a model would have to read."""
    if isinstance(schema, list):
        return [_lenient(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    left = {name: _lenient(inner) for name, inner in schema.items() if name != "minItems" and not _is_description(name, inner)}
    if isinstance(reference := left.get("$ref"), str):
        left["$ref"] = reference.replace(_REFERENCE, "#/$defs/")
    return left


def _is_description(name: str, value: object) -> bool:
    return name == "description" and isinstance(value, str)
