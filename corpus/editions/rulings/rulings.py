"""Rulings with the changes of their rules since their date, and the rulings that rest on a rule."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, cast

from corpus.chronology import Period, parse_period, period_of
from corpus.editions.rulings.valid_answers import answer_at, valid_answers, valid_rulings
from corpus.errors import NotFoundError
from corpus.languages import choose
from corpus.store.books import Books
from corpus.store.threads.recorded import Version
from corpus.store.threads.step import Kind

if TYPE_CHECKING:
    from corpus.contract import ChangedSince, RestsOn, Ruling, RulingBrief

_NEWEST = 5
"""Maximum number of rulings listed with a rule."""
_STAYED = (Kind.FIRST, Kind.SAME)


def ruling_at(knowledge: Books, iri: str) -> "Ruling":
    """The ruling at an address, with the valid answer. Raises NotFoundError."""
    there = knowledge.rulings.by_iri([iri]).values()
    rulings = with_changes(knowledge, [answer_at(knowledge, ruling) for ruling in there])
    if not rulings:
        raise NotFoundError("no ruling has the address {iri}; /v1/rulings lists the loaded ones", iri=iri[:200])
    return rulings[0]


def of_rule(knowledge: Books, iris: Iterable[str]) -> "list[Ruling]":
    """The rulings that rest on any of the rules, in any edition, the newest first."""
    known = list(iris)
    through = {iri for rule in known for iri in _through(knowledge, rule)}
    return listed(knowledge, knowledge.rulings.of_rules({*known, *through}))


def briefs(knowledge: Books, iri: str, lang: str) -> "list[RulingBrief]":
    """The newest rulings that rest on a rule, in short form."""
    return [_brief(knowledge, ruling, iri, lang) for ruling in of_rule(knowledge, [iri])[:_NEWEST]]


def _brief(knowledge: Books, ruling: "Ruling", iri: str, lang: str) -> "RulingBrief":
    shown = choose(lang, ruling["answer"]) or lang
    through = {iri, *_through(knowledge, iri)}
    ground = next(basis for basis in ruling["rests_on"] if basis["rule"] in through)
    changed = next(_steps(knowledge, ground["rule"], ruling["date"]), None)
    return {
        "iri": ruling["iri"],
        "source": ruling["source"],
        "id": ruling["id"],
        "date": ruling["date"],
        "authority": ruling["authority"],
        "lang": shown,
        "text": ruling["question"].get(shown) or ruling["answer"][shown],
        "how": ground["how"],
        "confidence": ground["confidence"],
        "changed": changed is not None,
    }


def _through(knowledge: Books, iri: str) -> list[str]:
    """A rule in all editions: an old ruling may rest on an earlier version."""
    return [version.iri for version in knowledge.whole.threads.thread_of(iri) if version.iri]


def of_card(knowledge: Books, name: str) -> "list[Ruling]":
    """The rulings about a card, by its name, the newest first."""
    stored = knowledge.rulings
    return _newest_first(valid_answers(knowledge, stored.by_iri(stored.of_card(name)).values()))


def every(knowledge: Books, game: str | None = None) -> "list[Ruling]":
    """Every valid ruling, the newest first."""
    return _newest_first(valid_answers(knowledge, knowledge.rulings.every(game)))


def listed(knowledge: Books, iris: Iterable[str]) -> "list[Ruling]":
    """The valid ones among the rulings, the newest first."""
    return _newest_first(valid_rulings(knowledge, knowledge.rulings.by_iri(iris).values()))


def changed(knowledge: Books) -> set[str]:
    """The addresses of the rulings that rest on a rule that has changed since their date."""
    iris: set[str] = knowledge.once("rulings changed since", lambda: set(_changed(knowledge)))
    return iris


def with_changes(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """Rulings, each with the changes of the rules it rests on."""
    return [cast("Ruling", {**ruling, "changed_since": _since(knowledge, ruling)}) for ruling in rulings]


def _newest_first(rulings: "Iterable[Ruling]") -> "list[Ruling]":
    by_iri = sorted(rulings, key=lambda ruling: ruling["iri"])
    return sorted(by_iri, key=lambda ruling: ruling["date"] or "", reverse=True)


def _changed(knowledge: Books) -> Iterator[str]:
    for ruling, rule, date in knowledge.rulings.resting():
        if next(_steps(knowledge, rule, date), None):
            yield ruling


def _since(knowledge: Books, ruling: "Ruling") -> "list[ChangedSince]":
    return [
        {"rule": ground["rule"], "kind": version.step.kind.value, "edition": version.edition.edition, "now": version.iri}
        for ground in ruling["rests_on"]
        for version in _steps(knowledge, ground["rule"], ruling["date"])
    ]


def _steps(knowledge: Books, rule: str, date: str | None) -> Iterator[Version]:
    """The versions of a rule that are certainly later than a date and differ in words or place; none without a date."""
    given = parse_period(date) if date else None
    if given is None:
        return
    later = _later_than(given)
    versions: list[Version] = knowledge.once(("thread", rule), lambda: knowledge.threads.thread_of(rule))
    for version in versions:
        if version.step.kind not in _STAYED and not version.step.only_references and later(version):
            yield version


def _later_than(given: Period) -> Callable[[Version], bool]:
    return lambda version: (age := period_of(version.edition)) is not None and given.before(age)


SURE = 0.5
"""Confidence of the best proposal below which a curator should judge it."""


def weak(knowledge: Books, below: float = SURE, game: str | None = None) -> "list[Ruling]":
    """The valid rulings without certain grounds, the least certain first."""
    rulings = (ruling for ruling in knowledge.rulings.every(game) if ruling["version"] is None and not ruling["withdrawn"])
    loaded = {key.game for key in knowledge.manifest.editions}
    doubtful = [ruling for ruling in rulings if ruling["game"] in loaded and best(ruling) < below]
    return sorted(doubtful, key=lambda ruling: (best(ruling), ruling["iri"]))


def best(ruling: "Ruling") -> float:
    """The highest confidence of a ruling's grounds; 0 without any."""
    return max(map(_sure, ruling["rests_on"]), default=0.0)


def _sure(ground: "RestsOn") -> float:
    return 1.0 if ground["how"] == "cited" else ground["confidence"] or 0.0


def proposals(ruling: "Ruling") -> "Iterator[RestsOn]":
    """The rules that are proposed for a ruling."""
    return (ground for ground in ruling["rests_on"] if ground["how"] == "proposed")
