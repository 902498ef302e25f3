"""Re-ranking: the first candidates by learned weights, with the scores of their places."""

from pathlib import Path

import numpy as np
import pytest

from search.index.passages import Ids, Scores
from search.rank.answerability import SENTENCES, STATIC
from search.rank.ranker import Ranker
from search.rank.reranking import (
    DEPTH,
    FILE,
    TREES_FILE,
    Columns,
    Trees,
    reordered,
    rerank,
    trees,
    weight_tables,
    with_linear_lag,
    write_trees,
)
from search.searcher import Request, Searcher

NAMES = {"score", "coverage", "concept_coverage", "static", "dense", "same_language", "glossed"}
OF_FIELDS = {
    f"{signal}_{field}{lag}"
    for signal, fields in (
        ("bm25", ("text", "gloss", "question", "context")),
        ("static", ("text", "gloss", "question")),
        ("dense", ("text", "gloss")),
    )
    for field in fields
    for lag in ("", "_lag")
}


def columns(**values: list[float]) -> Columns:
    zeros = [0.0] * len(next(iter(values.values())))
    return {name: np.array(values.get(name, zeros), dtype=np.float32) for name in NAMES | OF_FIELDS}


def test_weights_are_of_features_and_more_evidence_never_harms() -> None:
    tables = weight_tables(FILE)
    assert tables.keys() == {SENTENCES, STATIC}
    assert tables[SENTENCES].keys() == NAMES and tables[STATIC].keys() == NAMES - {"dense"}
    assert all(tables[table][name] > 0 for table in tables for name in ("score", "coverage", "concept_coverage", "static"))


@pytest.mark.parametrize("dense", [[0.0, 0.0], [0.4, 0.4]])
def test_of_equal_scores_the_rule_with_more_of_the_question_is_first(dense: list[float]) -> None:
    candidates = np.array([7, 3], dtype=np.intp)
    first, second = rerank(candidates, columns(score=[1, 1], coverage=[0.2, 0.9], dense=dense)).tolist()
    assert first < second
    assert len(set(rerank(candidates, columns(score=[1, 1], coverage=[0.5, 0.5], dense=dense)).tolist())) == 1


def test_shipped_trees_use_features_that_exist() -> None:
    tables = trees(TREES_FILE)
    assert tables.keys() == {SENTENCES, STATIC}
    assert set(tables[SENTENCES].names) == NAMES | OF_FIELDS | {"linear_lag"}
    assert set(tables[STATIC].names) == {name for name in tables[SENTENCES].names if not name.startswith("dense")}


def test_trees_add_up_the_leaves_that_candidates_reach(tmp_path: Path) -> None:
    def nodes(*rows: list[float], kind: type[np.generic] = np.int16) -> np.ndarray:
        return np.array(rows, dtype=kind)

    stump = Trees(
        ("score", "static"),
        nodes([0, 0, 1, 0, 0], [1, 0, 0, 0, 0]),
        nodes([0.5, 0, 0.2, 0, 0], [0.3, 0, 0, 0, 0], kind=np.float32),
        nodes([1, 1, 3, 3, 4], [1, 1, 2, 3, 4]),
        nodes([2, 1, 4, 3, 4], [2, 1, 2, 3, 4]),
        nodes([0, 1, 0, 10, 100], [0, 0.25, 0.5, 0, 0], kind=np.float32),
    )
    write_trees(tmp_path / "trees", {STATIC: stump})
    read = trees(tmp_path / "trees")[STATIC]
    assert read.names == stump.names
    features = columns(score=[0.5, 0.6, 0.6], static=[0.9, 0.1, 0.9])
    assert read.sums(features).tolist() == [1.5, 10.25, 100.5]


def test_the_linear_lag_is_the_distance_from_the_best_candidate() -> None:
    features = with_linear_lag({"score": 2.0, "static": 1.0}, columns(score=[1, 0.5], static=[0, 0.5]))
    assert features["linear_lag"].tolist() == [0, -0.5]


def test_scores_stay_in_place_and_later_candidates_are_unchanged() -> None:
    order = list(range(DEPTH + 2))
    scores = np.linspace(2, 1, DEPTH + 2, dtype=np.float32)

    def backwards(head: Ids) -> Scores:
        return np.arange(len(head), dtype=np.float32)

    again, handed, sums = reordered(order, scores, backwards)
    assert again == [*reversed(range(DEPTH)), DEPTH, DEPTH + 1]
    assert handed[again].tolist() == scores.tolist()
    assert sums == dict(enumerate(range(DEPTH)))
    assert reordered(order, scores, np.zeros_like)[0] == order


@pytest.mark.parametrize(("question", "is_reranked"), [("what happens when the ferry is full", True), ("101.1", False)])
def test_a_question_for_a_number_keeps_its_order(searcher: Searcher, question: str, is_reranked: bool) -> None:
    calls: list[Columns] = []

    def record(head: Ids, features: Columns) -> Scores:
        calls.append(features)
        return np.zeros(len(head), dtype=np.float32)

    request = Request(question)
    query = searcher.understand(request)
    static, dense, _ = searcher.encode_query(query)
    Ranker(searcher.index, searcher.ranker.settings, record).rank(query, static, 10, None, dense)
    assert bool(calls) is is_reranked
    for features in calls:
        assert NAMES <= features.keys() <= NAMES | OF_FIELDS
        assert all(value <= 0 for name in features if name.endswith("_lag") for value in features[name])
        assert all(0 <= value <= 1.0001 for name in ("score", "coverage", "concept_coverage") for value in features[name])
