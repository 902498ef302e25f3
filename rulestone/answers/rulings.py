"""Rulings: by rule, by card, by what is asked, or all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.address import ruling_iri
from corpus.errors import NotFoundError
from corpus.paging import Page
from corpus.reference import parse_reference
from ontology.answers import rulings as found
from ontology.store.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus.contract import Ruling, Rulings


@dataclass(frozen=True, slots=True)
class Asked:
    """Which rulings are wanted: those that fit all that is given."""

    card: str | None = None
    rule: str | None = None  # a reference
    game: str | None = None
    source: str | None = None
    changed: bool | None = None


def ruling(knowledge: Knowledge, game: str, source: str, name: str) -> "Ruling":
    """One ruling; `name` is its id, for an older answer with `@` and its date. Raises NotFoundError."""
    return found.ruling_at(knowledge, ruling_iri(game, source, name))


def rulings(knowledge: Knowledge, asked: Asked, page: Page) -> "Rulings":
    """The rulings that fit, the newest first. Raises NotFoundError for a rule that is not there."""
    fitting = [one for one in _candidates(knowledge, asked) if _fits(one, asked)]
    if asked.changed is not None:
        changed = found.changed(knowledge)
        fitting = [one for one in fitting if (one["iri"] in changed) is asked.changed]
    return body(knowledge, fitting, page)


def body(knowledge: Knowledge, fitting: "Sequence[Ruling]", page: Page) -> "Rulings":
    """A page of some rulings."""
    shown = fitting[page.offset : page.offset + page.limit]
    return {"total": len(fitting), "rulings": found.with_changes(knowledge, shown)}


def _candidates(knowledge: Knowledge, asked: Asked) -> "list[Ruling]":
    if asked.rule is not None:
        return found.of_rule(knowledge, [record["iri"] for record in knowledge.rules(parse_reference(asked.rule))])
    if asked.card is not None:
        return found.of_card(knowledge, asked.card)
    return found.every(knowledge, asked.game)


def _fits(one: "Ruling", asked: Asked) -> bool:
    from ontology.store.rulings import card_key

    return (
        asked.game in (None, one["game"])
        and asked.source in (None, one["source"])
        and (asked.card is None or card_key(asked.card) in map(card_key, (*one["cards"], *one["card_ids"])))
    )


def nothing(what: str) -> NotFoundError:
    """That no ruling was found."""
    return NotFoundError("no ruling for {what!r}; rulestone add FILE --game GAME adds rulings", what=what[:80])
