"""JSON Schema (2020-12, the dialect of OpenAPI 3.1) of the contract's types, made by pydantic."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import TypedDictSchema
from typing_extensions import is_typeddict

from corpus import contract

Json = dict[str, Any]
REFERENCE = "#/components/schemas/{model}"


class _Untitled(GenerateJsonSchema):
    """Without titles, which would only repeat the names."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401
        return False

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        made = super().typed_dict_schema(schema)
        made.pop("title", None)
        return made


@cache
def definitions(*types: Any) -> dict[str, Json]:  # noqa: ANN401
    """The schemas of some types and of all that they are made of, by the name of the type."""
    every: TypeAdapter[Any] = TypeAdapter(tuple[types])  # type: ignore[valid-type]  # one adapter: each type is read once
    schemas: dict[str, Json] = every.json_schema(ref_template=REFERENCE, schema_generator=_Untitled)["$defs"]
    return schemas


def contract_definitions() -> dict[str, Json]:
    """The schemas of every type of the contract."""
    return definitions(*(kind for _, kind in sorted(vars(contract).items()) if is_typeddict(kind)))
