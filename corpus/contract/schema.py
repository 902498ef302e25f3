"""What a type cannot say of a value in the contract: its pattern, range, or the words that it can be.

Types of the contract are ordinary ones with such a `Schema` beside them (`Annotated`); a class's docstring describes it, and a
string below a field describes the field. `api.http.schemas` makes JSON Schema of them; nothing is checked when a body is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Keywords of JSON Schema 2020-12; None says nothing."""

    name: str | None = None  # of the component that is referred to; else the value is described in place
    description: str | None = None
    enum: Sequence[str] | None = None
    const: str | None = None
    pattern: str | None = None
    minimum: int | None = None
    maximum: int | None = None
    exclusive_minimum: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    min_items: int | None = None
    max_items: int | None = None
    keys: type | object | None = None  # type of the names in a mapping
    required: Sequence[str] = ()  # names that a mapping always has
