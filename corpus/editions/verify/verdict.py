"""A citation and what it turns out to be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.address import EditionKey, split_rule
from corpus.catalogue import catalogue
from corpus.editions.citations.beside import Attributed, Tie
from corpus.editions.citations.mention import Quotation
from corpus.editions.verify.quoting import size
from corpus.editions.verify.resolve import Resolved
from corpus.editions.verify.shelf import Shelf
from corpus.editions.verify.status import Status
from corpus.editions.verify.today import Threads, Today, today
from corpus.editions.verify.words import Quoted, Verdict, check, languages
from corpus.messages import Message, message
from corpus.store.by_reference import edition_of

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_A_FEW, _MANY = 3, 8
"""Words: fewer are a name or a term as soon as nobody says that they are the rule's; so many are always a quotation."""
_ALIKE = 0.6
"""Likeness from which on words near a citation are taken for the rule's own, altered."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A citation with its status, where its rule stands today, and the verdict on the words quoted."""

    resolved: Resolved
    status: Status
    now: str | None = None
    quotation: Quotation | None = None
    quoted: Quoted | None = None
    note: Message | None = None


class Judge:
    """Gives verdicts on the citations of one text."""

    def __init__(self, shelf: Shelf, threads: Threads, text: str) -> None:
        self._shelf, self._threads, self._text = shelf, threads, text
        self._read = languages(text)

    def judged(self, resolved: Resolved, beside: Sequence[Attributed]) -> Checked:
        """The verdict on a citation and the words beside it."""
        record = resolved.record
        if record is None:
            return Checked(resolved, resolved.status or Status.NOT_FOUND, note=resolved.note)
        quotation, quoted = self._quoted(record, beside)
        there = self._today(record)
        status, note = _status(record, quoted, there)
        now = there.iri if there else None
        if status is Status.MISQUOTED and quoted:
            note, now = self._misquoted(record, quotation, there) or note, now
        return Checked(resolved, status, now, quotation, quoted, note)

    def _quoted(self, record: "RuleRecord", beside: Sequence[Attributed]) -> tuple[Quotation | None, Quoted | None]:
        """The verdict on the words beside a citation: of several the first that is wrong, else the first."""
        verdicts = [verdict for quotation in beside if (verdict := self._weighed(record, quotation))]
        wrong = (verdict for verdict in verdicts if verdict[1].verdict is not Verdict.VERIFIED)
        return next(wrong, None) or next(iter(verdicts), (None, None))

    def _weighed(self, record: "RuleRecord", quotation: Attributed) -> tuple[Quotation, Quoted] | None:
        """The verdict on some words; None for what is no quotation of the rule but a name, a term or somebody's remark."""
        words = self.words(quotation.quotation)
        if not words.strip():
            return None
        quoted = check(words, self._shelf.with_parts(record))
        if quoted.verdict is Verdict.VERIFIED or quotation.tie is Tie.SAID:
            return quotation.quotation, quoted
        few = size(words) < _A_FEW
        if few or (quotation.tie is Tie.NEAR and size(words) < _MANY and quoted.alike < _ALIKE):
            return None
        return quotation.quotation, quoted

    def words(self, quotation: Quotation) -> str:
        """The words of a quotation, without the marks of a block quote that it is or stands in."""
        first, *others = self._text[quotation.start : quotation.end].split("\n")
        return "\n".join([first, *(line.lstrip(" \t>") for line in others)])

    def _today(self, record: "RuleRecord") -> Today | None:
        """Where a rule of an earlier edition stands today; None for a current one."""
        key = self._current(record)
        return today(self._shelf.knowledge, self._threads, record, key, self._read) if key else None

    def _current(self, record: "RuleRecord") -> EditionKey | None:
        """The latest edition of a rule's book that supersedes it; None for a current rule."""
        key = edition_of(record)
        later = self._shelf.knowledge.currency.of(key, record["locator"]).later
        return next((entry.key for entry in later if (entry.game, entry.book) == (key.game, key.book)), None)

    def _misquoted(self, record: "RuleRecord", quotation: Quotation | None, there: Today | None) -> Message | None:
        """Whose words they are, if they are those of a rule nearby or of the same number in another edition."""
        if quotation is None:
            return None
        words = self.words(quotation)
        others = self._shelf.rules([record["parent"] or ""])
        siblings = self._shelf.rules(child["iri"] for parent in others for child in parent["children"])
        same_number = [rule for rule in self._shelf.at(record["locator"]) if rule["book"] == record["book"]]
        for rule in (*self._shelf.rules([there.iri] if there and there.iri else []), *same_number, *siblings):
            if rule["iri"] != record["iri"] and rule["texts"] and check(words, [rule]).verdict is Verdict.VERIFIED:
                return message(
                    "these are the words of {number} in {edition}", number=rule["locator"], edition=str(edition_of(rule))
                )
        return None


def _status(record: "RuleRecord", quoted: Quoted | None, there: Today | None) -> tuple[Status, Message | None]:
    """The first status that fits, and why."""
    if quoted and quoted.verdict is Verdict.UNCHECKED:
        return Status.UNCHECKED, _unread(record)
    if quoted and quoted.verdict is Verdict.MISQUOTED:
        return Status.MISQUOTED, message("{number} does not have these words", number=record["locator"])
    if there is None:
        return _alone(record)
    return _since(record, there)


def _unread(record: "RuleRecord") -> Message:
    if not record["texts"]:
        return message("only our gloss of {number} is loaded: it cannot prove a quotation; add the book", number=record["locator"])
    return message(
        "{number} is loaded in {langs}, not in the language quoted", number=record["locator"], langs=", ".join(record["texts"])
    )


def _alone(record: "RuleRecord") -> tuple[Status, Message | None]:
    """A rule that nothing later stands beside; one that only retells an official book is no proof beside that."""
    official = catalogue().book(record["game"], record["book"]).summarises
    if not record["current"] and official:
        return Status.UNCHECKED, message(
            "{book} only retells {official}, which has no rule {number}",
            book=f"{record['game']}/{record['book']}",
            official=official,
            number=record["locator"],
        )
    return Status.VERIFIED, None


def _since(record: "RuleRecord", there: Today) -> tuple[Status, Message | None]:
    """What became of a rule of an earlier edition."""
    number, edition = record["locator"], record["edition"]
    if not there.known:
        return Status.UNCHECKED, message("nobody knows what {number} of {edition} is today", number=number, edition=edition)
    if there.reused:
        if there.iri is None:
            return Status.REUSED, message(
                "{number} is another rule today; that of {edition} is gone", number=number, edition=edition
            )
        now = split_rule(there.iri)
        return Status.REUSED, message(
            "{number} is another rule today; that of {edition} is {now} now", number=number, edition=edition, now=now.locator
        )
    if there.iri is None:
        return Status.NOT_FOUND, message("{number} of {edition} has been removed since", number=number, edition=edition)
    now = split_rule(there.iri)
    if now.locator != number:
        return Status.MOVED, message("{number} of {edition} is {now} now", number=number, edition=edition, now=now.locator)
    if there.only_references and not there.same_words:
        return Status.EDITED, message("only numbers cited in {number} have changed since {edition}", number=number, edition=edition)
    if not there.same_words:
        return Status.EDITED, message("{number} has other words since {edition}", number=number, edition=edition)
    return Status.VERIFIED, None
