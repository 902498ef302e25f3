"""The knowledge base of a running server: always the current bundle, without a restart."""

import threading
import time
import weakref
from typing import TYPE_CHECKING

from corpus.errors import EnvironmentFault, NotFoundError
from ontology.store.home import Home
from ontology.store.knowledge import Knowledge

if TYPE_CHECKING:
    from search.searcher import Searcher

EVERY = 0.25
"""Seconds between two looks at the home folder; a new bundle is answered from at most this long after its swap."""


class Opened:
    """An open bundle. It closes by itself when the last request that uses it lets it go."""

    def __init__(self, home: Home) -> None:
        held = home.hold()
        try:
            self.path = held.path
            self.knowledge = Knowledge.open(held.path)
        except BaseException:
            held.close()
            raise
        self._searcher: Searcher | None = None
        self._lock = threading.Lock()
        weakref.finalize(self, held.close)

    @property
    def searcher(self) -> "Searcher":
        """Search in this bundle; opened by the first who searches."""
        with self._lock:
            if self._searcher is None:
                from search.searcher import Searcher

                self._searcher = Searcher(self.path, self.knowledge)
            return self._searcher


class Live:
    """Hands out the current bundle of a home; opens the new one before it lets the old one go."""

    def __init__(self, home: Home, every: float = EVERY) -> None:
        self._home = home
        self._every = every
        self._looked = float("-inf")
        self._opened: Opened | None = None
        self._lock = threading.Lock()

    def bundle(self) -> Opened:
        """The current bundle; keep it only as long as one request. Raises EnvironmentFault if there is none."""
        opened, now = self._opened, time.monotonic()
        if opened is not None and now - self._looked < self._every:
            return opened
        with self._lock:
            current = self._home.current()
            if self._opened is None or current != self._opened.path:
                self._opened = self._open()
            self._looked = now
            return self._opened

    def close(self) -> None:
        """Lets the bundle go."""
        self._opened = None

    def _open(self) -> Opened:
        try:
            return Opened(self._home)
        except NotFoundError as none:
            self._opened = None
            raise EnvironmentFault(str(none)) from none
