"""Where no game is named, no book stands before another because more is known of it."""

from dataclasses import replace

import numpy as np
import pytest

from search.index.passages import Scores
from search.index.rules import Rules
from search.rank.ranker import normalise_by_game
from search.settings import SEARCH

RULES = Rules(
    [
        [f"{game}/{number}", game, "cr", "1", str(number), str(number), "rule", ["en"], True, True, 0]
        for game in "ab"
        for number in (1, 2)
    ]
)
"""Rules 1 and 2 of a game with glosses, which score high, and the same of one without."""
OWN = [3.0, 2.0, 1.0, 0.5]


def _scores(*values: float) -> Scores:
    return np.array(values, dtype=np.float32)


@pytest.mark.parametrize(
    ("near", "order"),
    [
        ((0.8, 0.5, 0.8, 0.5), [0, 2, 1, 3]),  # as near: the best of each, whatever they score
        ((0.5, 0.5, 0.8, 0.5), [2, 3, 0, 1]),
        ((0.8, 0.5, 0.2, 0.2), [0, 1, 2, 3]),
    ],
)
def test_the_book_whose_words_are_nearest_comes_first(near: tuple[float, ...], order: list[int]) -> None:
    scores = normalise_by_game(_scores(*OWN), [_scores(*near), _scores(*near)], {}, RULES, SEARCH)
    assert np.argsort(-scores, kind="stable").tolist() == order
    assert scores.max() == pytest.approx(1)


def test_within_a_game_the_order_stays_and_what_scores_nothing_gains_nothing() -> None:
    scores = normalise_by_game(_scores(3, 2, 0, 0), [_scores(0.1, 0.2, 0.9, 0.9)], {}, RULES, SEARCH)
    assert scores.tolist() == pytest.approx([1, 2 / 3, 0, 0])
    assert normalise_by_game(_scores(0, 0, 0, 0), [], {}, RULES, SEARCH).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("terms", "order"), [({"b": 1.0}, [2, 3, 0, 1]), ({"a": 0.5, "b": 0.5}, [0, 2, 3, 1]), ({"elsewhere": 9.0}, [0, 2, 3, 1])]
)
def test_a_term_of_one_game_alone_tells_which_game_is_meant(terms: dict[str, float], order: list[int]) -> None:
    near = _scores(0.8, 0.5, 0.8, 0.5)
    scores = normalise_by_game(_scores(*OWN[:2], 1.0, 0.9), [near, near], terms, RULES, replace(SEARCH, game_term_weight=0.5))
    assert np.argsort(-scores, kind="stable").tolist() == order


def test_what_terms_tell_has_an_end() -> None:
    near = [_scores(0.8, 0.8, 0.5, 0.5)] * 2
    many, more = (normalise_by_game(_scores(*OWN), near, {"b": count}, RULES, SEARCH) for count in (50.0, 100.0))
    assert many.tolist() == more.tolist()
    assert many[0] > many[2]
