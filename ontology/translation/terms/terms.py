"""What a term is called in each game and language, which rule defines it, and every place where it is used."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from corpus.address import game_of
from corpus.comparison import DENIED
from corpus.errors import NotFoundError
from corpus.languages import label_language
from corpus.model import Authority
from ontology.concepts.concepts import described, pointers
from ontology.concepts.matches import matches_of
from ontology.concepts.resolve import named, nothing, with_related
from ontology.translation.terms.concordance import GLOSS, Use, grouped, uses
from ontology.translation.terms.printed import Place, form
from ontology.translation.terms.wording import uses_of

if TYPE_CHECKING:
    from corpus.contract import ConceptDescribed, ConceptLabel, FalseFriend, Terms
    from corpus.paging import Page
    from ontology.knowledge import Knowledge


def term(
    knowledge: "Knowledge",
    label: str,
    lang: str,
    page: "Page",
    game: str | Sequence[str] | None = None,
    within: str | None = None,
) -> "Terms":
    """The terms for what a label names, and the concordance of their uses, by game and language.

    What a label names in one game stands for the cross-game concept, and so for what every game calls that. Where no concept has
    that name, the words themselves are looked for. `game` limits terms and uses to one game or several, `within` the uses to one
    language. A name is official where the publisher's book or its recognised translation prints it; `authority` says which.
    Raises InputError for what can be no name, NotFoundError where no concept is called so, or none of that game belongs to it, and
    no text has the words.
    """
    games = (game,) if isinstance(game, str) else tuple(game or ())
    bearers = named(knowledge.names, label)
    related = with_related(knowledge.names, bearers)
    shown = [concept for concept in related if (own := game_of(concept)) and (not games or own in games)]
    shown = shown or (bearers if not games else [])
    used = _of_games(_uses(knowledge, label, related, games[0] if len(games) == 1 else None), games)
    groups = grouped(used, lang, page, within)
    if not shown and not groups:
        raise _missing(knowledge, label, bearers, ", ".join(games))
    who = _printed_by(used)
    return {
        "label": label,
        "lang": lang,
        "offset": page.offset,
        "limit": page.limit,
        "total": sum(group["total"] for group in groups),
        "terms": [
            {**concept, "labels": _by_whom(concept, who), "named": concept["concept"] in bearers}
            for concept in described(knowledge, shown, lang)
        ],
        "false_friends": false_friends(knowledge, bearers, lang),
        "concordance": groups,
    }


def _of_games(places: list[Use], games: Sequence[str]) -> list[Use]:
    return [use for use in places if use.rule.game in games] if len(games) > 1 else places


def _printed_by(places: Iterable[Use]) -> "Mapping[Place, Authority]":
    """Who prints a name: the highest authority of a text that it is used in."""
    best: dict[Place, Authority] = {}
    for use in places:
        if use.concept and use.authority and use.source != GLOSS:
            place = use.concept, label_language(use.lang), form(use.words[use.start : use.end])
            best[place] = min(best.get(place, Authority.EDITORIAL), Authority(use.authority), key=lambda authority: authority.rank)
    return best


def _by_whom(concept: "ConceptDescribed", who: "Mapping[Place, Authority]") -> "dict[str, list[ConceptLabel]]":
    """The names of a concept, each with who prints it, if anybody does."""
    return {
        lang: [
            _with_authority(label, who.get((concept["concept"], label_language(lang), form(label["label"])))) for label in labels
        ]
        for lang, labels in concept["labels"].items()
    }


def _with_authority(label: "ConceptLabel", who: Authority | None) -> "ConceptLabel":
    if who is None:
        return label
    return {**label, "official": label["official"] or who in (Authority.OFFICIAL, Authority.TRANSLATION), "authority": who.value}


def _missing(knowledge: "Knowledge", label: str, named: Sequence[str], game: str) -> NotFoundError:
    if not named:
        return nothing(knowledge.names, " ".join(label.split()))
    return NotFoundError(
        "{game} has nothing for what {label!r} names; without a game every game's terms are shown", game=game, label=label[:60]
    )


def _uses(knowledge: "Knowledge", label: str, concepts: Sequence[str], game: str | None) -> list[Use]:
    """Where concepts are marked, and where the names stand that a book defines; where there is nothing, the label's own words."""
    names = knowledge.names
    marked = list(uses(knowledge, concepts, game)) if concepts else []
    met = {use.concept for use in marked}
    of_books = [concept for concept in concepts if concept in names.of_books and concept not in met]
    called = {name.text: concept for concept in of_books for name in names.labels[concept]}
    worded = (use for use in uses_of(knowledge, called, game) if game_of(use.concept or "") == use.rule.game)
    places = [*marked, *worded] if called else marked
    return places or list(uses_of(knowledge, {label: None}, game))


def false_friends(knowledge: "Knowledge", named: Sequence[str], lang: str) -> list["FalseFriend"]:
    """What looks like a counterpart of some concepts and is none: both concepts, a rule of each, and what differs."""
    matches = matches_of(knowledge.concepts.mappings(named), lang)
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
