"""Where the games of an answer differ: by what is proved of the zones that are asked of, and by the counterparts of its rules."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from corpus.address import concept_iri, scheme_of, split_rule
from corpus.languages import choose
from ontology.checks.comparison import differing
from ontology.concepts.properties import claims_then
from ontology.counterparts import counterparts

if TYPE_CHECKING:
    from corpus.contract import Difference
    from ontology.knowledge import Knowledge
    from search.answer.answerer import Answered
    from search.index.index import Index

_MOST = 8
"""Differences of one answer."""


def differences(knowledge: "Knowledge", index: "Index", answered: "Answered") -> "list[Difference]":
    """What differs between the games that are asked of, or that the claims are of, in the language of the answer."""
    games = answered.query.games or tuple(dict.fromkeys(claim.shown.record["game"] for claim in answered.claims))
    if len(games) < 2 or not answered.claims:
        return []
    sentences = [*_of_zones(knowledge, answered, games), *_of_rules(knowledge, index, answered)]
    return sentences[:_MOST]


def _of_zones(knowledge: "Knowledge", answered: "Answered", games: Sequence[str]) -> "Iterator[Difference]":
    """Where the zones that a question names differ from game to game."""
    lang = choose(answered.lang, ("en", "ja", "zh-Hans")) or "en"
    cases = [knowledge.names.cases.get(concept_iri(concept), ()) for concept in answered.query.concepts]
    claims = claims_then(knowledge, {concept for some in cases for concept in some if scheme_of(concept) in games})
    separator = " " if lang == "en" else ""
    for some in cases:
        there = [concept for concept in some if concept in claims]
        for pair in combinations(sorted(there, key=lambda concept: games.index(scheme_of(concept))), 2):
            sides = [scheme_of(concept) for concept in pair]
            if sides[0] != sides[1]:
                for name, rules, text in differing([claims[concept] for concept in pair], sides, lang):
                    yield {"games": sides, "rules": rules, "property": name, "text": text.strip(separator)}


def _of_rules(knowledge: "Knowledge", index: "Index", answered: "Answered") -> "Iterator[Difference]":
    """What is said of two rules of an answer that are counterparts, in whichever of their editions it is said."""
    places = list(dict.fromkeys(claim.shown.place for claim in answered.claims))
    for mine, other in combinations(places, 2):
        groups = [int(index.rules.group[place]) for place in (mine, other)]
        if any(near.group == groups[1] for near in index.counterparts.get(groups[0], ())):
            rules = [index.rules[place].iri for place in (mine, other)]
            if text := _comment(knowledge, index, groups, answered.lang):
                yield {"games": [split_rule(rule).key.game for rule in rules], "rules": rules, "property": None, "text": text}


def _comment(knowledge: "Knowledge", index: "Index", groups: Sequence[int], lang: str) -> str:
    """What is said of a counterpart, in the language of the answer or the next that there is."""
    there = {index.rules[place].iri for place in _every(index, groups[1])}
    said = (row for place in _every(index, groups[0]) for row in counterparts(knowledge.whole.store, index.rules[place].iri, lang))
    return next((row["comment"] for row in said if row["iri"] in there), "")


def _every(index: "Index", group: int) -> list[int]:
    """The rules of a group, those that are not searched too: counterparts are stated of the editions that the digest glosses."""
    return [int(place) for place in (index.rules.group == group).nonzero()[0]]
