"""Re-ranking: the first candidates by learned weights, with the scores of their places."""

import numpy as np
import pytest

from search.index.passages import Ids, Scores
from search.rank.answerability import SENTENCES, STATIC
from search.rank.ranker import Ranker
from search.rank.reranking import DEPTH, FILE, Columns, reordered, rerank, weight_tables
from search.searcher import Request, Searcher

NAMES = {"score", "coverage", "concept_coverage", "static", "dense", "same_language", "glossed"}


def columns(**given: list[float]) -> Columns:
    zeros = [0.0] * len(next(iter(given.values())))
    return {name: np.array(given.get(name, zeros), dtype=np.float32) for name in NAMES}


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


def test_scores_stay_with_their_places_and_what_follows_is_unchanged() -> None:
    order = list(range(DEPTH + 2))
    scores = np.linspace(2, 1, DEPTH + 2, dtype=np.float32)

    def backwards(head: Ids) -> Scores:
        return np.arange(len(head), dtype=np.float32)

    again, handed, sums = reordered(order, scores, backwards)
    assert again == [*reversed(range(DEPTH)), DEPTH, DEPTH + 1]
    assert handed[again].tolist() == scores.tolist()
    assert sums == dict(enumerate(range(DEPTH)))
    assert reordered(order, scores, np.zeros_like)[0] == order


@pytest.mark.parametrize(("question", "asked"), [("what happens when the ferry is full", True), ("101.1", False)])
def test_a_question_for_a_number_keeps_its_order(searcher: Searcher, question: str, asked: bool) -> None:
    seen: list[Columns] = []

    def record(head: Ids, given: Columns) -> Scores:
        seen.append(given)
        return np.zeros(len(head), dtype=np.float32)

    request = Request(question)
    query = searcher.understand(request)
    static, dense = searcher.encode_query(query)
    Ranker(searcher.index, searcher.ranker.settings, record).rank(query, static, 10, None, dense)
    assert bool(seen) is asked
    for given in seen:
        assert given.keys() == NAMES
        assert all(0 <= value <= 1.0001 for name in ("score", "coverage", "concept_coverage") for value in given[name])
