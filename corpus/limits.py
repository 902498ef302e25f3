"""One limit in a table of limits."""

from dataclasses import field


def limit(default: float, help_: str) -> float:
    """A field of a table: the limit unless another is set, and what it limits."""
    return field(default=default, metadata={"help": help_})
