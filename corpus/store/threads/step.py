"""The fate of a rule from one edition to the next, and the order of editions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from corpus.address import EditionKey
from corpus.chronology import is_later, oldest_first


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


__all__ = ["Pair", "is_later", "neighbours", "oldest_first", "pair_order"]

Pair = tuple[EditionKey, EditionKey]
"""An edition and a later one."""


def neighbours(chapters: Mapping[EditionKey, Sequence[str]]) -> list[Pair]:
    """The pairs of compared editions of one book, from the chapters that each has; the oldest pairs first.

    An edition of a part of the book (for example one chapter) is compared with the complete edition before it and the one after
    it. Editions whose order is unknown are not compared.
    """
    pairs = set(_pairs(sorted(chapters, key=oldest_first), _whole(chapters)))
    return sorted((pair for pair in pairs if is_later(pair[1], pair[0])), key=pair_order)


def pair_order(pair: Pair) -> tuple[object, ...]:
    """The sort key of pairs, oldest first."""
    return oldest_first(pair[1]), oldest_first(pair[0])


def _whole(chapters: Mapping[EditionKey, Sequence[str]]) -> set[EditionKey]:
    most = max(map(len, chapters.values()), default=0)
    return {key for key, rules in chapters.items() if 2 * len(rules) > most}


def _pairs(ordered: Iterable[EditionKey], whole: set[EditionKey]) -> Iterator[tuple[EditionKey, EditionKey]]:
    before: EditionKey | None = None
    parts: list[EditionKey] = []
    for key in ordered:
        if before is not None:
            yield before, key
        if key in whole:
            yield from ((part, key) for part in parts)
            before, parts = key, []
        else:
            parts.append(key)
