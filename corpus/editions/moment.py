"""The library as of a date, for `as_of`, and how certain it is that a rule was in force then."""

from calendar import monthrange
from collections.abc import Collection
from typing import TYPE_CHECKING, TypeVar

from corpus.address import EditionKey
from corpus.chronology import Period, is_later, parse_period, period_of
from corpus.editions.verify.scope import InForce, same_words, undecided
from corpus.errors import InputError, NotFoundError
from corpus.messages import Message, message
from corpus.reference import editions_named
from corpus.store.books import Books
from corpus.store.records import edition_of

if TYPE_CHECKING:
    from corpus.contract import RuleOfDay, RuleRecord

_Books = TypeVar("_Books", bound=Books)


def at(knowledge: _Books, as_of: str | None) -> _Books:
    """The knowledge base without the editions that are certainly later than a day, month or year, or than an edition.

    For an edition without a date, only later editions of its book are excluded. Raises InputError for any other value,
    NotFoundError for an edition that is not loaded.
    """
    if as_of is None:
        return knowledge
    moment = _moment(knowledge, as_of)
    if not isinstance(moment, EditionKey):
        return knowledge.at(moment)
    age = period_of(moment)
    if age is not None and age.dated:
        return knowledge.at(age)
    return knowledge.without(lambda key: _book(key) == _book(moment) and is_later(key, moment))


def of_day(knowledge: Books, record: "RuleRecord", as_of: str, lang: str) -> "RuleOfDay | None":
    """How certain it is that a rule was in force at a moment: an edition that is not loaded may have come out before.

    None for a rule that another loaded edition had superseded by then, and for an edition without a known date.
    """
    moment, key = _moment(knowledge.whole, as_of), edition_of(record)
    asked, age = period_of(moment) if isinstance(moment, EditionKey) else moment, period_of(key)
    if asked is None or age is None or not (asked.dated and age.dated):
        return None
    later = [entry.key for entry in knowledge.whole.currency.of(key, record["locator"]).later]
    after = [other for other in later if (other_age := period_of(other)) is not None and asked.before(other_age)]
    if len(after) < len(later):
        return None
    exact = asked.first <= age.first and age.last <= asked.last
    records = (record, *knowledge.whole.by_locator(record["locator"], after[-1:]))
    same = len(records) > 1 and bool(same_words(*records))
    return {
        "asked": as_of,
        "next": after[-1].edition if after else None,
        "certain": exact or same,
        "note": None
        if exact
        else _said(as_of, InForce(None, (key, *after[-1:]), True, bool(after)), records, same).in_language(lang),
    }


def _said(day: str, force: InForce, records: "tuple[RuleRecord, ...]", same: bool) -> Message:
    """The loaded editions around a day, and whether they have the same rule."""
    number = records[0]["locator"]
    if not same:
        return undecided(number, day, force, records)
    before, after = (key.edition for key in force.around)
    return message(
        "no edition of {day} is loaded; {number} of {before} and of {after} have the same words",
        day=day,
        before=before,
        after=after,
        number=number,
    )


def _moment(knowledge: Books, as_of: str) -> Period | EditionKey:
    """The period that `as_of` names, or the edition. Raises InputError, NotFoundError."""
    moment = parse_period(as_of.strip())
    if moment is not None and not _is_day(moment):
        raise InputError("as_of {given!r} is not a date; give one like 2024-06-07, 2024-06 or 2024", given=as_of[:40])
    return moment or _edition(knowledge, as_of)


def undated(knowledge: Books, games: Collection[str]) -> list[str]:
    """The editions without a known date, of some games (None: of all); every `as_of` includes them."""
    keys = (key for key in knowledge.manifest.editions if not games or key.game in games)
    return sorted(str(key) for key in keys if period_of(key) is None)


def _edition(knowledge: Books, as_of: str) -> EditionKey:
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
    return next(iter(keys))


def _book(key: EditionKey) -> tuple[str, str]:
    return key.game, key.book


def _is_day(moment: Period) -> bool:
    """Whether a period consists of calendar days; the last day of a month may be beyond its end."""
    (year, month, first), (_, _, last) = moment.first, moment.last
    return year >= 1 and month in range(1, 13) and first in range(1, 1 + (monthrange(year, month)[1] if first == last else 1))
