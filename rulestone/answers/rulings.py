"""Rulings: by rule, by card, by what is asked, or all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpus.address import RULINGS, is_ruling, path_of, ruling_iri
from corpus.editions.rulings import rulings as known
from corpus.errors import InputError, NotFoundError
from corpus.paging import Page
from corpus.reference import parse_reference, reference_in
from corpus.store.rulings import card_key
from ontology.knowledge import Knowledge

if TYPE_CHECKING:
    from corpus.contract import Ruling, Rulings
    from search.searcher import Request, Searcher

_MOST = 1000
"""Rulings for a question among which those that fit what else is asked are looked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which rulings are wanted: those that fit all that is given."""

    card: str | None = None
    rule: str | None = None  # a reference
    game: str | None = None
    source: str | None = None
    changed: bool | None = None
    query: str | None = None
    iri: str | None = None
    within_game: bool = False  # the reference is what follows the game in a path


def ruling(knowledge: Knowledge, game: str, source: str, name: str) -> "Ruling":
    """One ruling with the answer that stands; `name` is its id, for an older one with `@` and its date. Raises NotFoundError."""
    return known.ruling_at(knowledge, ruling_iri(game, source, name))


def meant(knowledge: Knowledge, what: str, asked: Asked) -> Asked:
    """What some words mean: the address of a ruling, a rule that is there, a card with rulings, else a question."""
    words = what.strip()
    if is_ruling(words):
        return replace(asked, iri=words)
    if f"/{RULINGS}/" in words and "://" in words:
        return replace(asked, iri=ruling_iri(*_parts(path_of(words))))
    if known.of_card(knowledge, words):
        return replace(asked, card=words)
    return replace(asked, rule=words) if _is_rule(knowledge, words) else replace(asked, query=words)


def _parts(path: str) -> tuple[str, str, str]:
    game, _, rest = path.partition(f"/{RULINGS}/")
    source, _, name = rest.partition("/")
    return game.rpartition("/")[2], source, name


def _is_rule(knowledge: Knowledge, words: str) -> bool:
    try:
        return bool(knowledge.rules(parse_reference(words)))
    except (InputError, NotFoundError):
        return False


def rulings(knowledge: Knowledge, asked: Asked, page: Page) -> "Rulings":
    """The rulings that fit, the newest first. Raises NotFoundError for a rule or a ruling that is not there."""
    if asked.iri is not None:
        return {"total": 1, "rulings": [known.ruling_at(knowledge, asked.iri)]}
    fitting = _fitting(knowledge, _candidates(knowledge, asked), asked)
    return {"total": len(fitting), "rulings": known.with_changes(knowledge, fitting[page.offset : page.offset + page.limit])}


def answering(searcher: "Searcher", request: "Request", asked: Asked, page: Page) -> "Rulings":
    """The rulings that answer a question, the best first, each with a score."""
    plain = (asked.card, asked.rule, asked.source, asked.changed) == (None, None, None, None)
    body = searcher.search(replace(request, limit=page.offset + page.limit if plain else _MOST, offset=0))
    scored = [_scored(hit["ruling"], hit["score"]) for hit in body["hits"] if "ruling" in hit]
    there = {candidate["iri"] for candidate in _candidates(searcher.knowledge, asked)} if asked.card or asked.rule else None
    fitting = [candidate for candidate in _fitting(searcher.knowledge, scored, asked) if there is None or candidate["iri"] in there]
    total = body["total"] if plain else len(fitting)
    return {"total": total, "rulings": fitting[page.offset : page.offset + page.limit]}


def _scored(candidate: "Ruling", score: float) -> "Ruling":
    candidate["score"] = score
    return candidate


def _candidates(knowledge: Knowledge, asked: Asked) -> "list[Ruling]":
    if asked.rule is not None:
        within = reference_in(asked.game, asked.rule) if asked.within_game and asked.game else parse_reference(asked.rule)
        return known.of_rule(knowledge, [record["iri"] for record in knowledge.rules(within)])
    if asked.card is not None:
        return known.of_card(knowledge, asked.card)
    return known.every(knowledge, asked.game)


def _fitting(knowledge: Knowledge, candidates: "Sequence[Ruling]", asked: Asked) -> "list[Ruling]":
    fitting = [candidate for candidate in candidates if _fits(candidate, asked)]
    if asked.changed is None:
        return fitting
    changed = known.changed(knowledge)
    return [candidate for candidate in fitting if (candidate["iri"] in changed) is asked.changed]


def _fits(candidate: "Ruling", asked: Asked) -> bool:
    return (
        asked.game in (None, candidate["game"])
        and asked.source in (None, candidate["source"])
        and (asked.card is None or card_key(asked.card) in map(card_key, (*candidate["cards"], *candidate["card_ids"])))
    )
