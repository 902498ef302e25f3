"""Where no game is named, no book stands before another because more is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from search.index.index import Index
from search.index.passages import Scores
from search.index.rules import IndexedRules
from search.rank.game_words import game_logits, game_of_term, name_logits
from search.rank.ranker import normalise_by_game
from search.searcher import Request, Searcher
from search.settings import SEARCH

RULES = IndexedRules(
    [
        [f"{game}/{number}", game, "cr", "1", str(number), str(number), "rule", ["en"], True, True, 0]
        for game in "ab"
        for number in (1, 2)
    ]
)
"""Rules 1 and 2 of a game with glosses, which score high, and the same of one without."""
NOBODY = np.zeros(2, dtype=np.float32)
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
    scores = normalise_by_game(_scores(*OWN), [_scores(*near), _scores(*near)], NOBODY, RULES, SEARCH)
    assert np.argsort(-scores, kind="stable").tolist() == order
    assert scores.max() == pytest.approx(1)


def test_within_a_game_the_order_stays_and_zero_scores_stay_zero() -> None:
    scores = normalise_by_game(_scores(3, 2, 0, 0), [_scores(0.1, 0.2, 0.9, 0.9)], NOBODY, RULES, SEARCH)
    assert scores.tolist() == pytest.approx([1, 2 / 3, 0, 0])
    assert normalise_by_game(_scores(0, 0, 0, 0), [], NOBODY, RULES, SEARCH).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("terms", "order"), [({"b": 1.0}, [2, 3, 0, 1]), ({"a": 0.5, "b": 0.5}, [0, 2, 3, 1]), ({"elsewhere": 9.0}, [0, 2, 3, 1])]
)
def test_a_term_of_one_game_alone_tells_which_game_is_meant(terms: dict[str, float], order: list[int]) -> None:
    near, settings = _scores(0.8, 0.5, 0.8, 0.5), replace(SEARCH, game_term_weight=0.5)
    own = name_logits(terms, RULES.games, settings)
    scores = normalise_by_game(_scores(*OWN[:2], 1.0, 0.9), [near, near], own, RULES, settings)
    assert np.argsort(-scores, kind="stable").tolist() == order


class Counted:
    """An index of three games that knows, of each word, in how many passages of each it is."""

    games = ("a", "b", "c")
    all_passages: Mapping[str, Sequence[int]] = {"en": (1000, 1000, 100), "ja": (1000, 500, 0)}
    words: Mapping[str, Sequence[int]] = {
        "upkeep": (40, 0, 0),
        "ink": (0, 0, 30),
        "keep": (40, 11, 0),
        "often": (40, 40, 4),
        "once": (1, 0, 0),
        "侵略": (0, 30, 0),
        "チェ": (0, 20, 0),
        "c:hand": (40, 0, 0),
    }

    def passages_by_game(self, term: str, langs: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        every = self.all_passages["en" if "en" in langs else "ja"]
        return np.array(self.words.get(term, (0, 0, 0))), np.array(every)


@pytest.mark.parametrize(
    ("term", "game"),
    [
        ("upkeep", 0),
        ("ink", 2),
        ("侵略", 1),  # the game without Japanese passages is not compared
        ("チェ", 1),
        ("keep", None),  # others have it too
        ("often", None),
        ("once", None),  # one passage is chance
        ("c:hand", None),
        ("unknown", None),
    ],
)
def test_a_word_is_a_games_own_if_no_other_has_it_nearly_as_often(term: str, game: int | None) -> None:
    match = game_of_term(cast(Index, Counted()), term, 4.0)
    assert (match and match[0]) == game


@pytest.mark.parametrize(
    ("question", "game"),
    [("upkeep triggers of both players", "mtg"), ("may a resonator do that", "fow"), ("額外怪獸區", "ygo")],
)
def test_the_words_of_a_question_favour_their_game(digest_searcher: Searcher, question: str, game: str) -> None:
    index = digest_searcher.index
    gains = game_logits(index, digest_searcher.understand(Request(question)), SEARCH)
    assert index.games[int(gains.argmax())] == game
    assert 0 < gains.max() <= SEARCH.game_term_cap
    query = digest_searcher.understand(Request(question, ("dm", "mtg")))
    assert game_logits(index, query, SEARCH).max() <= gains.max()


def test_the_logits_of_words_are_capped(digest_searcher: Searcher) -> None:
    query, settings = digest_searcher.understand(Request("upkeep triggers of both players")), replace(SEARCH, game_term_cap=0.05)
    assert game_logits(digest_searcher.index, query, settings).max() == pytest.approx(0.05)
