"""How old an edition is: the date it states, else the one that the catalogue knows it to be of, else its version.

Dates order among dates and versions among versions; of two editions that neither orders, none is the later one.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from corpus.address import EditionKey
from corpus.catalogue import KnownEdition, catalogue

_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)([a-z]?)")
_FIRST, _LAST = (1, 1), (12, 31)
Numbers = tuple[int, ...]


class Age(NamedTuple):
    """When a text is from: the first and the last day that it can date from, or its version."""

    dated: bool
    first: Numbers
    last: Numbers

    def before(self, other: "Age") -> bool:
        """Whether it is surely the older one."""
        return self.dated == other.dated and self.last < other.first


def period(text: str) -> Age | None:
    """The days of a date, a month (`2021-04`) or a year; None for other words. The days of a month are not counted."""
    day = _DAY.fullmatch(text)
    if day is None:
        return None
    given = tuple(int(number) for number in day.groups() if number)
    return Age(True, given + _FIRST[len(given) - 1 :], given + _LAST[len(given) - 1 :])


def is_partial(text: str | None) -> bool:
    """Whether it is a year or a month, which names no edition but the one that was in force then."""
    return text is not None and period(text) is not None and text.count("-") < 2


@lru_cache(maxsize=4096)
def age_of(key: EditionKey) -> Age | None:
    """When an edition is from; None where nobody knows."""
    known = _known(key)
    return period(key.edition) or (period(known.about) if known else None) or _version(key.edition)


def is_later(key: EditionKey, other: EditionKey) -> bool:
    """Whether an edition is surely later than another one of its book."""
    first, second = age_of(key), age_of(other)
    if first is not None and second is not None:
        return second.before(first)
    return other.edition in _predecessors(key)


@lru_cache(maxsize=4096)
def newest_first(key: EditionKey) -> tuple[tuple[int, ...], int, str]:
    """What sorts editions, the newest first; those of which nothing is known last, by name."""
    age = age_of(key)
    return tuple(-number for number in age.last) if age else (0,), -len(_predecessors(key)), key.edition


def oldest_first(key: EditionKey) -> tuple[tuple[int, ...], int, str]:
    """What sorts editions, the oldest first; those of which nothing is known before all others, by name."""
    age = age_of(key)
    return age.last if age else (), len(_predecessors(key)), key.edition


def _version(edition: str) -> Age | None:
    parts = _VERSION.fullmatch(edition)
    if parts is None:
        return None
    numbers = (*map(int, parts[1].split(".")), *map(ord, parts[2]))
    return Age(False, numbers, numbers)


def _known(key: EditionKey) -> KnownEdition | None:
    book = f"{key.game}/{key.book}"
    rows = (edition for edition in catalogue().editions if (edition.book, edition.edition) == (book, key.edition))
    return next((row for row in rows if row.about or row.after), None)


def _predecessors(key: EditionKey) -> list[str]:
    """The editions that the catalogue says it came after, one by one."""
    before: list[str] = []
    known = _known(key)
    while known is not None and known.after and known.after not in before:
        before.append(known.after)
        known = _known(EditionKey(key.game, key.book, known.after))
    return before
