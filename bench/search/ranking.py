"""Fits the weights of re-ranking, and shows what they bring.

`python -m bench.search.ranking [--home HOME] [--mixed HOME] [--write]`: taught are the `teach` half of the situations and the half
of the judges' questions that settings may be chosen by, over a home with the glosses of all games and over one in which some games
(`UNGLOSSED`) have none, as the books that users add. The figures are of the other halves, in each home: by score, by the linear
function, and by relevance. The loss of the linear function is the cross-entropy between the needed rules among the candidates and
the softmax of their sums; how much its weights are held back is chosen with each game held out. The trees predict whether a
candidate is needed (gradient boosting of scikit-learn). Then the leads of the first hit over the second, of taught questions that
the model was not fitted to, with the share of questions that have such a lead and the share of these whose first hit is needed or
helps. `--write` writes `search/data/ranking.toml` and `ranking.safetensors`, with one table for sentence embeddings and one for
static vectors alone.
"""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.search.abstention import static_only
from bench.search.homes import MIXED_DIGESTS, UNGLOSSED, home_parser, opened
from bench.search.topics import BOOKS, JUDGES, MEASURE, SITUATIONS, TEACH, Topic, judge_questions, situations
from search.index.passages import Ids, Scores
from search.rank.answerability import SENTENCES, STATIC
from search.rank.ranker import collapse_siblings
from search.rank.reranking import FILE, TREES_FILE, Columns, Trees, linear, relevance, with_linear_lag, write_trees
from search.searcher import Request, Searcher
from search.settings import SEARCH

Vector = NDArray[np.float64]
STRENGTHS = (0.003, 0.01, 0.03, 0.1)
"""Inverses of the regularisation's strength, of standardised features."""
TEN, THREE = 10, 3
LINEAR = ("score", "coverage", "concept_coverage", "static", "same_language", "glossed", "dense")
"""The features of the linear function."""
ONLY_DENSE = "dense"
"""Beginning of the names of features that need sentence embeddings."""
TREES, LEAVES, RATE, SMALLEST, PENALTY = 120, 15, 0.06, 60, 5.0
"""Number of trees, of leaves of each, learning rate, number of candidates in the smallest leaf, and L2 penalty."""
FOLDS = 5
LEADS = (2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates of a topic with their features, the best first."""

    topic: Topic
    columns: Columns
    needed: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CandidateRules(Candidates):
    """The rules of a topic before re-ranking."""

    helps: NDArray[np.bool_]
    families: list[int]  # of each candidate, the rule that it is a part of


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of the linear function, and the trees."""

    weights: dict[str, float]
    trees: Trees

    def relevance(self, one: CandidateRules) -> Vector:
        """The relevance of the candidates of a question."""
        return relevance(self.weights, self.trees, one.columns).astype(float)


def topics() -> list[Topic]:
    """The taught topics and those kept aside."""
    return [*situations(), *judge_questions(TEACH, BOOKS), *judge_questions(MEASURE, BOOKS)]


def is_kept(topic: Topic, source: str, game: str) -> bool:
    """Whether a topic of a set is kept aside, and of a game if that is not empty."""
    return topic.half == MEASURE and topic.source == source and game in ("", topic.game)


def extracted(searcher: Searcher) -> list[CandidateRules]:
    """The candidates of every topic that re-ranking orders."""
    every_topic: list[CandidateRules] = []
    rows = searcher.index.rules

    def record(head: Ids, columns: Columns) -> Scores:
        rules = [f"{rows.editions[rule].game}:{rows.locators[rule]}" for rule in head.tolist()]
        is_needed, helps = (np.array([rule in some for rule in rules]) for some in (topic.needs, topic.also))
        families = rows.group[searcher.index.outline.top_rule[head]].tolist()
        every_topic.append(CandidateRules(topic, columns, is_needed, is_needed | helps, families))
        return np.zeros(len(head), dtype=np.float32)

    searcher.ranker.reranker = record
    for topic in topics():
        request = Request(topic.query, topic.games)
        searcher.rank(searcher.understand(request), request)
    return every_topic


def fitted(some: Sequence[Candidates], names: Sequence[str], strength: float) -> dict[str, float]:
    """The weight of each feature of the linear function."""
    from scipy.optimize import minimize

    useful = [one for one in some if one.needed.any() and not one.needed.all()]
    feature_rows = [np.stack([one.columns[name] for name in names], axis=1).astype(float) for one in useful]
    scale = np.concatenate(feature_rows).std(axis=0) + 1e-9
    rows = [(features / scale, one.needed / one.needed.sum()) for features, one in zip(feature_rows, useful, strict=True)]

    def loss(weights: Vector) -> tuple[float, Vector]:
        total, gradient = float(weights @ weights) / (2 * strength), weights / strength
        for features, target in rows:
            sums = features @ weights
            shares = np.exp(sums - sums.max())
            shares /= shares.sum()
            total -= float(target @ np.log(shares + 1e-12))
            gradient = gradient + features.T @ (shares - target)
        return total / len(rows), gradient / len(rows)

    weights: Vector = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x / scale
    return dict(zip(names, np.round(weights, 4).tolist(), strict=True))


def grown(some: Sequence[CandidateRules], weights: dict[str, float]) -> Trees:
    """The trees, where all have as many nodes as the largest."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    columns = [with_linear_lag(weights, one.columns) for one in some]
    names = sorted(columns[0])
    values = np.concatenate([np.stack([own[name] for name in names], axis=1) for own in columns])
    model = HistGradientBoostingClassifier(
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        max_iter=TREES,
        l2_regularization=PENALTY,
        min_samples_leaf=SMALLEST,
        early_stopping=False,
    ).fit(values, np.concatenate([one.needed for one in some]))
    nodes = [stage[0].nodes for stage in model._predictors]
    shape = (len(nodes), max(map(len, nodes)))
    children = np.tile(np.arange(shape[1], dtype=np.int16), (shape[0], 1))
    trees = Trees(
        tuple(names), np.zeros(shape, np.int16), np.zeros(shape, np.float32), children, children.copy(), np.zeros(shape, np.float32)
    )
    for tree, own in enumerate(nodes):
        inner, leaves = np.flatnonzero(~own["is_leaf"].astype(bool)), np.flatnonzero(own["is_leaf"])
        trees.features[tree, inner], trees.thresholds[tree, inner] = own["feature_idx"][inner], own["num_threshold"][inner]
        trees.left[tree, inner], trees.right[tree, inner] = own["left"][inner], own["right"][inner]
        trees.values[tree, leaves] = own["value"][leaves]
    return trees


def model_of(some: Sequence[CandidateRules], names: Sequence[str], strength: float) -> Model:
    """The weights and trees for some questions."""
    weights = fitted(some, names, strength)
    return Model(weights, grown(some, weights))


def figures(some: Sequence[CandidateRules], sums_of: Callable[[CandidateRules], Vector]) -> tuple[float, float, float]:
    """The share of the needed rules in the first ten, how often one is in the first three, and how often the first is one."""
    shares, three, first = [], [], []
    for one in some:
        order = np.argsort(-sums_of(one), kind="stable")
        families = [one.families[place] for place in order]
        kept_rules, _ = collapse_siblings(order.tolist(), families, SEARCH.max_siblings, SEARCH.collapse_depth)
        hits = one.needed[kept_rules]
        shares.append(hits[:TEN].sum() / len(set(one.topic.needs)))
        three.append(bool(hits[:THREE].any()))
        first.append(bool(hits[0]))
    return statistics.fmean(shares), statistics.fmean(three), statistics.fmean(first)


def best_strength(examples: Sequence[CandidateRules], names: Sequence[str]) -> float:
    """The strength that is best with each game held out."""

    def value(strength: float) -> float:
        outcomes = []
        for game in BOOKS:
            weights = fitted([one for one in examples if one.topic.game != game], names, strength)
            own = [one for one in examples if one.topic.game == game]
            outcomes += [sum(figures(own, by_linear(weights))) * len(own)]
        return sum(outcomes) / len(examples)

    return max(STRENGTHS, key=value)


def by_linear(weights: dict[str, float]) -> Callable[[CandidateRules], Vector]:
    """The linear function of the candidates of a question."""
    return lambda one: linear(weights, one.columns).astype(float)


def leads(examples: Sequence[CandidateRules], names: Sequence[str], strength: float) -> Iterator[str]:
    """For each lead: how many of the judges' questions have it, and in how many of these the first hit is needed or helps."""
    pairs: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        model = model_of([one for at, one in enumerate(examples) if at % FOLDS != fold], names, strength)
        for one in (one for one in examples[fold::FOLDS] if not one.topic.games):
            sums = model.relevance(one)
            first, second = np.argsort(-sums, kind="stable")[:2]
            pairs.append((float(sums[first] - sums[second]), bool(one.helps[first])))
    for lead in LEADS:
        right = [is_right for distance, is_right in pairs if distance >= lead]
        yield f"lead {lead:.2f}  of {len(right) / len(pairs):.3f}  right {statistics.fmean(right) if right else 1:.3f}"


def weighed(name: str, searchers: Mapping[str, Searcher]) -> Model:
    """Prints the figures of the kept halves by score, linear function and relevance; returns the model."""
    extracts = {glosses: extracted(searcher) for glosses, searcher in searchers.items()}
    if name == STATIC:
        extracts = {
            glosses: [replace(one, columns=_without_dense(one.columns)) for one in every] for glosses, every in extracts.items()
        }
    examples = [one for every in extracts.values() for one in every if one.topic.half == TEACH]
    names = [feature for feature in LINEAR if feature in examples[0].columns]
    model = model_of(examples, names, strength := best_strength(examples, names))
    orders: Sequence[Callable[[CandidateRules], Vector]] = (
        lambda one: -np.arange(len(one.needed), dtype=float),
        by_linear(model.weights),
        model.relevance,
    )
    for glosses, every in extracts.items():
        print(f"== {name}, {glosses}, strength {strength}: needed rules in ten, one in three, first; by score → linear → relevance")
        for part in (SITUATIONS, JUDGES):
            for game in ("", *BOOKS):
                own = [one for one in every if is_kept(one.topic, part, game)]
                columns = zip(*(figures(own, order) for order in orders), strict=True) if own else ()
                figures_line = "".join(f"   {' → '.join(f'{value:.3f}' for value in column)}" for column in columns)
                print(f"{part:<12}{game or 'all':<10}{len(own):>5}{figures_line}", flush=True)
    print("\n".join(leads(examples, names, strength)), flush=True)
    return model


def _without_dense(columns: Columns) -> Columns:
    return {name: values for name, values in columns.items() if not name.startswith(ONLY_DENSE)}


def main() -> None:
    """Prints the figures, and writes the weights."""
    parser = home_parser(__doc__)
    parser.add_argument("--mixed", type=Path, help=f"such a home without the glosses of {', '.join(UNGLOSSED)}")
    parser.add_argument("--write", action="store_true", help=f"write {FILE} and {TREES_FILE}")
    options = parser.parse_args()
    with opened(options.home) as whole, opened(options.mixed, MIXED_DIGESTS) as mixed:
        libraries = {"all glosses": whole, f"without those of {', '.join(UNGLOSSED)}": mixed}
        models = {
            name: weighed(name, {glosses: make(library.searcher()) for glosses, library in libraries.items()})
            for name, make in ((SENTENCES, lambda searcher: searcher), (STATIC, static_only))
        }
    if options.write:
        parts = ["# Weights of re-ranking. Written by: python -m bench.search.ranking --write"]
        for name, model in models.items():
            parts.append("\n".join([f"[{name}]", *(f"{feature} = {weight:.4f}" for feature, weight in model.weights.items())]))
        FILE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
        write_trees(TREES_FILE, {name: model.trees for name, model in models.items()})


if __name__ == "__main__":
    main()
