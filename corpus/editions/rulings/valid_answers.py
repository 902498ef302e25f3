"""The valid answer of a ruling: today, or as of a date."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from corpus.address import EditionKey, ruling_iri
from corpus.errors import NotFoundError
from corpus.store.books import Books

if TYPE_CHECKING:
    from corpus.contract import Ruling


class Moment:
    """Decides which answers are later than the date of a knowledge base. Each date is compared once."""

    def __init__(self, knowledge: Books) -> None:
        self.is_today = knowledge.whole is knowledge
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
        """The address of the newest answer that is not later, among the current and older ones; None without any."""
        answers = ((ruling["iri"], ruling["date"]), *((version["iri"], version["date"]) for version in ruling["older"]))
        return next((iri for iri, date in answers if not self.is_later(ruling["game"], date)), None)


def valid_answers(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """The valid answers of the rulings; withdrawn rulings have none."""
    held = [ruling for ruling in rulings if ruling["version"] is None and not ruling["withdrawn"]]
    moment = Moment(knowledge)
    return held if moment.is_today else list(_valid_answers(knowledge, moment, held))


def valid_rulings(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """The same for a selection of rulings; excludes those whose valid answer is not in the selection."""
    given = list(rulings)
    if knowledge.whole is knowledge:
        return valid_answers(knowledge, given)
    wanted = {ruling["iri"] for ruling in given}
    newest = knowledge.rulings.by_iri(map(newest_of, given)).values()
    return [ruling for ruling in valid_answers(knowledge, newest) if ruling["iri"] in wanted]


def answer_at(knowledge: Books, ruling: "Ruling") -> "Ruling":
    """The valid answer of a ruling; an older answer that is addressed directly is returned as it is.

    Raises NotFoundError if it did not exist yet.
    """
    moment = Moment(knowledge)
    if moment.is_today or ruling["version"] is not None:
        return ruling
    valid_answer = next(_valid_answers(knowledge, moment, [ruling]), None)
    if valid_answer is None:
        first = min(filter(None, (ruling["date"], *(version["date"] for version in ruling["older"]))))
        raise NotFoundError("{iri} had no answer then; its first answer is from {date}", iri=ruling["iri"], date=first)
    return valid_answer


def newest_of(ruling: "Ruling") -> str:
    """The address of the current answer of a ruling, which may be itself."""
    return ruling_iri(ruling["game"], ruling["source"], ruling["id"])


def _valid_answers(knowledge: Books, moment: Moment, rulings: "Iterable[Ruling]") -> "Iterator[Ruling]":
    there = {ruling["iri"]: ruling for ruling in rulings}
    chosen = [moment.valid_answer(ruling) for ruling in there.values()]
    there |= knowledge.rulings.by_iri(iri for iri in chosen if iri and iri not in there)
    yield from (there[iri] for iri in chosen if iri in there)
