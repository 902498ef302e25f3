"""The library as of a date, the edition that was in force then, and how certain it is that a rule was.

Citations are checked against such an edition, selected by name or date, with the loaded editions around that date.
"""

import re
from calendar import monthrange
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.chronology import Period, is_later, oldest_first, parse_period, period_of
from corpus.errors import InputError, NotFoundError
from corpus.messages import Message, message
from corpus.model import Authority
from corpus.reference import editions_named
from corpus.store.books import Books
from corpus.store.currency import divisions
from corpus.store.home.manifest import EditionEntry
from corpus.store.records import edition_of
from corpus.words.text import fold_text

if TYPE_CHECKING:
    from corpus.contract import RuleOfDay, RuleRecord

_ISO_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
LATEST = "latest"
"""The value of `as_of` for the current edition."""
_DATE_LENGTH = 10
"""Length of a complete date."""


class DateOrigin(StrEnum):
    """Where an edition comes from: the option `as_of`, a date in the text, or neither, which means today."""

    AS_OF = "as_of"
    TEXT = "text"
    TODAY = "today"


@dataclass(frozen=True, slots=True)
class Scope:
    """The default edition of citations.

    `named` is a complete or partial date or an edition's name; None means today. `until` is a later date if the text has several:
    the edition was in force at some time between `named` and `until`. `named_itself`: the text names the edition of that date,
    instead of having been written then. `langs` has the languages in which the author may have read the rules.
    """

    why: DateOrigin = DateOrigin.TODAY
    named: str | None = None
    until: str | None = None
    named_itself: bool = False
    langs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InForce:
    """The loaded editions of a book that match a name, in order.

    `exact` has the named edition. Otherwise `around` has the newest one before the date and the oldest one after it; an edition
    that is not loaded may have been in force between them. `has_later`: there is one after the date.
    """

    exact: EditionKey | None = None
    around: tuple[EditionKey, ...] = ()
    has_earlier: bool = False
    has_later: bool = False


def is_date(name: str) -> bool:
    """Whether an edition's name is a complete or partial ISO date."""
    return bool(_ISO_DATE.fullmatch(name))


def in_force(scope: Scope, keys: Iterable[EditionKey]) -> InForce:
    """The editions of one book for a day, month, year or name."""
    name, editions = scope.named or "", sorted(keys, key=oldest_first)
    exact = next((key for key in editions if key.edition == name), None)
    if exact and scope.until in (None, name):
        return InForce(exact)
    if not is_date(name):
        return InForce()
    if (scope.named_itself or scope.why is not DateOrigin.TEXT) and len(name) < _DATE_LENGTH:
        within = [key for key in editions if _ISO_DATE.fullmatch(key.edition) and key.edition.startswith(f"{name}-")]
        if within:
            return InForce(within[-1])
    return _editions_around(name, scope.until or name, editions)


def edition_in_address(name: str, keys: Iterable[EditionKey]) -> EditionKey | None:
    """The edition in an address: that one, or the last one of a month or year, without neighbours."""
    return in_force(Scope(DateOrigin.AS_OF, name), keys).exact


def _editions_around(first: str, last: str, editions: Sequence[EditionKey]) -> InForce:
    begin, end = parse_period(first), parse_period(last)
    periods = [(key, age) for key in editions if (age := period_of(key)) is not None and age.dated]
    if begin is None or end is None:
        return InForce()
    before = [key for key, age in periods if age.last <= begin.first]
    after = [key for key, age in periods if age.first > end.last]
    between = [key for key, age in periods if age.last > begin.first and age.first <= end.last]
    return InForce(None, (*before[-1:], *between, *after[:1]), bool(before), bool(after))


def is_certainly_missing(entry: EditionEntry, locator: str) -> bool:
    """Whether a number that an edition lacks certainly does not exist, because its chapter or every chapter is loaded."""
    if not entry.languages:
        return False
    chapters = set(entry.covers)
    chapter = divisions(locator, entry.grammar)[0]
    return any(chapter == name.split()[0] and " " not in name for name in chapters) or _is_complete(chapters, entry.chapters)


def _is_complete(loaded_chapters: set[str], chapters: Iterable[str]) -> bool:
    """Whether the chapters start with the first one and no known one is missing."""
    numbers = sorted(int(chapter) for chapter in loaded_chapters if chapter.isdigit())
    missing = any(chapter not in loaded_chapters for chapter in chapters)
    return bool(numbers) and not missing and numbers[0] <= 1


def main_book(entries: Iterable[EditionEntry]) -> list[EditionEntry]:
    """The editions of the book that is cited for a game: not a summary, and the largest of several; oldest first."""
    books: dict[str, list[EditionEntry]] = {}
    for entry in entries:
        books.setdefault(entry.book, []).append(entry)
    if not books:
        return []
    main = max(books, key=lambda book: _sort_by_rank(books[book]))
    return sorted(books[main], key=lambda entry: oldest_first(entry.key))


def _sort_by_rank(editions: list[EditionEntry]) -> tuple[bool, bool, int]:
    first = editions[0]
    own = catalogue().book(first.game, first.book).summarises is None
    return any(entry.languages for entry in editions), own, max(entry.rules for entry in editions)


def with_text(entries: Iterable[EditionEntry]) -> Iterator[EditionKey]:
    """The editions with loaded texts; all editions if none has any."""
    candidates = list(entries)
    keys = [entry.key for entry in candidates if entry.languages]
    return iter(keys or [entry.key for entry in candidates])


def have_same_words(record: "RuleRecord", other: "RuleRecord", langs: "Collection[str]" = ()) -> bool | None:
    """Whether two rules have the same words in the languages that matter; None if they have no language in common.

    Those are the common language of highest authority, and those in `langs`.
    """
    common = record["texts"].keys() & other["texts"].keys()
    if not common:
        return None
    ranks = {lang: Authority(other["texts"][lang]["authority"]).rank for lang in common}
    shared = [lang for lang, rank in ranks.items() if rank == min(ranks.values()) or lang in langs]
    return all(fold_text(record["texts"][lang]["text"]) == fold_text(other["texts"][lang]["text"]) for lang in shared)


def uncertainty_reason(number: str, day: str, in_force: InForce, records: "Sequence[RuleRecord]") -> Message:
    """The reason why it is uncertain which rule a number meant on a date.

    `records` has its rules in the editions before and after the date, as far as these have one.
    """
    before, after = in_force.around[0].edition, in_force.around[-1].edition
    edition = ", ".join(record["edition"] for record in records)
    if not in_force.has_later:
        edition = after
        sentence = message("{day} is after the newest loaded edition, {edition}: a later one may have another rule {number}")
    elif not in_force.has_earlier:
        edition = before
        sentence = message(
            "{day} is before the oldest loaded edition, {edition}: that of the day may have had another rule {number}"
        )
    elif not records:
        sentence = message("no edition of {day} is loaded; neither {before} nor {after} has a rule {number}")
    elif len(records) < len(in_force.around):
        sentence = message("no edition of {day} is loaded; of {before} and {after} only {edition} has a rule {number}")
    elif have_same_words(records[0], records[-1]) is None:
        sentence = message("no edition of {day} is loaded; {number} of {before} and of {after} are loaded in different languages")
    else:
        sentence = message("no edition of {day} is loaded; {number} of {before} and of {after} have different words")
    return message(sentence.text, day=day, before=before, after=after, edition=edition, number=number)


_Books = TypeVar("_Books", bound=Books)


def as_of_day(knowledge: _Books, as_of: str | None) -> _Books:
    """The knowledge base without the editions that are certainly later than a day, month or year, or than an edition.

    For an edition without a date, only later editions of its book are excluded. Raises InputError for any other value,
    NotFoundError for an edition that is not loaded.
    """
    if as_of is None:
        return knowledge
    moment = _parse_moment(knowledge, as_of)
    if not isinstance(moment, EditionKey):
        return knowledge.as_of_day(moment)
    age = period_of(moment)
    if age is not None and age.dated:
        return knowledge.as_of_day(age)
    return knowledge.without(lambda key: _book(key) == _book(moment) and is_later(key, moment))


def rule_on_day(knowledge: Books, record: "RuleRecord", as_of: str, lang: str) -> "RuleOfDay | None":
    """How certain it is that a rule was in force at a moment: an edition that is not loaded may have come out before.

    None for a rule that another loaded edition had superseded by then, and for an edition without a known date.
    """
    moment, key = _parse_moment(knowledge.today, as_of), edition_of(record)
    period, age = period_of(moment) if isinstance(moment, EditionKey) else moment, period_of(key)
    if period is None or age is None or not (period.dated and age.dated):
        return None
    later = [entry.key for entry in knowledge.today.currency.currency_of(key, record["locator"]).later]
    after = [other for other in later if (other_age := period_of(other)) is not None and period.is_before(other_age)]
    if len(after) < len(later):
        return None
    exact = period.first <= age.first and age.last <= period.last
    records = (record, *knowledge.today.by_locator(record["locator"], after[-1:]))
    same = len(records) > 1 and bool(have_same_words(*records))
    return {
        "asked": as_of,
        "next": after[-1].edition if after else None,
        "certain": exact or same,
        "note": None
        if exact
        else _day_note(as_of, InForce(None, (key, *after[-1:]), True, bool(after)), records, same).in_language(lang),
    }


def _day_note(day: str, in_force: InForce, records: "tuple[RuleRecord, ...]", same: bool) -> Message:
    """The loaded editions around a day, and whether they have the same rule."""
    number = records[0]["locator"]
    if not same:
        return uncertainty_reason(number, day, in_force, records)
    before, after = (key.edition for key in in_force.around)
    return message(
        "no edition of {day} is loaded; {number} of {before} and of {after} have the same words",
        day=day,
        before=before,
        after=after,
        number=number,
    )


def _parse_moment(knowledge: Books, as_of: str) -> Period | EditionKey:
    """The period that `as_of` names, or the edition. Raises InputError, NotFoundError."""
    moment = parse_period(as_of.strip())
    if moment is not None and not _is_day(moment):
        raise InputError("as_of {given!r} is not a date; give one like 2024-06-07, 2024-06 or 2024", given=as_of[:40])
    return moment or _edition(knowledge, as_of)


def undated_editions(knowledge: Books, games: Collection[str]) -> list[str]:
    """The editions without a known date, of some games (None: of all); every `as_of` includes them."""
    keys = (key for key in knowledge.manifest.editions if not games or key.game in games)
    return sorted(str(key) for key in keys if period_of(key) is None)


def _edition(knowledge: Books, as_of: str) -> EditionKey:
    keys = editions_named(as_of, knowledge.manifest.editions)
    if not keys:
        editions = ", ".join(sorted(map(str, knowledge.manifest.editions))) or message("none")
        raise NotFoundError(
            "as_of {given!r}: give a date (2024-06-07, 2024-06, 2024) or one of the loaded editions: {editions}",
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
