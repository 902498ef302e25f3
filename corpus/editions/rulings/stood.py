"""Which answer to a question stands: the one that holds, or at another moment the one that held then."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from corpus.address import EditionKey, ruling_iri
from corpus.errors import NotFoundError
from corpus.store.books import Books

if TYPE_CHECKING:
    from corpus.contract import Ruling


class Moment:
    """Tells which answers are later than the moment of a knowledge base; today none is. Each date is looked at once."""

    def __init__(self, knowledge: Books) -> None:
        self.is_today = knowledge.whole is knowledge
        self._knowledge = knowledge
        self._later: dict[tuple[str, str], bool] = {}

    def is_later(self, game: str, date: str | None) -> bool:
        """Whether an answer is surely later; one without a date never is."""
        if self.is_today or not date:
            return False
        if (game, date) not in self._later:
            self._later[game, date] = self._knowledge.is_later(EditionKey(game, "rulings", date))
        return self._later[game, date]

    def stood(self, ruling: "Ruling") -> str | None:
        """The address of the newest answer that is not later, of the one that holds and those before it; None without any."""
        answers = ((ruling["iri"], ruling["date"]), *((version["iri"], version["date"]) for version in ruling["older"]))
        return next((iri for iri, date in answers if not self.is_later(ruling["game"], date)), None)


def standing(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """The answers that stand among some rulings and those before them; none of what was withdrawn."""
    held = [ruling for ruling in rulings if ruling["version"] is None and not ruling["withdrawn"]]
    moment = Moment(knowledge)
    return held if moment.is_today else list(_stood(knowledge, moment, held))


def those_that_stand(knowledge: Books, rulings: "Iterable[Ruling]") -> "list[Ruling]":
    """The same of rulings of which an older answer may stand for the whole, without those whose standing answer is another."""
    given = list(rulings)
    if knowledge.whole is knowledge:
        return standing(knowledge, given)
    wanted = {ruling["iri"] for ruling in given}
    newest = knowledge.rulings.by_iri(map(newest_of, given)).values()
    return [ruling for ruling in standing(knowledge, newest) if ruling["iri"] in wanted]


def answer_at(knowledge: Books, ruling: "Ruling") -> "Ruling":
    """The answer that stands in the place of a ruling; an older one that is named by its address is meant as it is.

    Raises NotFoundError where there was none yet.
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
    """The address of the answer that holds in the place of a ruling, which may be itself."""
    return ruling_iri(ruling["game"], ruling["source"], ruling["id"])


def _stood(knowledge: Books, moment: Moment, rulings: "Iterable[Ruling]") -> "Iterator[Ruling]":
    there = {ruling["iri"]: ruling for ruling in rulings}
    chosen = [moment.stood(ruling) for ruling in there.values()]
    there |= knowledge.rulings.by_iri(iri for iri in chosen if iri and iri not in there)
    yield from (there[iri] for iri in chosen if iri in there)
