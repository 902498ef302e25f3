"""The value types of bodies (addresses, languages, kinds, offsets), with their JSON Schema.

Types of the contract are annotated with a `Schema`. `api.schemas` makes JSON Schemas of them with pydantic; the docstring of a
class becomes its description. Bodies are not validated at run time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any

from typing_extensions import TypeAliasType, TypedDict

from corpus import model
from corpus.languages import LANGUAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Keywords of JSON Schema 2020-12, in snake case; None adds nothing."""

    description: str | None = None
    enum: Sequence[str] | None = None
    const: str | None = None
    pattern: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    exclusive_minimum: int | None = None
    min_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    required: Sequence[str] | None = None  # names that a mapping always has

    def __get_pydantic_json_schema__(self, core: Any, schema_of: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:  # noqa: ANN401
        """Adds the keywords to the schema that pydantic generates for the type: pydantic's protocol for annotations."""
        schema = dict(schema_of(core))
        for field in fields(self):
            if (value := getattr(self, field.name)) is not None:
                first, *rest = field.name.split("_")
                schema[first + "".join(word.capitalize() for word in rest)] = list(value) if isinstance(value, tuple) else value
        if self.required:
            schema["properties"] = dict.fromkeys(self.required, schema["additionalProperties"])
        return schema


Iri = TypeAliasType("Iri", Annotated[str, Schema(pattern="^https?://")])
Lang = TypeAliasType("Lang", Annotated[str, Schema(enum=LANGUAGES, description="BCP 47 tag of a language.")])
Authority = TypeAliasType("Authority", Annotated[str, Schema(enum=tuple(model.Authority), description="Who stands behind a text.")])
RuleKind = TypeAliasType(
    "RuleKind", Annotated[str, Schema(enum=tuple(model.Kind), description="What an addressed part of a book is.")]
)
Slug = Annotated[str, Schema(pattern="^[a-z0-9-]+$")]
Words = Annotated[str, Schema(min_length=1)]
Count = Annotated[int, Schema(minimum=0)]
Some = Annotated[int, Schema(minimum=1)]
Share = Annotated[float, Schema(minimum=0, maximum=1)]
Glosses = dict[Lang, Words]
"""Language → our own words."""


class Span(TypedDict):
    """A half-open range of Unicode code points."""

    start: Count
    end: Count
