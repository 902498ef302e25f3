"""Fits the weights of re-ranking, and shows what they bring: `python -m bench.search.ranking [--home HOME] [--write]`.

Taught are the `teach` half of the situations and the half of the judges' questions that settings may be chosen by; the figures are
of the other halves, before and after. The loss is the cross-entropy between the needed rules among the candidates and the softmax
of their sums. How much the weights are held back is chosen with each game held out. `--write` writes `search/data/ranking.toml`,
with one table for sentence embeddings and one for static vectors alone.
"""

import argparse
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from bench.search.abstention import static_only
from bench.search.books import BOOKS, asked, loaded
from bench.search.situations import situations
from search.index.passages import Ids, Scores
from search.rank.answerability import SENTENCES, STATIC
from search.rank.ranker import collapse_siblings
from search.rank.reranking import FILE, Columns
from search.searcher import Request, Searcher
from search.settings import SEARCH

Vector = NDArray[np.float64]
TAUGHT, SITUATIONS, JUDGES = "taught", "situations", "judges"
STRENGTHS = (0.003, 0.01, 0.03, 0.1)
"""Inverses of the regularisation's strength, of standardised features."""
TEN, THREE = 10, 3


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the rules that it needs."""

    part: str  # TAUGHT, or whose kept half it is of
    game: str
    query: str
    named: tuple[str, ...]  # the game, where it is named beside the question
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of a question, the best before re-ranking first."""

    question: Question
    features: Vector  # shape (candidates, features)
    needed: NDArray[np.bool_]
    families: list[int]  # of each candidate, the rule that it is a part of


def questions() -> Iterator[Question]:
    """The taught questions and those kept aside."""
    for one in situations():
        yield Question(TAUGHT if one.split == "teach" else SITUATIONS, one.game, one.question, (one.game,), one.needs)
    for tune in (True, False):
        for name in BOOKS:
            for query in asked(name, tune=tune):
                yield Question(TAUGHT if tune else JUDGES, name, query.query, (), query.needs)


def extracted(searcher: Searcher, names: Sequence[str]) -> list[Candidates]:
    """The candidates of every question that re-ranking orders."""
    found: list[Candidates] = []
    index = searcher.index

    def record(head: Ids, columns: Columns) -> Scores:
        needed = [
            index.rules[rule].game == question.game and index.rules.locators[rule] in question.needs for rule in head.tolist()
        ]
        families = index.rules.group[index.outline.top_rule[head]].tolist()
        values = np.stack([columns[name] for name in names], axis=1).astype(float)
        found.append(Candidates(question, values, np.array(needed), families))
        return np.zeros(len(head), dtype=np.float32)

    searcher.ranker.reranker = record
    for question in questions():
        request = Request(question.query, question.named)
        searcher.rank(searcher.understand(request), request)
    return found


def fitted(some: Sequence[Candidates], strength: float) -> Vector:
    """The weight of each feature."""
    useful = [one for one in some if one.needed.any() and not one.needed.all()]
    values = np.concatenate([one.features for one in useful])
    scale = values.std(axis=0) + 1e-9
    rows = [(one.features / scale, one.needed / one.needed.sum()) for one in useful]

    def loss(weights: Vector) -> tuple[float, Vector]:
        total, gradient = float(weights @ weights) / (2 * strength), weights / strength
        for features, target in rows:
            sums = features @ weights
            shares = np.exp(sums - sums.max())
            shares /= shares.sum()
            total -= float(target @ np.log(shares + 1e-12))
            gradient = gradient + features.T @ (shares - target)
        return total / len(rows), gradient / len(rows)

    weights: Vector = minimize(loss, np.zeros(values.shape[1]), jac=True, method="L-BFGS-B").x / scale
    return weights


def figures(some: Sequence[Candidates], weights: Vector | None) -> tuple[float, float, float]:
    """The share of the needed rules in the first ten, how often one is in the first three, and how often the first is one."""
    shares, three, first = [], [], []
    for one in some:
        order = np.arange(len(one.needed)) if weights is None else np.argsort(-(one.features @ weights), kind="stable")
        families = [one.families[place] for place in order]
        kept, _ = collapse_siblings(order.tolist(), families, SEARCH.max_siblings, SEARCH.collapse_depth)
        hits = one.needed[kept]
        shares.append(hits[:TEN].sum() / len(set(one.question.needs)))
        three.append(bool(hits[:THREE].any()))
        first.append(bool(hits[0]))
    return statistics.fmean(shares), statistics.fmean(three), statistics.fmean(first)


def chosen(taught: Sequence[Candidates]) -> float:
    """The strength that is best with each game held out."""

    def value(strength: float) -> float:
        outcomes = []
        for game in BOOKS:
            weights = fitted([one for one in taught if one.question.game != game], strength)
            own = [one for one in taught if one.question.game == game]
            outcomes += [sum(figures(own, weights)) * len(own)]
        return sum(outcomes) / len(taught)

    return max(STRENGTHS, key=value)


def weighed(name: str, searcher: Searcher) -> str:
    """Prints the figures of the kept halves before and after; gives the weights as TOML."""
    features = ["score", "coverage", "concept_coverage", "static", "same_language", "glossed"]
    features += ["dense"] if name == SENTENCES else []
    every = extracted(searcher, features)
    taught = [one for one in every if one.question.part == TAUGHT]
    weights = fitted(taught, strength := chosen(taught))
    print(f"== {name}, strength {strength}: needed rules in ten, one in three, first; before → after")
    for part in (SITUATIONS, JUDGES):
        for game in ("", *BOOKS):
            own = [one for one in every if one.question.part == part and game in ("", one.question.game)]
            pairs = zip(figures(own, None), figures(own, weights), strict=True)
            print(f"{part:<12}{game or 'all':<10}{len(own):>5}" + "".join(f"   {old:.3f} → {new:.3f}" for old, new in pairs))
    return "\n".join([f"[{name}]", *(f"{feature} = {weight:.4f}" for feature, weight in zip(features, weights, strict=True))])


def main() -> None:
    """Prints the figures, and writes the weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--home", type=Path, help="a home with the books, kept and used again")
    parser.add_argument("--write", action="store_true", help=f"write {FILE}")
    options = parser.parse_args()
    scratch = options.home or Path(tempfile.mkdtemp())
    try:
        library = loaded(scratch)
        parts = ["# Weights of re-ranking. Written by: python -m bench.search.ranking --write"]
        parts += [weighed(SENTENCES, library.searcher()), weighed(STATIC, static_only(library.searcher()))]
    finally:
        if not options.home:
            shutil.rmtree(scratch, ignore_errors=True)
    if options.write:
        FILE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
