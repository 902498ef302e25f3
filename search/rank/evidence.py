"""What tells whether the first hits answer a question: evidence in absolute terms, of no other rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from search.index.concept_tokens import MARK, found_in
from search.index.field import Field
from search.index.index import Index, Legs
from search.index.lexical import Scores
from search.index.rules import Flags
from search.query.query import Query
from search.rank.decoys import FAR, Nearness

TOGETHER = 3
"""So many hits are looked at together."""
_TEN = 10
"""So many of each leg are compared."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well the first hit answers, in absolute terms: what is told of no other rule, so that a doubt can be told."""

    coverage: float = 0.0  # share of the query, weighed by rarity, that stands in any passage of the rule
    together: float = 0.0  # the same of the first three hits together
    concepts: float = 0.5  # share of the concepts of the query, weighed by rarity, that the rule names; 0.5 where it names none
    missing: float = 0.0  # the rarest concept that the rule does not name, 1: no passage names it
    absent: float = 0.0  # share of the query, weighed by rarity, that no rule has which may be found
    foreign: float = 0.0  # 1: a glossed game is named, and a term that only other games have
    length: float = 0.0  # logarithm of what is asked: the more is asked, the less of it is answered
    cosine: float = 0.0  # of its nearest passage, by static vectors
    literal: float = 0.0  # the same of its words and its gloss
    agreement: float = 0.0  # share of the first ten by words that are among the first ten by static vectors
    meant: float = 0.0  # of its nearest passage, by sentence vectors
    nearest: float = 0.0  # the same of the rule that is nearest
    ahead: float = 0.0  # how far that is before the tenth
    glossed: float = 0.0  # 1: the rule has a gloss; where not, its own words are all there is
    named: float = 0.0  # 1: the query names a game, or was limited to one
    encoded: bool = False  # whether there are sentence vectors
    lacking: tuple[str, ...] = ()  # the terms that no rule has which may be found
    decoys: Nearness = FAR  # what else it may be about


def gathered(index: Index, query: Query, order: Sequence[int], legs: Legs, allowed: Flags | None) -> Evidence:
    """The evidence for some rules in their order, the best first, among those that are allowed (None: all)."""
    if not order:
        return Evidence()
    worth = {term: weight * index.lexical.rarity(term) for term, weight in query.evident.items()}
    place, met = order[0], index.terms_of(order[:TOGETHER], query.evident)
    there = set(met[0])
    asked, concepts = sum(worth.values()) or 1.0, [term for term in worth if term.startswith(MARK)]
    named = sum(worth[term] for term in concepts)
    lacking = _lacking(index, query, allowed)
    rules = ~index.rules.heading if allowed is None else allowed & ~index.rules.heading
    meant, nearest, ahead = _nearness(legs.meant, place, rules)
    return Evidence(
        coverage=sum(worth[term] for term in there) / asked,
        together=sum(worth[term] for term in set().union(*met)) / asked,
        concepts=sum(worth[term] for term in concepts if term in there) / named if named else 0.5,
        missing=max((worth[term] for term in concepts if term not in there), default=0.0) / index.lexical.rarity(""),
        absent=sum(worth[term] for term in lacking) / asked,
        foreign=float(index.has(Field.GLOSS, place) and _is_foreign(index, query, allowed)),
        length=float(np.log(asked)),
        cosine=max((float(scores[place]) for scores in legs.static.values()), default=0.0),
        literal=max((float(scores[place]) for field, scores in legs.static.items() if field != Field.ASKED), default=0.0),
        agreement=_agreement(index, legs, rules),
        meant=meant,
        nearest=nearest,
        ahead=ahead,
        glossed=float(index.has(Field.GLOSS, place)),
        named=float(bool(query.games)),
        encoded=bool(legs.meant),
        lacking=tuple(lacking),
    )


def _lacking(index: Index, query: Query, allowed: Flags | None) -> list[str]:
    """The terms of a query that no allowed rule has."""
    return [term for term in query.evident if not index.has_term(term, allowed)]


def _is_foreign(index: Index, query: Query, allowed: Flags | None) -> bool:
    """Whether a query that names a game names a term too that only other games have."""
    if not query.games:
        return False
    own = {match.first for match, _ in found_in(query.words, index.lexicon, query.games)}
    other = (concept for match, some in found_in(query.words, index.lexicon) if match.first not in own for concept in some)
    return any(not index.has_term(MARK + concept, allowed) for concept in other) or any(
        term.startswith(MARK) and not index.has_term(term, allowed) for term in query.evident
    )


def _nearness(meant: Mapping[Field, Scores], place: int, rules: Flags) -> tuple[float, float, float]:
    """By sentence vectors: the first hit's cosine, that of the nearest rule, and how far this is before the tenth."""
    if not meant:
        return 0.0, 0.0, 0.0
    best: Scores = np.maximum.reduce(list(meant.values()))
    near = _best(best, rules)
    return float(best[place]), float(best[near[0]]), float(best[near[0]] - best[near[-1]])


def _agreement(index: Index, legs: Legs, rules: Flags) -> float:
    """The share of ten rules that words and static vectors both find first."""
    if not legs.words or not legs.static:
        return 0.0
    said, alike = (reduce(np.maximum, leg.values()) for leg in (legs.words, legs.static))
    groups = index.rules.group
    both = set(groups[_best(said, rules)].tolist()) & set(groups[_best(alike, rules)].tolist())
    return len(both) / _TEN


def _best(scores: Scores, rules: Flags) -> NDArray[np.intp]:
    """The places of the best ten rules, the best first; at least one."""
    masked = np.where(rules, scores, np.float32(-1))
    few = np.argpartition(-masked, min(_TEN, len(masked)) - 1)[:_TEN]
    ordered = few[np.lexsort((few, -masked[few]))]
    there: NDArray[np.intp] = ordered[masked[ordered] > 0]
    return there if len(there) else ordered[:1]
