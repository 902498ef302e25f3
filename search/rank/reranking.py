"""The learned order of the first candidates: by their scores, by each retrieval signal, and by their share of the question.

The score of a rule comes from its best passages. Counting the question's terms in the whole rule shows whether it has all of them;
this is done only for the first candidates. The *relevance* of a rule is half a linear function of some features plus the logit of
boosted regression trees over all of them. The weights are in `data/ranking.toml`, the trees in
`data/ranking.safetensors`, each for libraries with sentence embeddings and for those without; `python -m bench.search.ranking
--write` fits both.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.index.concept_tokens import CONCEPT
from search.index.index import Index, RetrievalSignals
from search.index.passages import Ids, Scores
from search.index.rules import Flags
from search.query.query import Query
from search.rank.answerability import SENTENCES, STATIC
from search.settings import DATA, Field

FILE, TREES_FILE = DATA / "ranking.toml", DATA / "ranking.safetensors"
DEPTH = 50
"""Number of candidates that are reordered."""
LINEAR_SHARE = 0.5
"""Weight of the linear function, added to the trees; results are similar from 0.3 to 1."""
Columns = Mapping[str, Scores]
"""Feature → its value for each candidate."""
Reranker = Callable[[Ids, Columns], Scores]
"""Maps candidates and their features to the relevance by which each is ordered."""


class Trees(NamedTuple):
    """Boosted regression trees: the nodes of each tree, the root first. A leaf has itself as both children."""

    names: tuple[str, ...]  # of the features
    features: NDArray[np.int16]  # shape (trees, nodes), as are all others; positions in `names`
    thresholds: NDArray[np.float32]  # a candidate with at most this value goes left
    left: NDArray[np.int16]
    right: NDArray[np.int16]
    values: NDArray[np.float32]  # of the leaves

    def sums(self, columns: Columns) -> Scores:
        """The sum over all trees for each candidate."""
        values = np.stack([columns[name] for name in self.names])
        candidates = np.arange(values.shape[1])
        trees = np.arange(len(self.features))[:, None]
        at = np.zeros((len(self.features), values.shape[1]), dtype=np.int16)
        while True:
            goes_left = values[self.features[trees, at], candidates] <= self.thresholds[trees, at]
            below = np.where(goes_left, self.left[trees, at], self.right[trees, at])
            if np.array_equal(below, at):
                total: Scores = self.values[trees, at].sum(axis=0)
                return total
            at = below


@cache
def weight_tables(file: Path) -> Mapping[str, Mapping[str, float]]:
    """The tables of a file of weights by name: feature → weight."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def trees(file: Path) -> Mapping[str, Trees]:
    """The trees of a file by the name of their table."""
    from safetensors import safe_open

    with safe_open(file, framework="numpy") as tensors:
        names = dict(tensors.metadata())
        return {
            table: Trees(tuple(names[table].split()), *(tensors.get_tensor(f"{table}.{part}") for part in Trees._fields[1:]))
            for table in names
        }


def write_trees(file: Path, tables: Mapping[str, Trees]) -> None:
    """Writes the file of `trees`."""
    from safetensors.numpy import save_file

    tensors = {f"{table}.{part}": getattr(some, part) for table, some in tables.items() for part in Trees._fields[1:]}
    save_file(tensors, file, {table: " ".join(some.names) for table, some in tables.items()})


def rerank(_candidates: Ids, columns: Columns) -> Scores:
    """The relevance of each candidate by the shipped weights and trees."""
    table = SENTENCES if columns["dense"].any() else STATIC
    return relevance(weight_tables(FILE)[table], trees(TREES_FILE)[table], columns)


def relevance(weights: Mapping[str, float], some: Trees, columns: Columns) -> Scores:
    """The relevance of each candidate by linear weights and by trees."""
    return np.float32(LINEAR_SHARE) * linear(weights, columns) + some.sums(with_linear_lag(weights, columns))


def with_linear_lag(weights: Mapping[str, float], columns: Columns) -> Columns:
    """The features, and the distance of the linear function from its best value."""
    sums = linear(weights, columns)
    return {**columns, "linear_lag": sums - sums.max()}


def linear(weights: Mapping[str, float], columns: Columns) -> Scores:
    """The weighted sum of the features of each candidate."""
    total: Scores = np.sum([np.float32(weight) * columns[name] for name, weight in weights.items()], axis=0)
    return total


def features(
    index: Index, query: Query, candidates: Ids, whole: Mapping[str, Scores], signals: RetrievalSignals, mask: Flags | None
) -> Columns:
    """The features of candidates, the best first.

    `whole` are the score, and the static and the dense signal of every rule; `mask` flags the searched rules (None: all).
    """
    terms = list(query.terms)
    idf = np.array([query.terms[term] * index.vocabulary.idf(term) for term in terms], dtype=np.float32)
    concept_idf = idf * np.array([term.startswith(CONCEPT) for term in terms], dtype=np.float32)
    matches = index.engine.matched_terms(candidates.tolist(), terms).astype(np.float32)
    own = {name: values[candidates] for name, values in whole.items()}
    return {
        "score": own["score"] / own["score"].max(),
        "coverage": _share(idf, matches),  # of the query, weighted by idf, in any passage of the rule
        "concept_coverage": _share(concept_idf, matches),
        "static": own["static"],
        "dense": own["dense"],
        "same_language": index.rules.in_language(query.lang)[candidates].astype(np.float32),  # the book has the question's language
        "glossed": index.with_field(Field.GLOSS)[candidates].astype(np.float32),
        **_of_fields(signals, candidates, mask, float(idf.sum()) or 1.0),
    }


def _share(weights: Scores, matches: Scores) -> Scores:
    total = weights.sum()
    share: Scores = weights @ matches / total if total else np.zeros(matches.shape[1], dtype=np.float32)
    return share


def _of_fields(signals: RetrievalSignals, candidates: Ids, mask: Flags | None, query_idf: float) -> dict[str, Scores]:
    """For each signal and field: its value, for BM25 as a share of the query's idf, and its distance from the best rule's."""
    columns: dict[str, Scores] = {}
    for signal, scale, fields in (
        ("bm25", query_idf, signals.bm25_scores),
        ("static", 1.0, signals.static_scores),
        ("dense", 1.0, signals.dense_scores),
    ):
        for field, scores in fields.items():
            best = (scores if mask is None else scores[mask]).max(initial=0.0)
            name = f"{signal}_{field.name.lower()}"
            columns[name] = scores[candidates] / np.float32(scale)
            columns[f"{name}_lag"] = (scores[candidates] - best) / np.float32(scale)
    return columns


def reordered(
    order: Sequence[int], scores: Scores, relevance_of: Callable[[Ids], Scores]
) -> tuple[list[int], Scores, Mapping[int, float]]:
    """The rules, the first ones ordered by relevance; the scores, sorted in the same places; and the relevance."""
    head = np.array(order[:DEPTH], dtype=np.intp)
    relevance = relevance_of(head)
    again = head[np.argsort(-relevance, kind="stable")]
    new_scores = scores.copy()
    new_scores[again] = scores[head]
    return [*again.tolist(), *order[DEPTH:]], new_scores, dict(zip(head.tolist(), relevance.tolist(), strict=True))
