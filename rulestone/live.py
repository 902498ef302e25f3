"""The current bundle of a home, whoever writes the next one: what is answered is never older than a quarter of a second."""

import threading
import time
import weakref
from functools import cached_property
from typing import TYPE_CHECKING

from ontology.store.home import Home

if TYPE_CHECKING:
    from search.searcher import Searcher

EVERY = 0.25
"""Seconds between two looks at the home folder; a new bundle is answered from at most this long after its swap."""


class OpenBundle:
    """An open bundle. It stays on disk, and closes by itself when the last question that uses it lets it go."""

    def __init__(self, home: Home) -> None:
        """Raises NotFoundError where there is no bundle, EnvironmentFault where it cannot be read."""
        from ontology.store.knowledge import Knowledge

        held = home.hold()
        try:
            self.path = held.path
            self.knowledge: Knowledge = Knowledge.open(held.path)
        except BaseException:
            held.close()
            raise
        self._lock = threading.Lock()
        weakref.finalize(self, held.close)

    @property
    def searcher(self) -> "Searcher":
        """Search in this bundle, opened by the first who searches. Raises EnvironmentFault without an index of this version."""
        with self._lock:
            return self._searcher

    @cached_property
    def _searcher(self) -> "Searcher":
        from search.searcher import Searcher

        return Searcher(self.path, self.knowledge)


class Live:
    """Hands out the current bundle of a home; opens the new one before it lets the old one go. Thread-safe."""

    def __init__(self, home: Home, every: float = EVERY) -> None:
        self._home = home
        self._every = every
        self._looked = float("-inf")
        self._opened: OpenBundle | None = None
        self._lock = threading.Lock()

    def bundle(self) -> OpenBundle:
        """The current bundle; keep it only as long as one question. Raises NotFoundError if there is none."""
        opened, now = self._opened, time.monotonic()
        if opened is not None and now - self._looked < self._every:
            return opened
        with self._lock:
            current = self._home.current()
            if self._opened is None or current != self._opened.path:
                self._opened = None  # a bundle that is gone is not answered from
                self._opened = OpenBundle(self._home)
            self._looked = now
            return self._opened

    def look_again(self) -> None:
        """Has the next question look for a new bundle."""
        self._looked = float("-inf")

    def close(self) -> None:
        """Lets the bundle go."""
        self._opened = None
