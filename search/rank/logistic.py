"""Logistic regressions whose weights lie in files: what each fact counts, and the probability that the facts of a case give.

A file has one table for libraries with sentence vectors and one for those without.
"""

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ENCODED, STATIC = "sentences", "static"
"""The two tables of a file."""
_FAR = 50.0
"""A logit beyond which it does not matter how far: its exponential would leave the range of floats."""


class Weights(NamedTuple):
    """What each fact counts, in logits."""

    bias: float
    facts: Mapping[str, float]

    def probability(self, known: Mapping[str, float]) -> float:
        """The probability, from 0 to 1, by all facts that are known; those that have no weight do not count."""
        logit = self.bias + sum(weight * known[name] for name, weight in self.facts.items())
        return 1 / (1 + math.exp(-max(-_FAR, min(_FAR, logit))))


@cache
def tables(file: Path) -> Mapping[str, Weights]:
    """The tables of a file by their names."""
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: Weights(table["bias"], table["facts"]) for name, table in read.items()}


def weights(file: Path, *, encoded: bool) -> Weights:
    """The table of a file for a library with sentence vectors, or without."""
    return tables(file)[ENCODED if encoded else STATIC]
