"""How probable it is that a rule which search finds is one that a ruling rests on: a logistic regression over how it was found.

The weights lie in `data/grounds.toml`, one table for libraries with sentence vectors and one for those without; `python -m
bench.rulings --write` fits them to one half of rulings that were judged one by one, and measures them on the other.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from search.rank.logistic import ENCODED, STATIC, weights
from search.rank.ranker import Ranked

FILE = Path(__file__).parents[1] / "data" / "grounds.toml"
FACTS: Mapping[str, Sequence[str]] = {ENCODED: ("above", "lead", "static", "meant"), STATIC: ("above", "lead", "static")}
"""What is weighed in each table."""
FIRST = 3
"""So many rules may be proposed for a ruling."""


def confidence(hits: Sequence[Ranked], nth: int, *, encoded: bool) -> float:
    """The probability that a hit is right, by how it stands among the first ten."""
    return weights(FILE, encoded=encoded).probability(facts(hits, nth))


def facts(hits: Sequence[Ranked], nth: int) -> dict[str, float]:
    """How far a hit is above those that are not proposed, how far before or behind the best of the others, and its cosines."""
    scores = [hit.score for hit in hits]
    rest = scores[FIRST:] or scores[-1:]
    beside = scores[1] if nth == 0 and len(scores) > 1 else scores[0] if nth else 0.0
    return {
        "above": scores[nth] - sum(rest) / len(rest),
        "lead": scores[nth] - beside,
        "static": _best(hits[nth], "dense"),
        "meant": _best(hits[nth], "sentence"),
    }


def _best(hit: Ranked, leg: str) -> float:
    return max((value for name, value in hit.legs.items() if name.startswith(leg)), default=0.0)
