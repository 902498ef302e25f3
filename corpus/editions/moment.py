"""The library as of a date, for `as_of`."""

from calendar import monthrange
from typing import TypeVar

from corpus.address import EditionKey
from corpus.chronology import Period, is_later, parse_period, period_of
from corpus.errors import InputError, NotFoundError
from corpus.messages import message
from corpus.reference import editions_named
from corpus.store.books import Books

_Books = TypeVar("_Books", bound=Books)


def at(knowledge: _Books, as_of: str | None) -> _Books:
    """The knowledge base without the editions that are certainly later than a day, month, year or edition.

    For an edition without a date, only later editions of its book are left out. Raises InputError for anything else,
    NotFoundError for an edition that is not loaded.
    """
    if as_of is None:
        return knowledge
    moment = parse_period(as_of.strip())
    if moment is not None and not _is_day(moment):
        raise InputError("as_of {given!r} is no day of any calendar; give one like 2024-06-07, 2024-06 or 2024", given=as_of[:40])
    return knowledge.at(moment) if moment else _at_edition(knowledge, as_of)


def _at_edition(knowledge: _Books, as_of: str) -> _Books:
    keys = editions_named(as_of, knowledge.manifest.editions)
    if not keys:
        editions = ", ".join(sorted(map(str, knowledge.manifest.editions))) or message("none")
        raise NotFoundError(
            "as_of {given!r}: give a date (2024-06-07, 2024-06, 2024) or a loaded edition; loaded are {editions}",
            given=as_of[:80],
            editions=editions,
        )
    if len(keys) > 1:
        raise InputError(
            "as_of {given!r} may be {editions}; name one of them", given=as_of[:80], editions=", ".join(sorted(map(str, keys)))
        )
    age = period_of(keys[0])
    if age is not None and age.dated:
        return knowledge.at(age)
    [named] = keys
    return knowledge.without(lambda key: _book(key) == _book(named) and is_later(key, named))


def _book(key: EditionKey) -> tuple[str, str]:
    return key.game, key.book


def _is_day(moment: Period) -> bool:
    """Whether the days of a period are days of the calendar; the last day of a month may be beyond its end."""
    (year, month, first), (_, _, last) = moment.first, moment.last
    return year >= 1 and month in range(1, 13) and first in range(1, 1 + (monthrange(year, month)[1] if first == last else 1))
