"""What a term is called in each game and language, which rule defines it, and every place where it is used."""

from collections.abc import Sequence
from typing import Any

from corpus.address import game_of
from corpus.errors import InputError, NotFoundError
from corpus.paging import Page
from ontology.answers.concepts import described, pointers
from ontology.answers.concordance import concordance
from ontology.answers.matches import DENIED, matches_of
from ontology.answers.resolve import ideas
from ontology.store.knowledge import Knowledge

Body = dict[str, Any]


def term(knowledge: Knowledge, label: str, lang: str, page: Page, game: str | None = None, within: str | None = None) -> Body:
    """The terms for what a label names, and the concordance of their uses, by game and language.

    Gives `{"label", "lang", "offset", "limit", "total", "terms", "false_friends", "concordance"}`. What a label names in
    one game stands for the cross-game idea, and so for what every game calls that. `game` limits terms and uses to one
    game, `within` the uses to one language. Raises InputError for what can be no name, NotFoundError where no concept is
    called so, or none of that game belongs to it.
    """
    _check(knowledge, game)
    named, every = ideas(knowledge.names, label)
    shown = [concept for concept in every if game_of(concept) and game in (None, game_of(concept))]
    shown = shown or (named if game is None else [])
    uses = concordance(knowledge, every, lang, page, game, within)
    if not shown and not uses:
        raise NotFoundError(f"{game} has nothing for what {label[:60]!r} names; without a game every game's terms are shown")
    return {
        "label": label,
        "lang": lang,
        "offset": page.offset,
        "limit": page.limit,
        "total": sum(group["total"] for group in uses),
        "terms": [{**one, "named": one["concept"] in named} for one in described(knowledge, shown, lang)],
        "false_friends": false_friends(knowledge, named, lang),
        "concordance": uses,
    }


def false_friends(knowledge: Knowledge, named: Sequence[str], lang: str) -> list[Body]:
    """What looks like a counterpart of some concepts and is none: both concepts, a rule of each, and what differs."""
    found = matches_of(knowledge.store, named)
    pairs = ((one, match) for one in named for match in found.get(one, ()) if match["predicate"].startswith(DENIED))
    denied = list({frozenset((one, match["concept"])): (one, match) for one, match in pairs if match["concept"]}.values())
    rules = pointers(knowledge, (rule for _, match in denied for rule in (match["own_rule"], match["rule"]) if rule))
    return [
        {
            **knowledge.names.name(concept, lang),
            "other": knowledge.names.name(match["concept"], lang),
            "predicate": match["predicate"],
            "own_rule": rules.get(match["own_rule"]),
            "rule": rules.get(match["rule"]),
            "comment": match["comment"],
        }
        for concept, match in denied
    ]


def _check(knowledge: Knowledge, game: str | None) -> None:
    known = {game_of(concept) or "" for concept in knowledge.names.labels} | {key.game for key in knowledge.manifest.editions}
    if game is not None and game not in known:
        raise InputError(f"{game[:40]!r} is no game with terms or texts; expected one of {', '.join(sorted(known - {''}))}")
