"""What this very translation usually does: only what it nearly always keeps is missed where it is not."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_OFTEN = 8
"""Times that something must be met in the book for what is usual to be told."""

_PARTICULAR = 20
"""The same of what is particular, where the general tells too."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Something of the source that was looked for in the translation. `keys`: what it is, the most particular first."""

    keys: Sequence[str]
    kept: bool


class Usual:
    """How often each thing is kept in the whole book."""

    def __init__(self, seen: Iterable[Seen]) -> None:
        self._counts: dict[str, list[int]] = {}
        for event in seen:
            for key in event.keys:
                count = self._counts.setdefault(key, [0, 0])
                count[0] += 1
                count[1] += event.kept

    def missed(self, key: str) -> int:
        """How often something is not kept."""
        met, kept = self._counts.get(key, (0, 0))
        return met - kept

    def share(self, keys: Sequence[str]) -> float:
        """How often the most particular of some keys that the book has often enough is kept, from 0 to 1; 0 for what is seldom."""
        for key in keys:
            met, kept = self._counts.get(key, (0, 0))
            if met >= (_OFTEN if key == keys[-1] else _PARTICULAR):
                return kept / met
        return 0.0

    def surprise(self, keys: Sequence[str]) -> float:
        """How surprising it is that something is not kept: the negative logarithm of how often the book does not keep it."""
        met, kept = next((self._counts[key] for key in keys if self._counts.get(key, [0])[0] >= _PARTICULAR), (0, 0))
        return math.log((met + 2) / (met - kept + 1))
