"""Rulings with the changes of their rules since their date, and the rulings that rest on a rule.

The valid answer of a ruling is today's, or that of the requested date.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from corpus.address import EditionKey, ruling_iri
from corpus.chronology import parse_period, period_of
from corpus.errors import NotFoundError, UnknownAddressError
from corpus.languages import choose
from corpus.store.books import Books
from corpus.store.threads.recorded import Version
from corpus.store.threads.step import StepKind

if TYPE_CHECKING:
    from corpus.contract import ChangedSince, RestsOn, Ruling, RulingBrief

_MAX_BRIEFS = 5
"""Maximum number of rulings listed with a rule."""
_UNCHANGED_KINDS = (StepKind.FIRST, StepKind.SAME)


def ruling_at(knowledge: Books, iri: str) -> "Ruling":
    """The ruling at an address, with the valid answer. Raises NotFoundError."""
    there = knowledge.rulings.by_iri([iri]).values()
    rulings = add_changes(knowledge, [answer_at(knowledge, ruling) for ruling in there])
    if not rulings:
        raise UnknownAddressError("no ruling has the address {iri}", iri=iri, listing="/v1/rulings")
    return rulings[0]


def rulings_of_rule(knowledge: Books, iris: Iterable[str]) -> "list[Ruling]":
    """The rulings that rest on any of the rules, in any edition, the newest first."""
    rules = list(iris)
    through = {iri for rule in rules for iri in _rule_in_all_editions(knowledge, rule)}
    return valid_of_listed(knowledge, knowledge.rulings.rulings_of_rules({*rules, *through}))


def ruling_briefs(knowledge: Books, iri: str, lang: str) -> "list[RulingBrief]":
    """The newest rulings that rest on a rule, in short form."""
    return [_brief(knowledge, ruling, iri, lang) for ruling in rulings_of_rule(knowledge, [iri])[:_MAX_BRIEFS]]


def _brief(knowledge: Books, ruling: "Ruling", iri: str, lang: str) -> "RulingBrief":
    text_lang = choose(lang, ruling["answer"]) or lang
    through = {iri, *_rule_in_all_editions(knowledge, iri)}
    ground = next(basis for basis in ruling["rests_on"] if basis["rule"] in through)
    change = next(_steps(knowledge, ground["rule"], ruling["date"]), None)
    return {
        "iri": ruling["iri"],
        "source": ruling["source"],
        "id": ruling["id"],
        "date": ruling["date"],
        "authority": ruling["authority"],
        "lang": text_lang,
        "text": ruling["question"].get(text_lang) or ruling["answer"][text_lang],
        "how": ground["how"],
        "confidence": ground["confidence"],
        "changed": change is not None,
    }


def _rule_in_all_editions(knowledge: Books, iri: str) -> list[str]:
    """A rule in all editions: an old ruling may rest on an earlier version."""
    return [version.iri for version in knowledge.today.threads.thread_of(iri) if version.iri]


def rulings_of_card(knowledge: Books, *names: str) -> "list[Ruling]":
    """The rulings about a card, by its names or numbers, the newest first."""
    store = knowledge.rulings
    iris = dict.fromkeys(iri for name in names for iri in store.rulings_of_card(name))
    return _newest_first(valid_answers(knowledge, store.by_iri(list(iris)).values()))


def all_rulings(knowledge: Books, game: str | None = None) -> "list[Ruling]":
    """Every valid ruling, the newest first."""
    return _newest_first(valid_answers(knowledge, knowledge.rulings.all_rulings(game)))


def valid_of_listed(knowledge: Books, iris: Iterable[str]) -> "list[Ruling]":
    """The valid ones among the rulings, the newest first."""
    return _newest_first(valid_rulings(knowledge, knowledge.rulings.by_iri(iris).values()))


def outdated_rulings(knowledge: Books) -> set[str]:
    """The addresses of the rulings that rest on a rule that has changed since their date."""

    def find_outdated() -> set[str]:
        grounds = knowledge.rulings.rulings_with_grounds()
        return {ruling for ruling, rule, date in grounds if next(_steps(knowledge, rule, date), None)}

    iris: set[str] = knowledge.cached("rulings changed since", find_outdated)
    return iris


def add_changes(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """Rulings, each with the changes of the rules it rests on."""
    return [cast("Ruling", {**ruling, "changed_since": _changes_since(knowledge, ruling)}) for ruling in rulings]


def _newest_first(rulings: "Iterable[Ruling]") -> "list[Ruling]":
    by_iri = sorted(rulings, key=lambda ruling: ruling["iri"])
    return sorted(by_iri, key=lambda ruling: ruling["date"] or "", reverse=True)


def _changes_since(knowledge: Books, ruling: "Ruling") -> "list[ChangedSince]":
    return [
        {"rule": ground["rule"], "kind": version.step.kind.value, "edition": version.edition.edition, "now": version.iri}
        for ground in ruling["rests_on"]
        for version in _steps(knowledge, ground["rule"], ruling["date"])
    ]


def _steps(knowledge: Books, rule: str, date: str | None) -> Iterator[Version]:
    """The versions of a rule that are certainly later than a date and differ in words or place; none without a date."""
    period = parse_period(date) if date else None
    if period is None:
        return
    versions: list[Version] = knowledge.cached(("thread", rule), lambda: knowledge.threads.thread_of(rule))
    for version in versions:
        is_later = (age := period_of(version.edition)) is not None and period.is_before(age)
        if is_later and version.step.kind not in _UNCHANGED_KINDS and not version.step.only_references:
            yield version


SURE_CONFIDENCE = 0.5
"""Confidence of the best proposal below which a curator should judge it."""


def weak_rulings(knowledge: Books, below: float = SURE_CONFIDENCE) -> "list[Ruling]":
    """The valid rulings without certain grounds, the least certain first."""
    rulings = (ruling for ruling in knowledge.rulings.all_rulings() if ruling["version"] is None and not ruling["withdrawn"])
    games = {key.game for key in knowledge.manifest.editions}
    doubtful = [ruling for ruling in rulings if ruling["game"] in games and best_confidence(ruling) < below]
    return sorted(doubtful, key=lambda ruling: (best_confidence(ruling), ruling["iri"]))


def best_confidence(ruling: "Ruling") -> float:
    """The highest confidence of a ruling's grounds; 0 without any."""
    return max((1.0 if ground["how"] == "cited" else ground["confidence"] or 0.0 for ground in ruling["rests_on"]), default=0.0)


def proposed_rules(ruling: "Ruling") -> "Iterator[RestsOn]":
    """The rules that are proposed for a ruling."""
    return (ground for ground in ruling["rests_on"] if ground["how"] == "proposed")


class RulingDate:
    """Decides which answers are later than the date of a knowledge base. Each date is compared once."""

    def __init__(self, knowledge: Books) -> None:
        self.is_today = knowledge.today is knowledge
        self._knowledge = knowledge
        self._later: dict[tuple[str, str], bool] = {}

    def is_later(self, game: str, date: str | None) -> bool:
        """Whether an answer is certainly later; one without a date never is."""
        if self.is_today or not date:
            return False
        if (game, date) not in self._later:
            self._later[game, date] = self._knowledge.is_later(EditionKey(game, "rulings", date))
        return self._later[game, date]

    def valid_answer(self, ruling: "Ruling") -> str | None:
        """The address of the newest answer, current or older, that is not later than the date; None if there is none."""
        answers = ((ruling["iri"], ruling["date"]), *((version["iri"], version["date"]) for version in ruling["older"]))
        return next((iri for iri, date in answers if not self.is_later(ruling["game"], date)), None)


def valid_answers(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """The valid answers of the rulings; withdrawn rulings have none."""
    current = [ruling for ruling in rulings if ruling["version"] is None and not ruling["withdrawn"]]
    moment = RulingDate(knowledge)
    return current if moment.is_today else list(_valid_answers(knowledge, moment, current))


def valid_rulings(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """The same for a selection of rulings; excludes those whose valid answer is not in the selection."""
    every = list(rulings)
    if knowledge.today is knowledge:
        return valid_answers(knowledge, every)
    addresses = {ruling["iri"] for ruling in every}
    newest = knowledge.rulings.by_iri(map(current_answer_address, every)).values()
    return [ruling for ruling in valid_answers(knowledge, newest) if ruling["iri"] in addresses]


def answer_at(knowledge: Books, ruling: "Ruling") -> "Ruling":
    """The valid answer of a ruling; an older answer that is addressed directly is returned as it is.

    Raises NotFoundError if it did not exist yet.
    """
    moment = RulingDate(knowledge)
    if moment.is_today or ruling["version"] is not None:
        return ruling
    valid_answer = next(_valid_answers(knowledge, moment, [ruling]), None)
    if valid_answer is None:
        first = min(filter(None, (ruling["date"], *(version["date"] for version in ruling["older"]))))
        raise NotFoundError("{iri} had no answer then; its first answer is from {date}", iri=ruling["iri"], date=first)
    return valid_answer


def current_answer_address(ruling: "Ruling") -> str:
    """The address of the current answer of a ruling, which may be itself."""
    return ruling_iri(ruling["game"], ruling["source"], ruling["id"])


def _valid_answers(knowledge: Books, moment: RulingDate, rulings: "Iterable[Ruling]") -> "Iterator[Ruling]":
    there = {ruling["iri"]: ruling for ruling in rulings}
    answers = [moment.valid_answer(ruling) for ruling in there.values()]
    there |= knowledge.rulings.by_iri(iri for iri in answers if iri and iri not in there)
    yield from (there[iri] for iri in answers if iri in there)
