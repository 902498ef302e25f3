"""How alike the rules of two texts are, all with all: by vectors of their words, by what no translation changes, by length."""

from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from ontology.translation.align.unit import Unit

Matrix = NDArray[np.float32]
"""Shape (rules of the one text, rules of the other)."""
View = tuple[Matrix, Matrix]
"""Vectors of the rules of both texts in one space, shape (rules, dimensions) each, of unit length; zeros where there is none."""
_NEAREST = 4
"""Neighbours that tell how near everything is to a rule: one that is near to all of them says little."""
_MARKS, _LENGTH = 0.6, 0.15
"""What marks and lengths weigh beside vectors, which weigh 1 together."""
_KIND = 0.25
"""What it costs that one of two rules is a heading, or an entry of a glossary, and the other is not."""


def likeness(old: Sequence[Unit], new: Sequence[Unit], views: Sequence[View]) -> Matrix:
    """How alike each two rules are: about 0 for any two, towards 1 for one and its translation."""
    whole = np.zeros((len(old), len(new)), dtype=np.float32)
    known = np.zeros_like(whole)
    for rows, other in views:
        both = np.outer(rows.any(axis=1), other.any(axis=1)).astype(np.float32)
        whole += _apart(rows @ other.T) * both
        known += both
    whole /= np.maximum(known, 1)
    whole += _MARKS * _apart(_marks(old, new))
    whole -= _LENGTH * _lengths(old, new)
    for kind in ("title", "entry"):
        mine, theirs = (np.array([getattr(unit, kind) for unit in units], dtype=np.bool_) for units in (old, new))
        whole -= np.float32(_KIND) * np.not_equal.outer(mine, theirs)
    return whole


def _apart(cosines: Matrix) -> Matrix:
    """Cosines without what a rule has in common with its nearest ones at large (the margin of Artetxe and Schwenk, 2019)."""
    if min(cosines.shape) == 0:
        return cosines
    rows, columns = (_near(some) for some in (cosines, cosines.T))
    return cosines - (rows[:, None] + columns[None, :]) * np.float32(0.5)


def _near(cosines: Matrix) -> Matrix:
    """The mean of the best few of each row, its best left out: that one may be the rule itself."""
    most = min(_NEAREST + 1, cosines.shape[1])
    best = np.sort(np.partition(cosines, -most, axis=1)[:, -most:], axis=1)[:, ::-1]
    return np.asarray(best[:, min(1, most - 1) :].mean(axis=1), dtype=np.float32)


def _marks(old: Sequence[Unit], new: Sequence[Unit]) -> Matrix:
    """Cosines of what no translation changes, each mark weighted by its rarity."""
    counted = Counter(mark for unit in (*old, *new) for mark in set(unit.marks))
    every = len(old) + len(new)
    shared = {mark for unit in old for mark in unit.marks} & {mark for unit in new for mark in unit.marks}
    places = {mark: place for place, mark in enumerate(sorted(shared))}
    rarity = np.array([log(1 + every / counted[mark]) for mark in places], dtype=np.float32)
    mine, other = (_bags(units, places, rarity) for units in (old, new))
    cosines: Matrix = np.asarray((mine @ other.T).todense(), dtype=np.float32)
    return cosines


def _bags(units: Sequence[Unit], places: dict[str, int], rarity: Matrix) -> csr_matrix:
    rows, columns, values = [], [], []
    for row, unit in enumerate(units):
        for mark, count in Counter(unit.marks).items():
            if mark in places:
                rows.append(row)
                columns.append(places[mark])
                values.append((1 + log(count)) * float(rarity[places[mark]]))
    bags = csr_matrix((values, (rows, columns)), shape=(len(units), max(len(places), 1)), dtype=np.float32)
    lengths = np.sqrt(bags.multiply(bags).sum(axis=1)).A1
    lengths[lengths == 0] = 1
    return csr_matrix(bags.multiply(1 / lengths[:, None]))


def _lengths(old: Sequence[Unit], new: Sequence[Unit]) -> Matrix:
    """How far lengths are from what translations have, from 0 to 1 (Gale and Church, 1993): 1 from about four times as long on."""
    mine, other = (np.log(np.array([max(unit.length, 1) for unit in units], dtype=np.float32)) for units in (old, new))
    usual = np.median(mine) - np.median(other) if len(mine) and len(other) else 0
    apart: Matrix = np.minimum(np.abs(mine[:, None] - other[None, :] - usual) / log(4), 1)
    return apart
