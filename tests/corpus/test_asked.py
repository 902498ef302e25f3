"""The questions of the digest were written from the rules alone: none is a query of the evaluation set in other clothes."""

import json

import pytest

from bench.digest.copies import MAX_COMMON_SHARE, trigrams
from corpus.digest import digests
from tests.support.texts import QUERIES


def test_the_measure_tells_copies_from_others() -> None:
    original, copy = trigrams("can my ferry leave twice?"), trigrams("Can my ferry leave twice a turn?")
    assert len(original & copy) >= MAX_COMMON_SHARE * len(original)
    assert len(original & trigrams("who owns the pier")) < MAX_COMMON_SHARE * len(original)


@pytest.mark.real
@pytest.mark.skipif(not QUERIES.is_file(), reason=f"no evaluation queries at {QUERIES}")
def test_no_question_is_a_query_of_the_evaluation_set() -> None:
    queries = [(row["id"], trigrams(row["query"])) for row in map(json.loads, QUERIES.read_text("utf-8").splitlines())]
    copies = []
    for digest in digests(all_games=True):
        for gloss in digest.glosses:
            for question in (asking for asked in gloss.questions.values() for asking in asked):
                mine = trigrams(question)
                copies += [
                    f"{gloss.locator}: {question} ~ {name}"
                    for name, theirs in queries
                    if mine and len(mine & theirs) >= MAX_COMMON_SHARE * len(mine)
                ]
    assert copies == []
