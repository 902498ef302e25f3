"""The best score of each owner is that of its passages, however many it has."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search.index.passages import Segment

COUNTS = st.lists(st.integers(0, 6), max_size=40) | st.lists(st.sampled_from([0, 3]), max_size=40)


@given(COUNTS, st.integers(0, 5))
def test_each_owner_has_its_best(counts: list[int], first: int) -> None:
    whose = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    scores = np.random.default_rng(len(whose)).random(first + len(whose) + 3).astype(np.float32)
    segments = Segment(whose, first, len(counts))
    own = np.split(scores[first : first + len(whose)], np.cumsum(counts)[:-1]) if counts else []
    assert segments.best_of_owners(scores).tolist() == [max(some.tolist(), default=0.0) for some in own]


@given(COUNTS, st.integers(0, 5))
def test_bounds_hold_the_passages_of_each(counts: list[int], first: int) -> None:
    whose = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    begin, end = Segment(whose, first, len(counts)).owner_bounds()
    for owner, count in enumerate(counts):
        assert end[owner] - begin[owner] == count
        assert (whose[begin[owner] - first : end[owner] - first] == owner).all()
