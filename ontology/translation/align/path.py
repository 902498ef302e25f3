"""From likeness to partners: one way through both texts in their order, then one partner for each rule, wherever it stands."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ontology.translation.align.likeness import Matrix
from ontology.translation.align.unit import Unit

Places = NDArray[np.intp]
"""Of each rule of the one text the place of its partner in the other; -1 for none. Shape (rules,)."""
LEAST = 0.02
"""The score below which two rules are no partners."""
_FLOOR, _FAR = -0.4, 0.1
"""Likeness below which they are none whatever is around them, and the same of two that stand far from where the way goes."""
_ORDER, _REACH, _NEAR = 0.1, 12, 0.3
"""What it counts that two rules stand where the way through both texts goes, rules after which that has faded, and what is
left of it where two rules still stand near."""
_BESIDE, _ABOVE = 0.1, 0.08
"""What it counts that the neighbours of two rules are partners (each of them), and what their headings."""
_ROUNDS = 3


def partners(likeness: Matrix, old: Sequence[Unit], new: Sequence[Unit]) -> tuple[Places, Matrix]:
    """The partner of each rule, one to one, and the scores that speak for them: likeness and what is around."""
    if min(likeness.shape) == 0:
        return np.full(len(old), -1, dtype=np.intp), likeness
    along = _along(through(likeness - LEAST), likeness.shape)
    scores = likeness + _ORDER * along
    places = _assigned(likeness, scores, along)
    for _ in range(_ROUNDS - 1):
        along = _along(_in_order(places, scores), likeness.shape)
        scores = likeness + _ORDER * along + _around(places, old, new)
        places = _assigned(likeness, scores, along)
    return places, scores


def through(gains: Matrix) -> Places:
    """The partners, in the order of both texts, whose gains are the greatest together (dynamic programming, row by row)."""
    rows, columns = gains.shape
    best = np.zeros((rows + 1, columns + 1), dtype=np.float32)
    for row in range(rows):
        here = best[row].copy()
        np.maximum(here[1:], best[row, :-1] + gains[row], out=here[1:])
        best[row + 1] = np.maximum.accumulate(here)
    places = np.full(rows, -1, dtype=np.intp)
    row, column = rows, columns
    while row and column:
        if best[row, column] == best[row - 1, column]:
            row -= 1
        elif best[row, column] == best[row, column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            places[row] = column
    return places


def _in_order(places: Places, scores: Matrix) -> Places:
    """The partners that stand in one order in both texts, those with the highest scores."""
    own = np.arange(scores.shape[1])[None, :] == places[:, None]
    return through(np.where(own, scores, 0))


def _along(places: Places, shape: tuple[int, ...]) -> Matrix:
    """1 for two rules that stand on the way through both texts, fading to 0 beside it."""
    known = np.flatnonzero(places >= 0)
    if not len(known):
        return np.zeros(shape, dtype=np.float32)
    way = np.interp(np.arange(shape[0]), known, places[known])
    off = np.abs(np.arange(shape[1])[None, :] - way[:, None]) / _REACH
    return np.exp(-off).astype(np.float32)


def _around(places: Places, old: Sequence[Unit], new: Sequence[Unit]) -> Matrix:
    """What partners on both sides and above speak for."""
    rows, columns = len(old), len(new)
    beside = np.zeros((rows, columns), dtype=np.float32)
    for row, column in ((int(row), int(places[row])) for row in np.flatnonzero(places >= 0)):
        for step in (-1, 1):
            if 0 <= row + step < rows and 0 <= column + step < columns:
                beside[row + step, column + step] += _BESIDE
    here, there = ({unit.locator: place for place, unit in enumerate(units)} for units in (old, new))
    under: dict[int, list[int]] = {}
    for place, unit in enumerate(new):
        under.setdefault(there.get(unit.parent or "", -1), []).append(place)
    for place, unit in enumerate(old):
        above = here.get(unit.parent or "", -1)
        if above >= 0 and places[above] >= 0:
            beside[place, under.get(int(places[above]), [])] += _ABOVE
    return beside


def _assigned(likeness: Matrix, scores: Matrix, along: Matrix) -> Places:
    """One partner for each rule at most, such that the scores together are the greatest."""
    from scipy.optimize import linear_sum_assignment  # half a second that whoever aligns nothing need not wait

    gains = np.where(likeness >= np.where(along >= _NEAR, _FLOOR, _FAR), scores - LEAST, 0)
    rows, columns = linear_sum_assignment(gains, maximize=True)
    places = np.full(likeness.shape[0], -1, dtype=np.intp)
    real = gains[rows, columns] > 0
    places[rows[real]] = columns[real]
    return places
