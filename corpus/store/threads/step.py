"""What became of a rule from one edition to the next."""

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What a step is. Where a rule's locator changes, it has moved. A thread begins with `first`."""

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

    A rule that is split has one step for each of its parts, and a merged one has one for each that it was made of.
    `similarity` is 1 for the same words and 0 where there is no rule to compare with. `only_references`: nothing but renumbered
    references has changed. `proposed`: the editions have no language in common, and `similarity` is the confidence.
    """

    kind: Kind
    old: str | None
    new: str | None
    similarity: float = 1.0
    only_references: bool = False
    proposed: bool = False


def kind_of(old: str, new: str, *, edited: bool) -> Kind:
    """What a step from one rule to one other is, by their locators and whether the words differ."""
    if old == new:
        return Kind.EDITED if edited else Kind.SAME
    return Kind.MOVED_EDITED if edited else Kind.MOVED
