"""Counterparts as search has them: by place, for every edition of both rules."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corpus.address import skos_curie
from corpus.store.engine import Solution, Store
from ontology.concepts.matches import comments
from ontology.counterparts import stated

_SHARE = {"closeMatch": 1.0, "broadMatch": 0.7, "narrowMatch": 0.7, "relatedMatch": 0.35}
"""How far a counterpart answers the same question; `exactMatch` between rules is never claimed."""


class Counterpart(NamedTuple):
    """A rule of another game that answers the same question."""

    group: int  # the rule in all its editions
    predicate: str  # skos:closeMatch …
    comments: Mapping[str, str]  # language → what differs
    confidence: float  # that a trained judge agrees, 0–1

    @property
    def share(self) -> float:
        """What it is worth beside the rule it is a counterpart of, 0–1."""
        return self.confidence * _SHARE[self.predicate.removeprefix("skos:")]


def rows(store: Store, places: Mapping[str, int], groups: Sequence[int]) -> list[tuple[int, int, str, dict[str, str], float]]:
    """Every counterpart as (group, other group, predicate, comments, confidence), each pair once, the surest first."""
    pairs: dict[tuple[int, int], tuple[str, dict[str, str], float]] = {}
    for row in sorted(stated(store), key=_surest):
        rule, other = row["rule"], row["other"]
        if rule in places and other in places:
            said = skos_curie(row["predicate"]), comments(row), float(row["confidence"])
            pairs.setdefault((groups[places[rule]], groups[places[other]]), said)
    return [(*pair, *said) for pair, said in pairs.items()]


def _surest(row: Solution) -> tuple[float, str, str, str]:
    return -float(row["confidence"]), row["rule"], row["other"], row["predicate"]


def gathered(pairs: Iterable[tuple[int, int, str, dict[str, str], float]]) -> dict[int, list[Counterpart]]:
    """Group → its counterparts, as `rows` were written."""
    by_group: dict[int, list[Counterpart]] = {}
    for group, other, predicate, said, confidence in pairs:
        by_group.setdefault(group, []).append(Counterpart(other, predicate, said, confidence))
    return by_group
