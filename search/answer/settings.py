"""Every weight and limit of answering in one table (docs/answers.md says how they were chosen)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """How clauses are chosen."""

    rules: int = 6
    """So many of the first hits are read for clauses."""
    encoded: int = 16
    """So many clauses, the best by all else, are compared by the encoder, which takes 20 ms for each."""
    rule: float = 1.5
    """What the score of its rule counts for a clause, as a share of the best: search tells rules better than clauses can."""
    words: float = 0.3
    """What the share of the question counts that a clause has, weighed by rarity."""
    static: float = 0.3
    """What the cosine of static vectors counts."""
    meant: float = 1.5
    """What the cosine of sentence vectors counts, of what is above `meant_floor`."""
    meant_floor: float = 0.3
    """The cosine of what has nothing to do with a question."""
    lead: float = 0.1
    """What the first clause of a rule gains: it mostly says what the others go into."""
    second: float = 0.4
    """What each further clause of one rule loses: another rule says something else."""
    claims: int = 5
    """Claims of one answer, exceptions to them apart."""
    of_rule: int = 2
    """Claims of one rule, exceptions apart."""
    exceptions: int = 2
    """Exceptions that are told beside what they are taken from."""
    share: float = 0.8
    """Of the best clause's weight, what the last one must have."""
    leaning: float = 0.3
    """How much less the next clause may weigh that leans on a chosen one, to be told with it."""
    following: float = 0.05
    """How much less any other next clause may weigh."""
    longest: int = 600
    """Characters of a claim: what would be longer is told without what it leans on."""
    alike: float = 0.8
    """Share of common terms (Jaccard) from which on two clauses say the same."""
    least: float = 0.5
    """Probability that the library answers a question below which nothing is asserted; search shows rules from 0.35 on."""


DEFAULT = Settings()
