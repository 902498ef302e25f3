"""SPARQL queries of a bundle: over the current editions, or over all."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from corpus.errors import BusyError, InputError
from corpus.store.books import Books
from corpus.store.home.checksums import STORE_FOLDER
from corpus.store.sparql.complete import CompleteStoreError, complete_store
from corpus.store.sparql.process import Pool
from corpus.store.sparql.question import SPARQL_LIMITS, SparqlAnswer, SparqlQuestion

ALL = "all"
EDITIONS = ("current", ALL)
"""The editions that a query covers."""
_RETRY_SECONDS = 600
"""Number of seconds after a failure before the store with all editions is written again."""
_CHECKING_SECONDS = 1
"""Number of seconds for which a query waits until another one has checked the store with all editions."""


class QueryService:
    """The processes that answer queries of one bundle. Thread-safe."""

    def __init__(self, bundle: Path, books: Books) -> None:
        self._bundle = bundle
        self._books = books
        self._current = Pool(bundle / STORE_FOLDER)
        self._complete: Pool | None = None
        self._last_failure: tuple[float, CompleteStoreError] | None = None
        self._lock = threading.Lock()

    def ask(self, question: SparqlQuestion, seconds: float, write: Callable[[bytes], object], editions: str) -> SparqlAnswer:
        """See `Pool.ask`. The first query over all editions of a bundle takes longer: it writes the store with all editions.

        Raises InputError if `editions` is not in EDITIONS, DamagedError if a file of the bundle's store has changed, BusyError if
        the store with all editions is being written, EnvironmentFault if it cannot be written.
        """
        if editions not in EDITIONS:
            raise InputError(
                "there are no editions {given!r}; expected {expected}", given=editions[:40], expected=" or ".join(EDITIONS)
            )
        self._books.store.verify()
        pool = self._complete_pool() if editions == ALL else self._current
        return pool.ask(question, seconds, write)

    def close(self) -> None:
        """Ends the idle processes; busy ones end with their answer."""
        self._current.close()
        if self._complete:
            self._complete.close()

    def _complete_pool(self) -> Pool:
        """The processes for the store with all editions. Requests do not queue for it: others need the threads."""
        if not self._lock.acquire(timeout=_CHECKING_SECONDS):
            raise BusyError("a store with all editions is being written; retry in {seconds:g} s", seconds=SPARQL_LIMITS.wait)
        try:
            self._complete = self._complete or Pool(self._complete_store())
            return self._complete
        finally:
            self._lock.release()

    def _complete_store(self) -> Path:
        """The folder of the store with all editions; for some time after a failure to write it, the same error."""
        if self._last_failure and time.monotonic() < self._last_failure[0]:
            raise self._last_failure[1].copied_as(CompleteStoreError)
        try:
            return complete_store(self._bundle, self._books)
        except CompleteStoreError as fault:
            self._last_failure = time.monotonic() + _RETRY_SECONDS, fault
            raise
