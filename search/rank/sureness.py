"""How sure it is that a library answers a question: a logistic regression over the evidence for the first hits.

Its weights lie in `data/sureness.toml`, one table for libraries with sentence vectors and one for those without; `python -m
bench.abstention --write` fits them to questions that books answer and to others that none does.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from search.rank.evidence import Evidence

FILE = Path(__file__).parents[1] / "data" / "sureness.toml"
ENCODED, STATIC = "sentences", "static"
RULES = 340
"""Rules in the smallest library that the weights are fitted to."""
LEAST = 0.35
"""Probability below which nothing is shown."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each fact counts, in logits."""

    bias: float
    facts: Mapping[str, float]


@cache
def tables() -> Mapping[str, Weights]:
    """The weights with sentence vectors and those without."""
    read = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: Weights(table["bias"], table["facts"]) for name, table in read.items()}


def sureness(evidence: Evidence, rules: int) -> float:
    """The probability that a library of so many rules answers a question, by the evidence for the first hits."""
    table = tables()[ENCODED if evidence.encoded else STATIC]
    known = facts(evidence, rules)
    logit = table.bias + sum(weight * known[name] for name, weight in table.facts.items())
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, logit))))


def facts(evidence: Evidence, rules: int) -> dict[str, float]:
    """All that may be weighed, by name; of a question without sentence vectors what they tell is 0."""
    decoys = evidence.decoys
    return {
        "coverage": evidence.coverage,
        "together": evidence.together,
        "concepts": evidence.concepts,
        "missing": evidence.missing,
        "absent": evidence.absent,
        "absent where a game is named": evidence.absent * evidence.named,
        "foreign": evidence.foreign,
        "length": evidence.length,
        "cosine": evidence.cosine,
        "cosine where glossed": evidence.cosine * evidence.glossed,
        "literal": evidence.literal,
        "agreement": evidence.agreement,
        "meant": evidence.meant,
        "nearest": evidence.nearest,
        "ahead": evidence.ahead,
        "common": decoys.common,
        "decoys": decoys.nearest,
        "decoys by words": decoys.static,
        "glossed": evidence.glossed,
        "named": evidence.named,
        "rules": math.log(max(rules, RULES) / RULES),
    }
