"""How a limit stands in a table of them."""

from dataclasses import field


def limit(default: float, help_: str) -> float:
    """A field of a table: the limit unless another is set, and what it limits."""
    return field(default=default, metadata={"help": help_})
