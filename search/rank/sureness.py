"""How sure it is that a library answers a question: a logistic regression over the evidence for the first hits.

Its weights lie in `data/sureness.toml`, one table for libraries with sentence vectors and one for those without; `python -m
bench.search.abstention --write` fits them to questions that books answer and to others that none does.
"""

import math
from pathlib import Path

from search.rank.evidence import Evidence
from search.rank.logistic import weights

FILE = Path(__file__).parents[1] / "data" / "sureness.toml"
RULES = 340
"""Rules in the smallest library that the weights are fitted to."""
LEAST = 0.35
"""Probability below which nothing is shown."""


def sureness(evidence: Evidence, rules: int) -> float:
    """The probability that a library of so many rules answers a question, by the evidence for the first hits."""
    return weights(FILE, encoded=evidence.encoded).probability(facts(evidence, rules))


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
