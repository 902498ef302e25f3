"""The index of words has the scores of bm25s."""

from pathlib import Path

import numpy as np
from bm25s import BM25

from search.index import arrays, bm25
from search.index.bm25 import Bm25Index, counted_terms, merged_terms
from search.settings import SEARCH

BAGS = [["ferry", "token", "token"], ["ferry"], [], ["harbour", "ferry", "harbour", "harbour", "token", "oar"]]


def test_passages_are_weighed_as_bm25s_weighs_them(tmp_path: Path) -> None:
    bm25.write_bm25(tmp_path, [BAGS])
    vocabulary = {term: place for place, term in enumerate(dict.fromkeys(term for bag in BAGS for term in bag))}
    theirs = BM25(method="lucene", k1=SEARCH.bm25_k1, b=SEARCH.bm25_b)
    theirs.index(([[vocabulary[term] for term in bag] for bag in BAGS], vocabulary), show_progress=False, create_empty_token=False)
    ours = Bm25Index(tmp_path)
    having = np.diff(theirs.scores["indptr"])
    rarity = np.log1p((len(BAGS) - having + 0.5) / (having + 0.5))
    for term, column in vocabulary.items():
        first, last = theirs.scores["indptr"][column : column + 2]
        where, values = ours.postings(term)
        assert where.tolist() == theirs.scores["indices"][first:last].tolist()
        assert np.allclose(values, theirs.scores["data"][first:last] / rarity[column] * ours.idf(term), rtol=1e-6)


def test_a_field_without_passages_changes_nothing(tmp_path: Path) -> None:
    for folder, fields in (("one", [BAGS]), ("more", [BAGS, []])):
        (tmp_path / folder).mkdir()
        bm25.write_bm25(tmp_path / folder, fields)
    for name in ("data", "indices", "indptr", "rarity", "mass"):
        alone, more = (arrays.load(tmp_path / folder / f"{name}.npy") for folder in ("one", "more"))
        assert np.array_equal(alone, more)


def test_passages_without_any_term_are_left_out_and_change_nothing(tmp_path: Path) -> None:
    """The same scores as those of all passages, to the last bit, wherever the questions among them lie."""
    bm25.write_bm25(tmp_path, [BAGS * 9, [*BAGS[1:], ["pier"]] * 7])
    ours, terms = Bm25Index(tmp_path), {"ferry": 1.0, "harbour": 0.7, "unknown": 1.0}
    both = ours._sum_scores(terms)
    for questions in (slice(0), slice(3, 17), slice(0, ours.passages), slice(ours.passages - 5, ours.passages)):
        total_idf = ours.total_idf(np.arange(ours.passages)[questions])
        every = ours.score(terms, (both.real.copy(), both.imag.copy()), SEARCH, questions, total_idf)
        assert ours.scores(terms, SEARCH, questions).tolist() == every.tolist()
    assert not ours.scores({"pier of none": 1.0}).any()


def test_passages_that_share_a_row_have_the_scores_of_separate_ones(tmp_path: Path) -> None:
    fields = [[BAGS[0], BAGS[1], BAGS[0], BAGS[2], BAGS[0], BAGS[1]], [BAGS[3], BAGS[3], BAGS[0]]]
    (tmp_path / "separate").mkdir()
    bm25.write_bm25(tmp_path / "separate", fields)
    vocabulary, distinct = counted_terms([*BAGS[:3], BAGS[3], BAGS[0]])
    parts = [distinct.rows(np.arange(3)), distinct.rows(np.arange(3, 5))]
    bm25.write_weights(tmp_path, vocabulary, parts, np.array([0, 1, 0, 2, 0, 1, 3, 3, 4], dtype=np.int32))
    separate, shared = Bm25Index(tmp_path / "separate"), Bm25Index(tmp_path)
    assert (shared.row_count, shared.passages) == (5, separate.passages)
    assert np.allclose(shared.total_idf(np.arange(9)), separate.total_idf(np.arange(9)), rtol=1e-6)
    for questions in (slice(0), slice(6, 9)):
        expected, scores = (
            each.scores({"ferry": 1.0, "harbour": 0.7, "token": 0.3}, SEARCH, questions) for each in (separate, shared)
        )
        assert np.allclose(scores, expected, rtol=1e-6)
    for term in ("ferry", "harbour", "token", "oar", "none"):
        assert shared.passage_count(term) == separate.passage_count(term)
        assert shared.idf(term) == separate.idf(term)


def test_an_index_without_rows_has_one_for_each_passage(tmp_path: Path) -> None:
    """As in an index of the previous version."""
    bm25.write_bm25(tmp_path, [BAGS])
    scores, counts = Bm25Index(tmp_path).scores({"ferry": 1.0}), Bm25Index(tmp_path).passage_count("ferry")
    for name in ("rows", "frequencies"):
        (tmp_path / f"{name}.npy").unlink()
    assert np.array_equal(Bm25Index(tmp_path).scores({"ferry": 1.0}), scores)
    assert Bm25Index(tmp_path).passage_count("ferry") == counts == 3


def test_passages_of_two_vocabularies_are_counted_like_those_of_one() -> None:
    more = [["pier", "oar"], [], ["ferry", "ferry"], *BAGS[:2]]
    terms, merged = merged_terms([counted_terms(BAGS), counted_terms(more)])
    vocabulary, every = counted_terms([*BAGS, *more])
    assert terms == vocabulary
    assert [values.tolist() for values in merged] == [values.tolist() for values in every]
    order = [7, 3, 3, 0]
    subset = every.rows(np.array(order))
    assert subset.length.tolist() == [every.length[passage] for passage in order]
    spans = [slice(every.begins[passage], every.begins[passage + 1]) for passage in order]
    assert subset.terms.tolist() == [term for span in spans for term in every.terms[span].tolist()]
    assert subset.counts.tolist() == [count for span in spans for count in every.counts[span].tolist()]
