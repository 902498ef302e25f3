"""How often somebody may ask: a leaky bucket for each (the generic cell rate algorithm), with one number kept of everybody."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, Protocol

from api.http.gate.settings import Rate
from api.http.gate.shared import Shared

MOST = 100_000
"""Callers that are remembered; the one that asked least recently is forgotten."""


class Verdict(NamedTuple):
    """Whether somebody may ask now, how often still, and in how many seconds all is as at first or, if not, once more."""

    allowed: bool
    left: int
    seconds: int


class Kept(Protocol):
    """What is kept of everybody: when their bucket is empty again."""

    def move(self, caller: str, step: Callable[[float], float]) -> None:
        """Puts in the place of a caller's number what a step makes of it; that of a new one is 0."""
        ...


class Alone:
    """What one process keeps for itself."""

    def __init__(self) -> None:
        self._next: OrderedDict[str, float] = OrderedDict()

    def move(self, caller: str, step: Callable[[float], float]) -> None:
        """See Kept."""
        self._next[caller] = step(self._next.pop(caller, 0.0))
        if len(self._next) > MOST:
            self._next.popitem(last=False)


class Bucket:
    """A rate, kept of everybody who asks."""

    def __init__(self, rate: Rate, kept: Kept | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self._gap = rate.seconds / rate.most
        self._kept = kept or Alone()
        self._clock = clock  # of the machine: all processes have the same

    @classmethod
    def named(cls, rate: Rate, name: str) -> "Bucket":
        """One that the processes of a server keep together, where there are several."""
        return cls(rate, Shared.of(name))

    def ask(self, caller: str) -> Verdict:
        """Counts a request, unless it is refused."""
        now, empty, full = self._clock(), 0.0, False

        def step(before: float) -> float:
            nonlocal empty, full
            empty = max(before, now)
            full = empty + self._gap - now > self.rate.seconds + 1e-9
            empty += 0.0 if full else self._gap
            return empty

        self._kept.move(caller, step)
        if full:
            return Verdict(False, 0, math.ceil(empty + self._gap - now - self.rate.seconds))
        return Verdict(True, int((self.rate.seconds - (empty - now)) / self._gap + 1e-9), math.ceil(empty - now))
