"""Limits: the fields of tables of limits, and pages of long answers."""

from dataclasses import dataclass, field


def limit_field(default: float, help_text: str) -> float:
    """A dataclass field with a default limit and a help text."""
    return field(default=default, metadata={"help": help_text})


@dataclass(frozen=True, slots=True)
class Page:
    """`limit` results after the first `offset` ones."""

    offset: int = 0
    limit: int = 10
