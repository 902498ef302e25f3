"""The chronological order of editions: by the stated date, else by the date in the catalogue, else by the version.

Dates are only compared with dates and versions with versions; otherwise neither edition is later.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from corpus.address import EditionKey
from corpus.catalogue import CatalogueEdition, catalogue

_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)([a-z]?)")
_FIRST, _LAST = (1, 1), (12, 31)
Numbers = tuple[int, ...]


class Period(NamedTuple):
    """The first and last possible day of a text, as (year, month, day), or its version number twice."""

    dated: bool
    first: Numbers
    last: Numbers

    def is_before(self, other: "Period") -> bool:
        """Whether a period certainly ended before another one began."""
        return self.dated == other.dated and self.last < other.first


def parse_period(text: str) -> Period | None:
    """The period of a date, a month (`2021-04`) or a year; None for other text. Every month is taken to have 31 days."""
    day = _DAY.fullmatch(text)
    if day is None:
        return None
    parts = tuple(int(number) for number in day.groups() if number)
    return Period(True, parts + _FIRST[len(parts) - 1 :], parts + _LAST[len(parts) - 1 :])


def is_partial_date(text: str | None) -> bool:
    """Whether a text is a year or month, which selects the edition in force at its end."""
    return text is not None and parse_period(text) is not None and text.count("-") < 2


@lru_cache(maxsize=4096)
def period_of(key: EditionKey) -> Period | None:
    """The period that an edition dates from; None if that is unknown."""
    edition = _known_edition(key)
    return parse_period(key.edition) or (parse_period(edition.about) if edition else None) or _version_key(key.edition)


def is_later(key: EditionKey, other: EditionKey) -> bool:
    """Whether an edition is certainly later than another one of its book."""
    first, second = period_of(key), period_of(other)
    if first is not None and second is not None:
        return second.is_before(first)
    return other.edition in _predecessors(key)


@lru_cache(maxsize=4096)
def newest_first(key: EditionKey) -> tuple[tuple[int, ...], int, str]:
    """Sorts editions, the newest first; those of unknown age last, by name."""
    age = period_of(key)
    return tuple(-number for number in age.last) if age else (0,), -len(_predecessors(key)), key.edition


def oldest_first(key: EditionKey) -> tuple[tuple[int, ...], int, str]:
    """Sorts editions, the oldest first; those of unknown age before all others, by name."""
    age = period_of(key)
    return age.last if age else (), len(_predecessors(key)), key.edition


def _version_key(edition: str) -> Period | None:
    parts = _VERSION.fullmatch(edition)
    if parts is None:
        return None
    numbers = (*map(int, parts[1].split(".")), *map(ord, parts[2]))
    return Period(False, numbers, numbers)


def _known_edition(key: EditionKey) -> CatalogueEdition | None:
    book = f"{key.game}/{key.book}"
    rows = (edition for edition in catalogue().editions if (edition.book, edition.edition) == (book, key.edition))
    return next((row for row in rows if row.about or row.after), None)


def _predecessors(key: EditionKey) -> list[str]:
    """The editions that the catalogue lists as its predecessors, from the latest to the earliest."""
    before: list[str] = []
    edition = _known_edition(key)
    while edition is not None and edition.after and edition.after not in before:
        before.append(edition.after)
        edition = _known_edition(EditionKey(key.game, key.book, edition.after))
    return before
