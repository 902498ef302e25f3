"""SPARQL queries of a bundle: on its store, or on a complete store with superseded editions if a query may touch those.

A query may touch superseded editions unless every pattern has a term that editions never use.
"""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from corpus.address import RDF_TYPE
from corpus.errors import BusyError, EnvironmentFault, RulestoneError
from corpus.messages import message
from corpus.store.books import Books
from corpus.store.engine import Store
from corpus.store.home.checksums import STORE_FOLDER
from corpus.store.home.disk import os_faults
from corpus.store.sparql.process import Pool
from corpus.store.sparql.question import SPARQL_LIMITS, SparqlAnswer, SparqlQuestion
from corpus.store.statements import CLASSES, PREDICATES
from corpus.store.temporary import TemporaryFolder

_LOG = logging.getLogger(__name__)
_MAX_WAITING = 4
"""Maximum number of queries that wait for the complete store; further ones get BusyError."""


class QueryService:
    """The processes that answer queries of one bundle. Thread-safe."""

    def __init__(self, bundle: Path, books: Books) -> None:
        self._bundle = bundle
        self._books = books
        self._stored = Pool(bundle / STORE_FOLDER)
        self._whole: tuple[CompleteStore, Pool] | None = None
        self._lock = threading.Lock()
        self._waiting = threading.BoundedSemaphore(_MAX_WAITING)

    def ask(self, question: SparqlQuestion, seconds: float, write: Callable[[bytes], object]) -> SparqlAnswer:
        """See `Pool.ask`. The first query that may touch superseded editions waits until the complete store is written.

        Raises DamagedError if a file of the bundle's store has changed.
        """
        self._books.store.verify()
        reaches_all = self._may_reach_derived(question)
        if reaches_all is None and not self._whole:
            self._stored.ask(question, seconds, lambda _: None)  # raises the error of a malformed query at once
        pool = self._stored if reaches_all is False else self._whole_store_pool()
        return pool.ask(question, seconds, write)

    def close(self) -> None:
        """Ends the idle processes; busy ones end with their answer."""
        self._stored.close()
        with self._lock:
            if self._whole:
                store, pool = self._whole
                pool.close()
                store.close()

    def _may_reach_derived(self, question: SparqlQuestion) -> bool | None:
        if not self._books.unstored_editions:
            return False
        graphs = {*question.default_graphs, *question.named_graphs}
        if graphs and graphs.isdisjoint(self._books.unstored_graphs()):
            return False
        return may_reach_derived(question.query)

    def _whole_store_pool(self) -> Pool:
        """The pool of the complete store. Few requests may wait for it, because other requests need the threads."""
        if self._whole:
            return self._whole[1]
        if not self._waiting.acquire(blocking=False):
            raise BusyError("a store with superseded editions is being written; retry in {seconds:g} s", seconds=SPARQL_LIMITS.wait)
        try:
            with self._lock:
                self._whole = self._whole or self._write_store()
            return self._whole[1]
        finally:
            self._waiting.release()

    def _write_store(self) -> "tuple[CompleteStore, Pool]":
        start = time.monotonic()
        _LOG.warning("a query may ask for superseded editions: writing a store with everything into the folder for temporary files")
        store = CompleteStore(self._bundle)
        _LOG.warning("%s is there: %d MB, written in %.0f s", store.path, store.size() >> 20, time.monotonic() - start)
        return store, Pool(store.path)


class CompleteStore:
    """The store of a bundle with the statements about all editions, in a folder that `close` deletes."""

    def __init__(self, bundle: Path) -> None:
        """Takes about 2.5 s of processor time, 25 MB on disk and, while it is written, 100 MB of memory for each edition.

        A separate process writes it, so that other requests are not slowed down. Raises EnvironmentFault if it cannot be written.
        """
        self._folder = TemporaryFolder()
        self.path = self._folder.path / STORE_FOLDER
        try:
            self._write(bundle)
        except BaseException:
            self.close()
            raise

    def size(self) -> int:
        """Bytes on disk."""
        return sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())

    def _write(self, bundle: Path) -> None:
        command = [sys.executable, "-m", __name__, str(bundle), str(self.path)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        made = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if made.returncode:
            why = (made.stderr.strip().splitlines() or [str(made.returncode)])[-1]
            raise EnvironmentFault(
                "a store with superseded editions could not be written to {folder}: {fault}", folder=self.path, fault=why
            )

    def close(self) -> None:
        """Removes it."""
        self._folder.close()


def write(bundle: Path, path: Path) -> None:
    """Writes a complete store of a bundle. Raises EnvironmentFault if the disk fails."""
    with os_faults(message("write {folder}", folder=path)):
        books = Books.open(bundle)
        books.store.copy(path)
        with closing(Store(path)) as store:
            store.load_all(books.unstored_quads())


_Books = TypeVar("_Books", bound=Books)


@contextmanager
def with_complete_store(bundle: Path, knowledge: _Books) -> Iterator[_Books]:
    """The same knowledge base with the complete store."""
    if not knowledge.unstored_editions:
        yield knowledge
        return
    with closing(CompleteStore(bundle)) as whole:
        store = Store(whole.path, read_only=True)
        yield type(knowledge)(store, knowledge.manifest, knowledge.documents)
        store.close()


def may_reach_derived(query: str) -> bool | None:
    """Whether a query may match statements that are derived from records, True in doubt; None if rdflib cannot read the query."""
    algebra = _algebra(query)
    if algebra is None:
        return None
    if algebra.name == "DescribeQuery":
        return True
    return any(_may_match(pattern) for pattern in _patterns(algebra))


def _algebra(query: str) -> Any:  # noqa: ANN401
    """A query as rdflib reads it (SPARQL 1.1, section 18.2); None if it cannot."""
    from rdflib.plugins.sparql.algebra import translateQuery
    from rdflib.plugins.sparql.parser import parseQuery

    try:
        return translateQuery(parseQuery(query), base="").algebra
    except Exception:  # its parser has no common class of errors
        return None


def _may_match(pattern: tuple[Any, ...] | None) -> bool:
    from rdflib import URIRef

    if pattern is None:
        return True
    _, predicate, value = pattern
    if str(predicate) == RDF_TYPE:
        return not isinstance(value, URIRef) or str(value) in CLASSES
    named = list(_named_properties(predicate))
    return None in named or RDF_TYPE in named or not PREDICATES.isdisjoint(named)


def _named_properties(predicate: Any) -> Iterator[str | None]:  # noqa: ANN401
    """The properties in a predicate or path; None if it may be any, or matches a zero-length path."""
    from rdflib import URIRef
    from rdflib.paths import AlternativePath, InvPath, MulPath, SequencePath

    if isinstance(predicate, URIRef):
        yield str(predicate)
    elif isinstance(predicate, InvPath):
        yield from _named_properties(predicate.arg)
    elif isinstance(predicate, SequencePath | AlternativePath):
        for part in predicate.args:
            yield from _named_properties(part)
    elif isinstance(predicate, MulPath) and not predicate.zero:
        yield from _named_properties(predicate.path)
    else:
        yield None


def _patterns(part: Any) -> Iterator[tuple[Any, ...] | None]:  # noqa: ANN401
    """The triple patterns of a query or a part of it, nested ones too; None for a group without any, which matches graphs."""
    if isinstance(part, Mapping):
        for name, inner in part.items():
            yield from _flatten_triples(inner) if name == "triples" else _patterns(inner)
    elif isinstance(part, list | tuple | set) or type(part).__name__ == "ParseResults":
        yield from (pattern for inner in part for pattern in _patterns(inner))


def _flatten_triples(triples: Any) -> Iterator[tuple[Any, ...] | None]:  # noqa: ANN401
    """Triples, single or in lists, as the parser returns them."""
    terms = list(_triple_terms(triples))
    if not terms:
        yield None
    yield from (tuple(terms[start : start + 3]) for start in range(0, len(terms), 3))


def _triple_terms(part: Any) -> Iterator[Any]:  # noqa: ANN401
    if isinstance(part, list | tuple) or type(part).__name__ == "ParseResults":
        yield from (term for inner in part for term in _triple_terms(inner))
    else:
        yield part


def main(bundle: str, path: str) -> None:
    """Writes a complete store; an error is one line on standard error."""
    try:
        write(Path(bundle), Path(path))
    except RulestoneError as fault:
        sys.exit(str(fault))


if __name__ == "__main__":
    main(*sys.argv[1:])
