"""How a translation writes: which character it puts after which, learned from itself."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_ORDER = 5
"""Characters of the longest run that is counted."""
_NEW = 3
"""Characters of a run that is told as new where no other place of the book has it."""
_PAD = "\n" * (_ORDER - 1)


class Style:
    """A model of the next character from those before it (Witten and Bell, 1991), of one book."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs: Counter[str] = Counter()
        self._after: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._signs = 2
        for text in texts:
            self._count(text, 1)
        self._signs += sum(len(run) == 1 for run in self._runs)

    def _count(self, text: str, times: int) -> None:
        text = f"{_PAD}{text}\n"
        for at in range(len(_PAD), len(text)):
            for before in range(_ORDER):
                run = text[at - before : at + 1]
                known = self._runs[run]
                self._runs[run] = known + times
                self._after[run[:-1]] += times
                if 0 in (known, known + times):
                    self._kinds[run[:-1]] += times

    @contextmanager
    def without(self, text: str) -> Iterator[None]:
        """As if the book did not have a text: what stands there cannot speak for itself."""
        self._count(text, -1)
        try:
            yield
        finally:
            self._count(text, 1)

    def gain(self, text: str, start: int, end: int, instead: str) -> float:
        """How much likelier the book would write other words in a place, as the logarithm of the ratio."""
        changed = text[:start] + instead + text[end:]
        return self._likely(changed, start, start + len(instead)) - self._likely(text, start, end)

    def _likely(self, text: str, start: int, end: int) -> float:
        """The logarithm of how likely a piece is, and what follows so far as the piece tells on it."""
        padded = f"{_PAD}{text}\n"
        last = min(end + _ORDER, len(text) + 1)
        return sum(math.log(self._next(padded[at : at + _ORDER - 1], padded[at + _ORDER - 1])) for at in range(start, last))

    def _next(self, before: str, character: str) -> float:
        likely = 1 / self._signs
        for length in range(_ORDER):
            run = before[len(before) - length :]
            met = self._after.get(run, 0)
            if not met:
                break
            kinds = max(self._kinds.get(run, 0), 1)
            likely = (self._runs.get(run + character, 0) + kinds * likely) / (met + kinds)
        return likely

    def knows(self, text: str, start: int, end: int, instead: str) -> bool:
        """Whether the book has other words elsewhere between the very characters beside a place."""
        return self._runs.get(f"{_PAD}{text}"[len(_PAD) + start - 1 : len(_PAD) + start] + instead + f"{text}\n"[end], 0) > 0

    def is_new(self, text: str, start: int, end: int) -> bool:
        """Whether a piece with its neighbours has a run of characters that the book has nowhere else."""
        first, last = max(start - 1, 0), min(end + 1, len(text))
        return any(not self._runs.get(text[at : at + _NEW], 0) for at in range(first, max(last - _NEW + 1, first + 1)))
