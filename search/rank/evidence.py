"""What tells whether the first hits answer a question: evidence in absolute terms, of no other rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from search.index.concept_tokens import MARK
from search.index.field import Field
from search.index.index import Index
from search.index.lexical import Scores
from search.index.rules import Flags
from search.query.query import Query

TOGETHER = 3
"""So many hits are looked at together."""


class Legs(NamedTuple):
    """How near each rule's best passage of a field is to the question, before anything is fused; shapes (rules,)."""

    words: Mapping[Field, Scores]  # BM25
    static: Mapping[Field, Scores]  # cosines of the static vectors
    meant: Mapping[Field, Scores]  # cosines of the sentence vectors; empty without them


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well the first hit answers, in absolute terms: what is told of no other rule, so that a doubt can be told."""

    coverage: float = 0.0  # share of the query, weighed by rarity, that stands in any passage of the rule
    together: float = 0.0  # the same of the first three hits together
    cosine: float = 0.0  # of its nearest passage
    concepts: float = 0.5  # share of the concepts of the query, weighed by rarity, that the rule names; 0.5 where it names none
    missing: float = 0.0  # the rarest concept that the rule does not name, 1: no passage names it
    length: float = 0.0  # logarithm of what is asked: the more is asked, the less of it is answered
    glossed: bool = False  # whether the rule has a gloss or questions; where not, its own words are all there is


def gathered(index: Index, query: Query, order: Sequence[int], legs: Legs, allowed: Flags | None) -> Evidence:
    """The evidence for some rules in their order, the best first, among those that are allowed (None: all)."""
    if not order:
        return Evidence()
    worth = {term: weight * index.lexical.rarity(term) for term, weight in query.terms.items()}
    place, met = order[0], index.terms_of(order[:TOGETHER], query.terms)
    there = set(met[0])
    asked, concepts = sum(worth.values()) or 1.0, [term for term in worth if term.startswith(MARK)]
    named = sum(worth[term] for term in concepts)
    return Evidence(
        coverage=sum(worth[term] for term in there) / asked,
        together=sum(worth[term] for term in set().union(*met)) / asked,
        cosine=max((float(found[place]) for found in legs.static.values()), default=0.0),
        concepts=sum(worth[term] for term in concepts if term in there) / named if named else 0.5,
        missing=max((worth[term] for term in concepts if term not in there), default=0.0) / index.lexical.rarity(""),
        length=float(np.log(asked)),
        glossed=bool(index.has(Field.GLOSS, place)),
    )
