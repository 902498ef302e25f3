"""How alike two texts are by the rare words and word pairs that they share, and which texts are worth comparing at all."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log

from corpus.store.threads.rule import StoredRule

Shingle = str | tuple[str, str]
_KEYS = 16
"""Shingles of a rule that candidates are looked up by: its rarest ones."""
_COMMON = 60
"""Rules that may share a shingle which is looked up: one that more of them have tells nothing."""
_CANDIDATES = 12
"""Candidates that are compared for one rule."""


class Shingles:
    """The words and word pairs of some rules, weighted by their rarity among all of them."""

    def __init__(self, rules: Iterable[StoredRule]) -> None:
        self._counts = {id(rule): Counter(_shingles(rule.words)) for rule in rules}
        counted = Counter(shingle for counts in self._counts.values() for shingle in counts)
        every = max(len(self._counts), 1)
        self._weights: Mapping[Shingle, float] = {shingle: log(1 + every / count) for shingle, count in counted.items()}
        self._found: Mapping[Shingle, int] = counted
        self._totals = {rule: self._total(counts) for rule, counts in self._counts.items()}

    def alike(self, rule: StoredRule, other: StoredRule) -> float:
        """The weight of what two rules share in that of both, from 0 to 1 (Dice); what is wholly contained keeps most of it."""
        mine, theirs = self._counts[id(rule)], self._counts[id(other)]
        if len(theirs) < len(mine):
            mine, theirs = theirs, mine
        shared = sum(self._weights[shingle] * min(count, theirs[shingle]) for shingle, count in mine.items() if shingle in theirs)
        totals = self._totals[id(rule)], self._totals[id(other)]
        if not shared:
            return 0.0
        return max(2 * shared / sum(totals), _CONTAINED * shared / min(totals) if len(mine) >= _TOLD else 0.0)

    def candidates(self, rules: Iterable[StoredRule], others: Sequence[StoredRule]) -> Iterator[tuple[StoredRule, StoredRule]]:
        """For each rule the others that share the most of its rarest shingles: linear, since common shingles are passed over."""
        index: dict[Shingle, list[int]] = {}
        for place, other in enumerate(others):
            for shingle in self._counts[id(other)]:
                if self._found[shingle] <= _COMMON:
                    index.setdefault(shingle, []).append(place)
        for rule in rules:
            votes: Counter[int] = Counter()
            for shingle in self._rarest(rule):
                votes.update(dict.fromkeys(index.get(shingle, ()), 1))
            yield from ((rule, others[place]) for place, _ in votes.most_common(_CANDIDATES))

    def _rarest(self, rule: StoredRule) -> list[Shingle]:
        known = sorted(self._counts[id(rule)], key=lambda shingle: (self._found[shingle], str(shingle)))
        return known[:_KEYS]

    def _total(self, counts: Mapping[Shingle, int]) -> float:
        return sum(self._weights[shingle] * count for shingle, count in counts.items())


_CONTAINED = 0.85
"""What it counts that one text is wholly contained in the other."""
_TOLD = 12
"""Different shingles from which on a contained text is no accident."""


def _shingles(words: Sequence[str]) -> Iterator[Shingle]:
    yield from words
    yield from pairwise(words)
