"""Rulings with uncertain grounds: neither the source nor a curator names a rule, and all proposals have a low confidence."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpus.store.books import Books

if TYPE_CHECKING:
    from corpus.contract import RestsOn, Ruling

SURE = 0.5
"""Confidence of the best proposal below which a curator should judge it."""


def weak(knowledge: Books, below: float = SURE, game: str | None = None) -> "list[Ruling]":
    """The valid rulings without certain grounds, the least certain first."""
    rulings = (ruling for ruling in knowledge.rulings.every(game) if ruling["version"] is None and not ruling["withdrawn"])
    loaded = {key.game for key in knowledge.manifest.editions}
    doubtful = [ruling for ruling in rulings if ruling["game"] in loaded and best(ruling) < below]
    return sorted(doubtful, key=lambda ruling: (best(ruling), ruling["iri"]))


def best(ruling: "Ruling") -> float:
    """The highest confidence of a ruling's grounds; 0 without any."""
    return max(map(_sure, ruling["rests_on"]), default=0.0)


def _sure(ground: "RestsOn") -> float:
    return 1.0 if ground["how"] == "cited" else ground["confidence"] or 0.0


def proposals(ruling: "Ruling") -> "Iterator[RestsOn]":
    """The rules that are proposed for a ruling."""
    return (ground for ground in ruling["rests_on"] if ground["how"] == "proposed")
