"""SPARQL queries of a bundle: on its store, or on a complete store if a query may touch superseded editions."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.errors import BusyError
from corpus.store.books import Books
from corpus.store.home.checksums import STORE
from corpus.store.sparql.pool import Pool
from corpus.store.sparql.question import LIMITS, Answer, Question
from corpus.store.sparql.reach import reaches

if TYPE_CHECKING:
    from corpus.store.sparql.everything import WholeStore


_LOG = logging.getLogger(__name__)
_WAITING = 4
"""Maximum number of queries that wait for the complete store; further ones get BusyError."""


class Querying:
    """The processes that answer queries of one bundle. Thread-safe."""

    def __init__(self, bundle: Path, books: Books) -> None:
        self._bundle = bundle
        self._books = books
        self._stored = Pool(bundle / STORE)
        self._whole: tuple[WholeStore, Pool] | None = None
        self._lock = threading.Lock()
        self._waiting = threading.BoundedSemaphore(_WAITING)

    def ask(self, question: Question, seconds: float, write: Callable[[bytes], object]) -> Answer:
        """See `Pool.ask`. The first query that may touch superseded editions waits until the complete store is written."""
        reaches_all = self._reaches(question)
        if reaches_all is None and not self._whole:
            self._stored.ask(question, seconds, lambda _: None)  # raises the error of a malformed query at once
        pool = self._stored if reaches_all is False else self._of_everything()
        return pool.ask(question, seconds, write)

    def confined(self) -> str:
        """See `Pool.confined`."""
        return self._stored.confined()

    def close(self) -> None:
        """Ends the idle processes; busy ones end with their answer."""
        self._stored.close()
        with self._lock:
            if self._whole:
                store, pool = self._whole
                pool.close()
                store.close()

    def _reaches(self, question: Question) -> bool | None:
        if not self._books.unstored:
            return False
        given = {*question.default_graphs, *question.named_graphs}
        if given and given.isdisjoint(self._books.unstored_graphs()):
            return False
        return reaches(question.query)

    def _of_everything(self) -> Pool:
        """The pool of the complete store. Few requests may wait for it, because other requests need the threads."""
        if self._whole:
            return self._whole[1]
        if not self._waiting.acquire(blocking=False):
            raise BusyError("a store with superseded editions is being written; ask again in {seconds:g} s", seconds=LIMITS.wait)
        try:
            with self._lock:
                self._whole = self._whole or self._written()
            return self._whole[1]
        finally:
            self._waiting.release()

    def _written(self) -> "tuple[WholeStore, Pool]":
        from corpus.store.sparql.everything import WholeStore

        begun = time.monotonic()
        _LOG.warning("a query may ask for superseded editions: writing a store with everything into the folder for temporary files")
        store = WholeStore(self._bundle)
        _LOG.warning("%s is there: %d MB, written in %.0f s", store.path, store.size() >> 20, time.monotonic() - begun)
        return store, Pool(store.path)
