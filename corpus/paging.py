"""A part of a long answer: how much of it, and from where on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """`limit` things after the first `offset` ones."""

    offset: int = 0
    limit: int = 10
