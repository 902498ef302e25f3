"""How often somebody may ask: a leaky bucket for each (the generic cell rate algorithm), with one number kept of everybody."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from api.http.gate.settings import Rate

MOST = 100_000
"""Callers that are remembered; the one that asked least recently is forgotten."""


class Verdict(NamedTuple):
    """Whether somebody may ask now, how often still, and in how many seconds all is as at first or, if not, once more."""

    allowed: bool
    left: int
    seconds: int


class Bucket:
    """A rate, kept of everybody who asks. A server with several processes gives each its share."""

    def __init__(self, rate: Rate, share: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.most = max(1, rate.most // share)
        self._gap = rate.seconds / self.most
        self._clock = clock
        self._next: OrderedDict[str, float] = OrderedDict()  # caller → when the bucket is empty again

    def ask(self, caller: str) -> Verdict:
        """Counts a request, unless it is refused."""
        now = self._clock()
        empty = max(self._next.pop(caller, now), now)
        full = empty + self._gap - now > self.rate.seconds + 1e-9
        if not full:
            empty += self._gap
        self._next[caller] = empty
        if len(self._next) > MOST:
            self._next.popitem(last=False)
        if full:
            return Verdict(False, 0, math.ceil(empty + self._gap - now - self.rate.seconds))
        return Verdict(True, int((self.rate.seconds - (empty - now)) / self._gap + 1e-9), math.ceil(empty - now))
