"""Decides which editions of a book are compared: each with the one before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from corpus.address import EditionKey
from corpus.chronology import is_later, oldest_first

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
