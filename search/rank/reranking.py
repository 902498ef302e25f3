"""The learned order of the first candidates: a linear function of their scores and of how much of the question they contain.

The score of a rule adds up what its best passages match; whether the rule as a whole has all that is asked for is seen only by
counting the question's terms in it, which is done for few rules. The weights are in `data/ranking.toml`, with one table for
libraries with sentence embeddings and one for those without; `python -m bench.search.ranking --write` fits them.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from search.index.concept_tokens import CONCEPT
from search.index.index import Index
from search.index.passages import Ids, Scores
from search.query.query import Query
from search.rank.answerability import SENTENCES, STATIC
from search.settings import DATA, Field

FILE = DATA / "ranking.toml"
DEPTH = 50
"""Candidates that are ordered anew."""
Columns = Mapping[str, Scores]
"""Feature → its value for each candidate."""
Reranker = Callable[[Ids, Columns], Scores]
"""From candidates and their features to the sum by which each is ordered."""


@cache
def weight_tables(file: Path) -> Mapping[str, Mapping[str, float]]:
    """The tables of a file of weights by name: feature → weight."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def rerank(candidates: Ids, columns: Columns) -> Scores:
    """The sum of each candidate by the shipped weights."""
    weights = weight_tables(FILE)[SENTENCES if columns["dense"].any() else STATIC]
    total = np.zeros(len(candidates), dtype=np.float32)
    for name, weight in weights.items():
        total += np.float32(weight) * columns[name]
    return total


def features(index: Index, query: Query, candidates: Ids, signals: Mapping[str, Scores]) -> Columns:
    """The features of candidates, the best first; `signals` are the score, and the static and the dense signal, of every rule."""
    own = {name: values[candidates] for name, values in signals.items()}
    terms = list(query.terms)
    idf = np.array([query.terms[term] * index.vocabulary.idf(term) for term in terms], dtype=np.float32)
    named = idf * np.array([term.startswith(CONCEPT) for term in terms], dtype=np.float32)
    matched = index.engine.matched_terms(candidates.tolist(), terms).astype(np.float32)
    return {
        "score": own["score"] / own["score"].max(),
        "coverage": _share(idf, matched),  # of the query, weighted by idf, in any passage of the rule
        "concept_coverage": _share(named, matched),
        "static": own["static"],
        "dense": own["dense"],
        "same_language": index.rules.in_language(query.lang)[candidates].astype(np.float32),  # the book has the question's language
        "glossed": index.with_field(Field.GLOSS)[candidates].astype(np.float32),
    }


def _share(weights: Scores, matched: Scores) -> Scores:
    total = weights.sum()
    share: Scores = weights @ matched / total if total else np.zeros(matched.shape[1], dtype=np.float32)
    return share


def reordered(
    order: Sequence[int], scores: Scores, sums_of: Callable[[Ids], Scores]
) -> tuple[list[int], Scores, Mapping[int, float]]:
    """Rules with the first ones ordered by their sums, the scores with the first ones' handed out in that order, and the sums."""
    head = np.array(order[:DEPTH], dtype=np.intp)
    sums = sums_of(head)
    again = head[np.argsort(-sums, kind="stable")]
    handed = scores.copy()
    handed[again] = scores[head]
    return [*again.tolist(), *order[DEPTH:]], handed, dict(zip(head.tolist(), sums.tolist(), strict=True))
