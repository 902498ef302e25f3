"""Two texts, rule by rule: partners with confidence, parts of a rule that has several, and what has no partner."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ontology.translation.align.likeness import Matrix, View, likeness
from ontology.translation.align.path import Places, partners
from ontology.translation.align.unit import Unit

_PART = 0.2
"""Likeness from which on a rule without a partner is a part of what its neighbour's partner says."""
_LEFT = 0.2
"""Likeness from which on two rules are partners that stand out among those that are left."""
_SURE, _STEEP = 0.05, 14.0
"""The score at which one of two proposals is right, and how fast that changes."""


@dataclass(frozen=True, slots=True)
class Link:
    """Two rules that say the same, by their locators. `confidence` is the share of such links that are right, from 0 to 1.

    `part`: one of the two has another partner that says more of it.
    """

    old: str
    new: str
    confidence: float
    part: bool = False


@dataclass(frozen=True, slots=True)
class Aligned:
    """The links in the order of the one text, and what has none in either."""

    links: Sequence[Link]
    old_alone: Sequence[str]
    new_alone: Sequence[str]


def aligned(old: Sequence[Unit], new: Sequence[Unit], views: Sequence[View]) -> Aligned:
    """Which rule of one text is which of another; `views` are vectors of both in their order."""
    alike = likeness(old, new, views)
    columns, scores = partners(alike, old, new)
    _add_left(columns, scores, old, new, views)
    links = sorted([*_links(columns, scores, old, new), *_parts(columns, alike, old, new)], key=_order(old, new))
    told = {link.old for link in links}, {link.new for link in links}
    alone = ([unit.locator for unit in units if unit.locator not in some] for units, some in zip((old, new), told, strict=True))
    return Aligned(links, *alone)


def _add_left(places: Places, scores: Matrix, old: Sequence[Unit], new: Sequence[Unit], views: Sequence[View]) -> None:
    """Adds what stands out among the rules that are left: far from its place it did not among all."""
    rows, columns = np.flatnonzero(places < 0), np.setdiff1d(np.arange(len(new)), places)
    if not (len(rows) and len(columns)):
        return
    some = [(first[rows], other[columns]) for first, other in views]
    alike = likeness([old[row] for row in rows.tolist()], [new[column] for column in columns.tolist()], some)
    best, back = alike.argmax(axis=1), alike.argmax(axis=0)
    for place, row in enumerate(rows):
        if back[best[place]] == place and alike[place, best[place]] >= _LEFT:
            places[row] = columns[best[place]]
            scores[row, places[row]] = alike[place, best[place]]


def _order(old: Sequence[Unit], new: Sequence[Unit]) -> Callable[[Link], tuple[int, bool, int]]:
    here, there = ({unit.locator: place for place, unit in enumerate(units)} for units in (old, new))
    return lambda link: (here[link.old], link.part, there[link.new])


def _links(places: Places, scores: Matrix, old: Sequence[Unit], new: Sequence[Unit]) -> Iterator[Link]:
    for row in np.flatnonzero(places >= 0).tolist():
        column = int(places[row])
        yield Link(old[row].locator, new[column].locator, _confidence(float(scores[row, column])))


def _confidence(score: float) -> float:
    return round(float(1 / (1 + np.exp(-_STEEP * (score - _SURE)))), 2)


def _parts(places: Places, alike: Matrix, old: Sequence[Unit], new: Sequence[Unit]) -> Iterator[Link]:
    """A rule that stands beside a partner, has none, and is like what that one is linked to: one rule became several."""
    back = np.full(len(new), -1, dtype=np.intp)
    back[places[places >= 0]] = np.flatnonzero(places >= 0)
    for row, column in _beside(places):
        if alike[row, column] >= _PART:
            yield Link(old[row].locator, new[column].locator, _confidence(float(alike[row, column])), part=True)
    for column, row in _beside(back):
        if alike[row, column] >= _PART:
            yield Link(old[row].locator, new[column].locator, _confidence(float(alike[row, column])), part=True)


def _beside(places: Places) -> Iterator[tuple[int, int]]:
    """Each rule without a partner with the partners of its neighbours."""
    for place in np.flatnonzero(places < 0):
        near = (place + step for step in (-1, 1) if 0 <= place + step < len(places))
        yield from ((int(place), int(places[beside])) for beside in near if places[beside] >= 0)
