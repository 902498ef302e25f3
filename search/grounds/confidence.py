"""How probable it is that a rule which search finds is one that a ruling rests on: a logistic regression over how it was found.

The weights lie in `data/grounds.toml`, one table for libraries with sentence vectors and one for those without; `python -m
bench.rulings --write` fits them to one half of rulings that were judged one by one, and measures them on the other.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from search.rank.ranker import Ranked

FILE = Path(__file__).parents[1] / "data" / "grounds.toml"
ENCODED, STATIC = "sentences", "static"
FACTS: Mapping[str, Sequence[str]] = {ENCODED: ("above", "lead", "static", "meant"), STATIC: ("above", "lead", "static")}
"""What is weighed in each table."""
FIRST = 3
"""So many rules may be proposed for a ruling."""


class Weights(NamedTuple):
    """What each fact counts, in logits."""

    bias: float
    facts: Mapping[str, float]


@cache
def tables() -> Mapping[str, Weights]:
    """The weights with sentence vectors and those without."""
    read = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: Weights(table["bias"], table["facts"]) for name, table in read.items()}


def confidence(hits: Sequence[Ranked], nth: int, *, encoded: bool) -> float:
    """The probability that a hit is right, by how it stands among the first ten."""
    table = tables()[ENCODED if encoded else STATIC]
    known = facts(hits, nth)
    logit = table.bias + sum(weight * known[name] for name, weight in table.facts.items())
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, logit))))


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
