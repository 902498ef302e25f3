"""How often somebody may ask, counted by the library `limits` in the memory of one worker process."""

import math
import time
from typing import NamedTuple

from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from api.http.gate.settings import Rate


class Verdict(NamedTuple):
    """Whether a request is allowed, how many more are, and in how many seconds there will be more."""

    allowed: bool
    left: int
    seconds: int


class Limiter:
    """One rate, counted for each caller over a sliding window."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._limit = RateLimitItemPerSecond(rate.most, rate.seconds)
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def ask(self, caller: str) -> Verdict:
        """Counts a request, unless it is refused."""
        allowed = self._limiter.hit(self._limit, caller)
        reset, left = self._limiter.get_window_stats(self._limit, caller)
        return Verdict(allowed, left, max(0, math.ceil(reset - time.time())))
