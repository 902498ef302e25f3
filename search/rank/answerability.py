"""The answerability classifier: the probability that the library answers a question, from the evidence for the first hits.

It is a logistic regression over features that do not compare one rule with another. Its weights are in `data/answerability.toml`,
with one table for libraries with sentence embeddings and one for those without. `python -m bench.search.abstention --write` fits
them to questions that books answer and to questions that no book answers.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from typing import NamedTuple

import numpy as np

from search.index.concept_tokens import CONCEPT, find_concepts
from search.index.index import Index, RetrievalSignals
from search.index.passages import Ids, Scores
from search.index.rules import Flags
from search.query.query import Query
from search.rank.out_of_scope import NO_SIMILARITY, OutOfScopeSimilarity
from search.settings import DATA, Field

WEIGHTS_FILE = DATA / "answerability.toml"
SENTENCES, STATIC = "sentences", "static"
"""The tables of a file of weights: with sentence embeddings, without."""
TOP = 3
"""Number of hits that are evaluated together."""
_TOP_TEN = 10
MIN_RULES = 340
"""Number of rules in the smallest library to which the weights were fitted."""
_MAX_LOGIT = 50.0
"""Above this value, the exponential function overflows."""


class LogisticWeights(NamedTuple):
    """A logistic regression."""

    bias: float
    weights: Mapping[str, float]  # feature → weight in logits

    def probability_of(self, features: Mapping[str, float]) -> float:
        """The probability for these features; features without a weight are ignored."""
        logit = self.bias + sum(weight * features[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-_MAX_LOGIT, min(_MAX_LOGIT, logit))))


@cache
def weight_tables(file: Path) -> Mapping[str, LogisticWeights]:
    """The tables of a file of weights by name."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: LogisticWeights(table["bias"], table["weights"]) for name, table in tables.items()}


def weights_for(file: Path, *, encoded: bool) -> LogisticWeights:
    """The table for a library with sentence embeddings, or without."""
    return weight_tables(file)[SENTENCES if encoded else STATIC]


@dataclass(frozen=True, slots=True)
class AnswerabilityFeatures:
    """How well the first hit answers, in absolute terms."""

    coverage: float = 0.0  # share of the query, weighted by idf, in any passage of the rule
    top_coverage: float = 0.0  # the same of the first three hits together
    concept_coverage: float = 0.5  # share of the query's concepts, weighted by idf, in the rule; 0.5 if the query names none
    missing_concept: float = 0.0  # idf of the rarest concept that is not in the rule; 1: no passage contains it
    absent: float = 0.0  # share of the query, weighted by idf, that occurs in no searched rule
    foreign: float = 0.0  # 1: the query names a glossed game and a term that only other games have
    length: float = 0.0  # log of the query's idf: the longer the question, the less is answered
    static_cosine: float = 0.0  # of the nearest passage
    literal_cosine: float = 0.0  # of the nearest passage that is not a question
    agreement: float = 0.0  # share of the first ten by BM25 that are among the first ten by static vectors
    dense_cosine: float = 0.0  # of the nearest passage
    nearest_dense: float = 0.0  # of the nearest rule
    dense_margin: float = 0.0  # its margin in nearness over the tenth
    glossed: float = 0.0  # 1: the rule has a gloss
    game_named: float = 0.0  # 1: the query names a game, or was limited to one
    encoded: bool = False  # whether there are sentence embeddings
    absent_terms: tuple[str, ...] = ()  # terms that occur in no searched rule
    out_of_scope: OutOfScopeSimilarity = NO_SIMILARITY


def extract_features(
    index: Index, query: Query, order: Sequence[int], signals: RetrievalSignals, mask: Flags | None
) -> AnswerabilityFeatures:
    """The features of ranked rules, the best first; `mask` flags the searched rules (None: all)."""
    if not order:
        return AnswerabilityFeatures()
    idf = {term: weight * index.vocabulary.idf(term) for term, weight in query.required_terms.items()}
    rule, matches = order[0], index.matched_terms(order[:TOP], query.required_terms)
    in_rule = set(matches[0])
    total = sum(idf.values()) or 1.0
    concepts = [term for term in idf if term.startswith(CONCEPT)]
    concept_total = sum(idf[term] for term in concepts)
    absent_terms = tuple(term for term in query.required_terms if not index.has_term(term, mask))
    rules = ~index.rules.heading if mask is None else mask & ~index.rules.heading
    static = signals.static_scores
    dense_cosine, nearest_dense, dense_margin = _dense_features(signals.dense_scores, rule, rules)
    return AnswerabilityFeatures(
        coverage=sum(idf[term] for term in in_rule) / total,
        top_coverage=sum(idf[term] for term in set().union(*matches)) / total,
        concept_coverage=sum(idf[term] for term in concepts if term in in_rule) / concept_total if concept_total else 0.5,
        missing_concept=max((idf[term] for term in concepts if term not in in_rule), default=0.0) / index.vocabulary.idf(""),
        absent=sum(idf[term] for term in absent_terms) / total,
        foreign=float(index.has_passage_in_field(Field.GLOSS, rule) and _is_foreign(index, query, mask)),
        length=float(np.log(total)),
        static_cosine=max((float(scores[rule]) for scores in static.values()), default=0.0),
        literal_cosine=max((float(scores[rule]) for field, scores in static.items() if field != Field.QUESTION), default=0.0),
        agreement=_top_ten_agreement(index, signals, rules),
        dense_cosine=dense_cosine,
        nearest_dense=nearest_dense,
        dense_margin=dense_margin,
        glossed=float(index.has_passage_in_field(Field.GLOSS, rule)),
        game_named=float(bool(query.games)),
        encoded=bool(signals.dense_scores),
        absent_terms=absent_terms,
    )


def _is_foreign(index: Index, query: Query, mask: Flags | None) -> bool:
    """Whether a query that names a game also has a term that only other games use."""
    if not query.games:
        return False
    own = {match.first for match, _ in find_concepts(query.words, index.lexicon, query.games)}
    other = (concept for match, some in find_concepts(query.words, index.lexicon) if match.first not in own for concept in some)
    return any(not index.has_term(CONCEPT + concept, mask) for concept in other) or any(
        term.startswith(CONCEPT) and not index.has_term(term, mask) for term in query.required_terms
    )


def _dense_features(fields: Mapping[Field, Scores], rule: int, rules: Flags) -> tuple[float, float, float]:
    """The dense cosine of the first hit and of the nearest rule, and the nearest rule's margin over the tenth."""
    if not fields:
        return 0.0, 0.0, 0.0
    best: Scores = np.maximum.reduce(list(fields.values()))
    nearest = _best_ten(best, rules)
    return float(best[rule]), float(best[nearest[0]]), float(best[nearest[0]] - best[nearest[-1]])


def _top_ten_agreement(index: Index, signals: RetrievalSignals, rules: Flags) -> float:
    """The share of the first ten rules that BM25 and static vectors have in common."""
    if not signals.bm25_scores or not signals.static_scores:
        return 0.0
    bm25, static = (reduce(np.maximum, fields.values()) for fields in (signals.bm25_scores, signals.static_scores))
    groups = index.rules.group
    return len(set(groups[_best_ten(bm25, rules)].tolist()) & set(groups[_best_ten(static, rules)].tolist())) / _TOP_TEN


def _best_ten(scores: Scores, rules: Flags) -> Ids:
    """The ten best rules with a score above 0, the best first; at least one."""
    rule_scores = np.where(rules, scores, np.float32(-1))
    few = np.argpartition(-rule_scores, min(_TOP_TEN, len(rule_scores)) - 1)[:_TOP_TEN]
    best = few[np.lexsort((few, -rule_scores[few]))]
    positive: Ids = best[rule_scores[best] > 0]
    return positive if len(positive) else best[:1]


def answerable_probability(features: AnswerabilityFeatures, rules: int) -> float:
    """The probability that a library with a number of rules answers the question."""
    return weights_for(WEIGHTS_FILE, encoded=features.encoded).probability_of(classifier_inputs(features, rules))


def classifier_inputs(features: AnswerabilityFeatures, rules: int) -> dict[str, float]:
    """The inputs of the classifier by name; without sentence embeddings, those that need them are 0."""
    return {
        "coverage": features.coverage,
        "top_coverage": features.top_coverage,
        "concept_coverage": features.concept_coverage,
        "missing_concept": features.missing_concept,
        "absent": features.absent,
        "absent_if_game_named": features.absent * features.game_named,
        "foreign": features.foreign,
        "length": features.length,
        "static_cosine": features.static_cosine,
        "static_cosine_if_glossed": features.static_cosine * features.glossed,
        "literal_cosine": features.literal_cosine,
        "agreement": features.agreement,
        "dense_cosine": features.dense_cosine,
        "nearest_dense": features.nearest_dense,
        "dense_margin": features.dense_margin,
        "mean_similarity": features.out_of_scope.to_mean,
        "out_of_scope": features.out_of_scope.nearest,
        "out_of_scope_static": features.out_of_scope.static,
        "glossed": features.glossed,
        "game_named": features.game_named,
        "rules": math.log(max(rules, MIN_RULES) / MIN_RULES),
    }
