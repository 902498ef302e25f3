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

    def stood(self, ruling: "Ruling") -> str | None:
        """The address of the newest answer that is not later, among the current and older ones; None without any."""
        answers = ((ruling["iri"], ruling["date"]), *((version["iri"], version["date"]) for version in ruling["older"]))
        return next((iri for iri, date in answers if not self.is_later(ruling["game"], date)), None)


def standing(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """The valid answers of the rulings; withdrawn rulings have none."""
    held = [ruling for ruling in rulings if ruling["version"] is None and not ruling["withdrawn"]]
    moment = Moment(knowledge)
    return held if moment.is_today else list(_stood(knowledge, moment, held))


def those_that_stand(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """The same for a selection of rulings, without those whose valid answer is not in it."""
    given = list(rulings)
    if knowledge.whole is knowledge:
        return standing(knowledge, given)
    wanted = {ruling["iri"] for ruling in given}
    newest = knowledge.rulings.by_iri(map(newest_of, given)).values()
    return [ruling for ruling in standing(knowledge, newest) if ruling["iri"] in wanted]


def answer_at(knowledge: Books, ruling: "Ruling") -> "Ruling":
    """The valid answer of a ruling; an older answer that is addressed directly is returned as it is.

    Raises NotFoundError if there was none yet.
    """
    moment = Moment(knowledge)
    if moment.is_today or ruling["version"] is not None:
        return ruling
    stood = next(_stood(knowledge, moment, [ruling]), None)
    if stood is None:
        first = min(filter(None, (ruling["date"], *(version["date"] for version in ruling["older"]))))
        raise NotFoundError("{iri} had no answer then; its first answer is from {date}", iri=ruling["iri"], date=first)
    return stood


def newest_of(ruling: "Ruling") -> str:
    """The address of the current answer of a ruling, which may be itself."""
    return ruling_iri(ruling["game"], ruling["source"], ruling["id"])


def _stood(knowledge: Books, moment: Moment, rulings: "Iterable[Ruling]") -> "Iterator[Ruling]":
    there = {ruling["iri"]: ruling for ruling in rulings}
    chosen = [moment.stood(ruling) for ruling in there.values()]
    there |= knowledge.rulings.by_iri(iri for iri in chosen if iri and iri not in there)
    yield from (there[iri] for iri in chosen if iri in there)
