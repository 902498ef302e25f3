"""Counterparts as search has them: by place, for every edition of both rules."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from corpus.address import skos_curie
from ontology.answers.counterparts import stated
from ontology.store.engine import Store

_SHARE = {"closeMatch": 1.0, "broadMatch": 0.7, "narrowMatch": 0.7, "relatedMatch": 0.35}
"""How far a counterpart answers the same question; `exactMatch` between rules is never claimed."""


class Counterpart(NamedTuple):
    """A rule of another game that answers the same question."""

    group: int  # the rule in all its editions
    predicate: str  # skos:closeMatch …
    comment: str  # what differs
    confidence: float  # that a trained judge agrees, 0–1

    @property
    def share(self) -> float:
        """What it is worth beside the rule it is a counterpart of, 0–1."""
        return self.confidence * _SHARE[self.predicate.removeprefix("skos:")]


def rows(store: Store, places: Mapping[str, int], groups: Sequence[int]) -> list[tuple[int, int, str, str, float]]:
    """Every counterpart as (group, other group, predicate, comment, confidence), each pair once, the surest first."""
    found: dict[tuple[int, int], tuple[str, str, float]] = {}
    for rule, other, predicate, comment, confidence in sorted(_stated(store), key=lambda one: (-one[4], one)):
        if rule in places and other in places:
            found.setdefault((groups[places[rule]], groups[places[other]]), (predicate, comment, confidence))
    return [(*pair, *said) for pair, said in found.items()]


def _stated(store: Store) -> Iterator[tuple[str, str, str, str, float]]:
    for row in stated(store):
        predicate = skos_curie(row["predicate"])
        yield row["rule"], row["other"], predicate, row["comment"], float(row["confidence"])


def gathered(found: Sequence[Sequence[object]]) -> dict[int, list[Counterpart]]:
    """Group → its counterparts, as `rows` were written."""
    by_group: dict[int, list[Counterpart]] = {}
    for group, other, predicate, comment, confidence in found:
        counterpart = Counterpart(int(str(other)), str(predicate), str(comment), float(str(confidence)))
        by_group.setdefault(int(str(group)), []).append(counterpart)
    return by_group
