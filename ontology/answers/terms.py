"""What a term is called in each game and language, which rule defines it, and every place where it is used."""

from collections.abc import Sequence

from corpus.address import game_of
from corpus.contract import DENIED, FalseFriend, Terms
from corpus.errors import NotFoundError
from corpus.paging import Page
from ontology.answers.concepts import described, pointers
from ontology.answers.concordance import concordance
from ontology.answers.matches import matches_of
from ontology.answers.resolve import named_and_related
from ontology.store.knowledge import Knowledge


def term(knowledge: Knowledge, label: str, lang: str, page: Page, game: str | None = None, within: str | None = None) -> Terms:
    """The terms for what a label names, and the concordance of their uses, by game and language.

    What a label names in one game stands for the cross-game concept, and so for what every game calls that. `game` limits
    terms and uses to one game, `within` the uses to one language. Raises InputError for what can be no name, NotFoundError
    where no concept is called so, or none of that game belongs to it.
    """
    named, related = named_and_related(knowledge.names, label)
    shown = [concept for concept in related if game_of(concept) and game in (None, game_of(concept))]
    shown = shown or (named if game is None else [])
    uses = concordance(knowledge, related, lang, page, game, within)
    if not shown and not uses:
        raise NotFoundError(
            "{game} has nothing for what {label!r} names; without a game every game's terms are shown", game=game, label=label[:60]
        )
    return {
        "label": label,
        "lang": lang,
        "offset": page.offset,
        "limit": page.limit,
        "total": sum(group["total"] for group in uses),
        "terms": [{**concept, "named": concept["concept"] in named} for concept in described(knowledge, shown, lang)],
        "false_friends": false_friends(knowledge, named, lang),
        "concordance": uses,
    }


def false_friends(knowledge: Knowledge, named: Sequence[str], lang: str) -> list[FalseFriend]:
    """What looks like a counterpart of some concepts and is none: both concepts, a rule of each, and what differs."""
    matches = matches_of(knowledge.store, named)
    pairs = ((concept, match) for concept in named for match in matches.get(concept, ()) if match["predicate"].startswith(DENIED))
    denied = {frozenset((concept, match["concept"])): (concept, match["concept"], match) for concept, match in pairs}
    friends = [(concept, other, match) for concept, other, match in denied.values() if other]
    rules = pointers(knowledge, (rule for *_, match in friends for rule in (match["own_rule"], match["rule"]) if rule))
    return [
        {
            **knowledge.names.name(concept, lang),
            "other": knowledge.names.name(other, lang),
            "predicate": match["predicate"],
            "own_rule": rules.get(match["own_rule"] or ""),
            "rule": rules.get(match["rule"] or ""),
            "comment": match["comment"],
        }
        for concept, other, match in friends
    ]
