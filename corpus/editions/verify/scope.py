"""The edition against which a citation is checked: selected by name or date, with the loaded editions around that date."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.chronology import oldest_first, parse_period, period_of
from corpus.messages import Message, message
from corpus.model import Authority
from corpus.store.currency import divisions
from corpus.store.home.manifest import EditionEntry
from corpus.words.text import fold

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_ISO = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
LATEST = "latest"
"""The value of `as_of` for the current edition."""
_WHOLE = 10
"""Length of a complete date."""


class Why(StrEnum):
    """Where an edition comes from: the option `as_of`, a date in the text, or neither, which means today."""

    AS_OF = "as_of"
    TEXT = "text"
    TODAY = "today"


@dataclass(frozen=True, slots=True)
class Scope:
    """The default edition of citations.

    `named` is a complete or partial date or an edition's name; None means today. `until` is a later date if the text has several:
    the edition was in force at some time between `named` and `until`. `named_itself`: the text names the edition of that date,
    instead of having been written then. `read` has the languages in which the author may have read the rules.
    """

    why: Why = Why.TODAY
    named: str | None = None
    until: str | None = None
    named_itself: bool = False
    read: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class InForce:
    """The loaded editions of a book that match a name, in order.

    `exact` has the named edition. Otherwise `around` has the newest one before the date and the oldest one after it; an edition
    that is not loaded may have been in force between them. `ended`: there is one after the date.
    """

    exact: EditionKey | None = None
    around: tuple[EditionKey, ...] = ()
    begun: bool = False
    ended: bool = False


def is_date(named: str) -> bool:
    """Whether an edition's name is a complete or partial ISO date."""
    return bool(_ISO.fullmatch(named))


def in_force(scope: Scope, keys: Iterable[EditionKey]) -> InForce:
    """The editions of one book for a day, month, year or name."""
    named, editions = scope.named or "", sorted(keys, key=oldest_first)
    exact = next((key for key in editions if key.edition == named), None)
    if exact and scope.until in (None, named):
        return InForce(exact)
    if not is_date(named):
        return InForce()
    if (scope.named_itself or scope.why is not Why.TEXT) and len(named) < _WHOLE:
        within = [key for key in editions if _ISO.fullmatch(key.edition) and key.edition.startswith(f"{named}-")]
        if within:
            return InForce(within[-1])
    return _around(named, scope.until or named, editions)


def alone(named: str, keys: Iterable[EditionKey]) -> EditionKey | None:
    """The edition in an address: that one, or the last one of a month or year, without neighbours."""
    return in_force(Scope(Why.AS_OF, named), keys).exact


def _around(first: str, last: str, editions: Sequence[EditionKey]) -> InForce:
    begin, end = parse_period(first), parse_period(last)
    dated = [(key, age) for key in editions if (age := period_of(key)) is not None and age.dated]
    if begin is None or end is None:
        return InForce()
    before = [key for key, age in dated if age.last <= begin.first]
    after = [key for key, age in dated if age.first > end.last]
    between = [key for key, age in dated if age.last > begin.first and age.first <= end.last]
    return InForce(None, (*before[-1:], *between, *after[:1]), bool(before), bool(after))


def is_whole(entry: EditionEntry, locator: str) -> bool:
    """Whether a number that an edition lacks certainly does not exist, because its chapter or every chapter is loaded."""
    if not entry.languages:
        return False
    covered = set(entry.covers)
    chapter = divisions(locator, entry.grammar)[0]
    return any(chapter == name.split()[0] and " " not in name for name in covered) or _is_complete(covered, entry.chapters)


def _is_complete(covered: set[str], chapters: Iterable[str]) -> bool:
    """Whether the chapters start with the first one and no known one is missing."""
    numbers = sorted(int(chapter) for chapter in covered if chapter.isdigit())
    missing = any(chapter not in covered for chapter in chapters)
    return bool(numbers) and not missing and numbers[0] <= 1


def main_book(entries: Iterable[EditionEntry]) -> list[EditionEntry]:
    """The editions of the book that is cited for a game: not a summary, and the largest of several; oldest first."""
    books: dict[str, list[EditionEntry]] = {}
    for entry in entries:
        books.setdefault(entry.book, []).append(entry)
    if not books:
        return []
    main = max(books, key=lambda book: _rank(books[book]))
    return sorted(books[main], key=lambda entry: oldest_first(entry.key))


def _rank(editions: list[EditionEntry]) -> tuple[bool, bool, int]:
    first = editions[0]
    own = catalogue().book(first.game, first.book).summarises is None
    return any(entry.languages for entry in editions), own, max(entry.rules for entry in editions)


def with_text(entries: Iterable[EditionEntry]) -> Iterator[EditionKey]:
    """The editions with loaded texts; all editions if none has any."""
    known = list(entries)
    loaded = [entry.key for entry in known if entry.languages]
    return iter(loaded or [entry.key for entry in known])


def same_words(record: "RuleRecord", other: "RuleRecord", read: "Collection[str]" = ()) -> bool | None:
    """Whether two rules have the same words in the languages that matter; None if they have no language in common.

    Those are the common language of highest authority, and those in `read`.
    """
    common = record["texts"].keys() & other["texts"].keys()
    if not common:
        return None
    ranks = {lang: Authority(other["texts"][lang]["authority"]).rank for lang in common}
    shared = [lang for lang, rank in ranks.items() if rank == min(ranks.values()) or lang in read]
    return all(fold(record["texts"][lang]["text"]) == fold(other["texts"][lang]["text"]) for lang in shared)


def undecided(number: str, day: str, force: InForce, records: "Sequence[RuleRecord]") -> Message:
    """The reason why it is uncertain which rule a number meant on a date.

    `records`: its rules in the editions around that have one.
    """
    first, last = force.around[0].edition, force.around[-1].edition
    if not force.ended:
        return message(
            "{day} is after the newest loaded edition, {edition}: a later one may have another rule {number}",
            day=day,
            edition=last,
            number=number,
        )
    if not force.begun:
        return message(
            "{day} is before the oldest loaded edition, {edition}: that of the day may have had another rule {number}",
            day=day,
            edition=first,
            number=number,
        )
    if not records:
        return message(
            "no edition of {day} is loaded; neither {before} nor {after} has a rule {number}",
            day=day,
            before=first,
            after=last,
            number=number,
        )
    if len(records) < len(force.around):
        return message(
            "no edition of {day} is loaded; of {before} and {after} only {edition} has a rule {number}",
            day=day,
            before=first,
            after=last,
            edition=", ".join(record["edition"] for record in records),
            number=number,
        )
    if same_words(records[0], records[-1]) is None:
        return message(
            "no edition of {day} is loaded; {number} of {before} and of {after} are loaded in different languages",
            day=day,
            before=first,
            after=last,
            number=number,
        )
    return message(
        "no edition of {day} is loaded; {number} of {before} and of {after} have different words",
        day=day,
        before=first,
        after=last,
        number=number,
    )
