"""Proposes the counterparts of rules of games without annotations: for a rule, the rule of another game that decides the same.

The candidate for a rule is the nearest rule of the other game by sentence embeddings, where nearness is relative to that of the
ten nearest rules on either side (cross-domain similarity local scaling, Conneau et al. 2018, https://arxiv.org/abs/1710.04087):
rules that are near to everything are near to nothing. A logistic regression over `FEATURES` gives the probability that a judge
agrees; `python -m bench.counterparts --write` fits it. Most rules have no counterpart above the threshold.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.encode.encoder import Vectors
from search.index.concept_tokens import CONCEPT
from search.index.index import Index
from search.index.passages import Ids, Scores
from search.rank.answerability import SENTENCES, weight_tables
from search.settings import DATA, Field

WEIGHTS_FILE = DATA / "counterparts.toml"
MIN_CONFIDENCE = 0.8
"""Confidence below which no counterpart is proposed."""
FEATURES = ("nearness", "lead", "sections", "concepts", "shared")
_NEIGHBOURS = 10
"""Number of the nearest rules whose mean cosine measures how near a rule is to all rules."""
_MAX_SHARED = 5
"""Number of concepts in common above which more are no further evidence."""
_ROWS_AT_ONCE = 1024
RuleConcepts = Mapping[int, Collection[str]]
"""Rule → the concept tokens of its texts and glosses."""


class ProposedCounterpart(NamedTuple):
    """Two rules by their IRIs, and the probability that they decide the same."""

    rule: str
    other: str
    confidence: float


class ComparedRules(NamedTuple):
    """The rules of a game that are compared, one for each group of equal rules, with their sentence embeddings."""

    rules: Ids
    vectors: Vectors  # of texts and glosses, by rule, of unit length; shape (passages, dimensions)
    starts: Ids  # the first vector of each rule
    sections: Ids  # the section of each rule, a position in `section_vectors`
    section_vectors: Vectors  # mean vectors of the rules of each section, of unit length


class CandidatePair(NamedTuple):
    """A rule, the nearest rule of another game, and the values of `FEATURES`."""

    rule: int
    other: int
    features: Mapping[str, float]


def propose_counterparts(index: Index, games: Collection[str], books: Collection[tuple[str, str]]) -> list[ProposedCounterpart]:
    """The counterparts of rules of these games in every other game of an index, by rule, the most confident first.

    Only rules of `books` (game and book) are compared, and only games with sentence embeddings.
    """
    games_with_embeddings = [game for game in index.games if index.has_embeddings([game])]
    weights, rarity = weight_tables(WEIGHTS_FILE)[SENTENCES], concept_rarity(index)
    concepts = concepts_by_rule(index, rarity)
    rules_of_games = (
        {game: compared_rules(index, game, books) for game in games_with_embeddings}
        if set(games) & set(games_with_embeddings)
        else {}
    )
    confidences: dict[tuple[int, int], float] = {}
    for one, other in combinations(sorted(games_with_embeddings, key=lambda game: (game not in games, game)), 2):
        for pair in (
            _pairs_both_ways(rules_of_games[one], rules_of_games[other], concepts, rarity, both=other in games)
            if one in games
            else ()
        ):
            confidence = weights.probability_of(pair.features)
            if confidence >= MIN_CONFIDENCE:
                place = (pair.rule, pair.other)
                confidences[place] = max(confidence, confidences.get(place, 0.0))
    pairs = (
        ProposedCounterpart(index.rules[rule].iri, index.rules[other].iri, round(confidence, 3))
        for (rule, other), confidence in confidences.items()
    )
    return sorted(pairs, key=lambda pair: (pair.rule, -pair.confidence, pair.other))


def _pairs_both_ways(
    one: ComparedRules, other: ComparedRules, concepts: RuleConcepts, rarity: Mapping[str, float], *, both: bool
) -> Iterator[CandidatePair]:
    """The candidates for the rules of one game in another and, with `both`, those for the rules of the other, turned around."""
    yield from candidate_pairs(one, other, concepts, rarity)
    for pair in candidate_pairs(other, one, concepts, rarity) if both else ():
        yield CandidatePair(pair.other, pair.rule, pair.features)


def compared_rules(
    index: Index, game: str, books: Collection[tuple[str, str]], fields: Sequence[Field] = (Field.TEXT, Field.GLOSS)
) -> ComparedRules:
    """The current rules of a game with a sentence embedding in one of these fields."""
    rules, vectors = index.embeddings_of(game, fields)
    flags = index.rules.current & index.rules.searchable & ~index.rules.heading
    first = {group: int(index.rules.members(group)[0]) for group in np.unique(index.rules.group[rules[flags[rules]]]).tolist()}
    rules_of_books = {
        rule for rule in first.values() if (index.rules.editions[rule].game, index.rules.editions[rule].book) in books
    }
    is_compared = np.array([rule in rules_of_books and bool(flags[rule]) for rule in rules.tolist()], dtype=np.bool_)
    rules, vectors = rules[is_compared], vectors[is_compared]
    distinct, starts = np.unique(rules, return_index=True)
    roots, sections = np.unique(index.outline.section_root[distinct], return_inverse=True)
    means = np.zeros((len(roots), vectors.shape[1]), dtype=np.float32)
    if len(distinct):
        np.add.at(means, sections, _unit(np.add.reduceat(vectors, starts, axis=0)))
    return ComparedRules(distinct.astype(np.intp), vectors, starts, sections, _unit(means))


def concept_rarity(index: Index) -> Mapping[str, float]:
    """Concept token of an index → its inverse document frequency."""
    return {term: index.vocabulary.idf(term) for term in index.vocabulary.terms if term.startswith(CONCEPT)}


def concepts_by_rule(index: Index, tokens: Collection[str]) -> dict[int, set[str]]:
    """Rule → those of the concept tokens that its texts and glosses have."""
    concepts: dict[int, set[str]] = {}
    for token in tokens:
        passages = index.engine.passages_with(token)
        for rule in index.passages.owner[passages[passages < index.questions.start]].tolist():
            concepts.setdefault(rule, set()).add(token)
    return concepts


def candidate_pairs(
    one: ComparedRules, other: ComparedRules, concepts: RuleConcepts, rarity: Mapping[str, float]
) -> Iterator[CandidatePair]:
    """For each rule of one game the nearest rule of another, with the features of the pair."""
    if min(len(one.rules), len(other.rules)) < 2:
        return
    nearness = _scaled(_best_cosines(one, other))
    sections = _centred(one.section_vectors @ other.section_vectors.T)
    best = nearness.argmax(axis=1)
    first_two = -np.partition(-nearness, 1, axis=1)[:, :2]
    for row, column in enumerate(best.tolist()):
        rule, other_rule = int(one.rules[row]), int(other.rules[column])
        own, theirs = set(concepts.get(rule, ())), set(concepts.get(other_rule, ()))
        common, every = (sum(rarity.get(token, 0.0) for token in some) for some in (own & theirs, own | theirs))
        yield CandidatePair(
            rule,
            other_rule,
            {
                "nearness": float(first_two[row, 0]),
                "lead": float(first_two[row, 0] - first_two[row, 1]),
                "sections": float(sections[one.sections[row], other.sections[column]]),
                "concepts": common / every if every else 0.0,
                "shared": float(min(len(own & theirs), _MAX_SHARED)),
            },
        )


def _best_cosines(one: ComparedRules, other: ComparedRules) -> Scores:
    """The best cosine of the vectors of each two rules, shape (rules of one, rules of the other)."""
    cosines = np.empty((len(one.rules), len(other.rules)), dtype=np.float32)
    ends = np.append(one.starts, len(one.vectors))
    for first in range(0, len(one.rules), _ROWS_AT_ONCE):
        last = min(first + _ROWS_AT_ONCE, len(one.rules))
        products = one.vectors[ends[first] : ends[last]] @ other.vectors.T
        by_rule = np.maximum.reduceat(products, one.starts[first:last] - ends[first], axis=0)
        cosines[first:last] = np.maximum.reduceat(by_rule, other.starts, axis=1)
    return cosines


def _scaled(cosines: Scores) -> Scores:
    """Twice the cosines, less the mean cosine of either rule with its nearest rules."""
    means = []
    for axis in (1, 0):
        count = min(_NEIGHBOURS, cosines.shape[axis])
        nearest = -np.partition(-cosines, count - 1, axis=axis)
        means.append(nearest.take(np.arange(count), axis=axis).mean(axis=axis, keepdims=True))
    scores: Scores = 2 * cosines - means[0] - means[1]
    return scores


def _centred(cosines: Scores) -> NDArray[np.float32]:
    """The cosines less half of the mean of their row and of their column."""
    scores: NDArray[np.float32] = cosines - (cosines.mean(axis=1, keepdims=True) + cosines.mean(axis=0, keepdims=True)) / 2
    return scores


def _unit(vectors: Vectors) -> Vectors:
    """Vectors of unit length; zeros remain zeros."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    unit: Vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit
