"""The fate of a rule from one edition to the next."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """Kinds of steps. A rule has moved if its locator changes. A thread begins with `first`."""

    FIRST = "first"
    SAME = "same"
    EDITED = "edited"
    MOVED = "moved"
    MOVED_EDITED = "moved-edited"
    SPLIT = "split"
    MERGED = "merged"
    ADDED = "added"
    REMOVED = "removed"


class Step(NamedTuple):
    """One rule from an edition to a later one. `old` and `new` are addresses, or locators inside one pair of editions.

    A split rule has one step for each part, a merged rule one for each source.
    `similarity` is 1 for equal words and 0 without a rule to compare. `only_references`: only renumbered references have changed.
    `proposed`: the editions have no language in common, and `similarity` is the confidence.
    """

    kind: Kind
    old: str | None
    new: str | None
    similarity: float = 1.0
    only_references: bool = False
    proposed: bool = False


def kind_of(old: str, new: str, *, edited: bool) -> Kind:
    """The kind of a step between two rules, by their locators and whether their words differ."""
    if old == new:
        return Kind.EDITED if edited else Kind.SAME
    return Kind.MOVED_EDITED if edited else Kind.MOVED
