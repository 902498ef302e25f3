"""The questions of the digest were written from the rules alone: none is a query of the evaluation set in other clothes."""

import pytest

from corpus.digest import digests
from tests.support.quotes import asked_of, copies, evaluation_queries
from tests.support.texts import QUERIES


def test_the_measure_tells_copies_from_others() -> None:
    original, copy = "can my ferry leave twice?", "Can my ferry leave twice a turn?"
    assert copies([original, "who owns the pier"], [copy]) == [f"{original} ~ {copy}"]


@pytest.mark.real
@pytest.mark.skipif(not QUERIES.is_file(), reason=f"no evaluation queries at {QUERIES}")
def test_no_question_is_a_query_of_the_evaluation_set() -> None:
    assert copies(asked_of(digests(all_games=True)), evaluation_queries()) == []
