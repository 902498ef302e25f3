"""Asking a bundle in SPARQL: its store, or, where a query may ask for superseded editions, a store that has these too."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ontology.archive.archive import Archive
from ontology.sparql.pool import Pool
from ontology.sparql.question import Answer, Question
from ontology.sparql.reach import reaches
from ontology.store.checksums import STORE

if TYPE_CHECKING:
    from ontology.archive.whole import WholeStore


class Querying:
    """The processes that answer queries of one bundle. Thread-safe."""

    def __init__(self, bundle: Path, archive: Archive) -> None:
        self._bundle = bundle
        self._archive = archive
        self._stored = Pool(bundle / STORE)
        self._whole: tuple[WholeStore, Pool] | None = None
        self._lock = threading.Lock()

    def ask(self, question: Question, seconds: float, write: Callable[[bytes], object]) -> Answer:
        """See `Pool.ask`. The first query that may ask for superseded editions waits until a store with them is written."""
        pool = self._of_everything() if self._reaches(question) else self._stored
        return pool.ask(question, seconds, write)

    def confined(self) -> str:
        """See `Pool.confined`."""
        return self._stored.confined()

    def close(self) -> None:
        """Ends the processes that are idle; those at work end with their answer."""
        self._stored.close()
        with self._lock:
            if self._whole:
                store, pool = self._whole
                pool.close()
                store.close()

    def _reaches(self, question: Question) -> bool:
        if not self._archive:
            return False
        given = {*question.default_graphs, *question.named_graphs}
        if given and given.isdisjoint(self._archive.graphs()):
            return False
        return reaches(question.query, self._archive.predicates(), frozenset(self._archive.classes()))

    def _of_everything(self) -> Pool:
        from ontology.archive.whole import WholeStore

        with self._lock:
            if self._whole is None:
                store = WholeStore(self._bundle, self._archive)
                self._whole = store, Pool(store.path)
            return self._whole[1]
