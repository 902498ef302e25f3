"""The current bundle of a home folder: opened for reading, and replaced when any process swaps in a new one."""

import math
import os
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.errors import DamagedError, OtherVersionError, RulestoneError
from corpus.memory import frozen_grown, scan_everything, survivors_frozen
from corpus.messages import message
from corpus.store.home import Home, checksums

if TYPE_CHECKING:
    from corpus.store.sparql.querying import QueryService
    from ontology.knowledge import Knowledge
    from ontology.suggestions import Suggester
    from rulestone.packs import Packs
    from search.index.engine import OpenEngine
    from search.searcher import Searcher

POLL_SECONDS = 0.25
"""Interval in seconds between two checks of the home folder, and so the maximum use of a replaced bundle."""
_RELEASE_SECONDS = (30.0, 16 * 60.0)
"""Numbers of seconds after which most and all questions about a replaced bundle have been answered: exports may take 15 minutes."""
_COUNTING_SECONDS = 60.0
"""Interval in seconds between two counts of the frozen objects: a count takes 0.05 s, in which no other thread runs."""


class OpenBundle:
    """An open bundle. It stays on disk until the last reference to this object is gone."""

    def __init__(self, home: Home) -> None:
        """Raises NotFoundError if there is no bundle, EnvironmentFault if it cannot be read."""
        from corpus.store.documents import FILE_NAME, Documents
        from corpus.store.engine import Store
        from corpus.store.home.manifest import read_manifest
        from ontology.knowledge import Knowledge

        bundle = home.hold_current()
        try:
            self.path = bundle.path
            manifest = read_manifest(bundle.path)  # another version may have other files
            checksums.check_opening(bundle.path)
            check = partial(checksums.check_store, bundle.path)
            store = Store(bundle.path / checksums.STORE_FOLDER, read_only=True, check=check)
            self.knowledge = Knowledge(store, manifest, Documents(bundle.path / FILE_NAME))
        except BaseException as fault:
            bundle.close()
            if isinstance(fault, OtherVersionError):
                checksums.check_manifest(bundle.path)  # a damaged number is no other version
            if isinstance(fault, DamagedError) and (whole := home.other_whole_bundles(bundle.path)):
                raise _damaged_error(fault, whole) from fault
            raise
        self._lock = threading.Lock()
        weakref.finalize(self, bundle.close)

    @cached_property
    def seal(self) -> str:
        """A hash of the bundle's content."""
        return checksums.seal_hash(self.path)

    def as_of_date(self, as_of: str | None) -> "Knowledge":
        """The knowledge base as of today, or of a day, month, year or edition. Raises InputError, NotFoundError."""
        if as_of is None:
            return self.knowledge
        from corpus.editions.moment import as_of_day

        return as_of_day(self.knowledge, as_of)

    def searcher_as_of(self, as_of: str | None) -> "Searcher":
        """The searcher as of a date. Raises what `as_of_date` and `searcher` raise."""
        return self.searcher if as_of is None else self.searcher.as_of(self.as_of_date(as_of))

    def warm_up(self) -> None:
        """Runs a first search, which loads the data that every search needs, and checks the files of the store."""
        from rulestone.search_bodies import search_body
        from search.searcher import Request

        search_body(self.searcher, Request("?"))
        self.knowledge.store.verify()

    @cached_property
    def offline_packs(self) -> "Packs":
        """The packs of this bundle for use offline."""
        from rulestone.packs import Packs

        return Packs(self.searcher)

    @cached_property
    def suggester(self) -> "Suggester":
        """Completions while a user types."""
        from ontology.suggestions import Suggester

        return Suggester(self.knowledge, self.knowledge.cards)

    @property
    def searcher(self) -> "Searcher":
        """The searcher of this bundle, opened at the first use. Raises EnvironmentFault without an index of this version."""
        with self._lock:
            return self._searcher

    @property
    def querying(self) -> "QueryService":
        """The processes that answer SPARQL queries of this bundle. They end with the bundle."""
        with self._lock:
            return self._querying

    @cached_property
    def _querying(self) -> "QueryService":
        from corpus.store.sparql.querying import QueryService

        querying = QueryService(self.path, self.knowledge)
        weakref.finalize(self, querying.close)
        return querying

    @cached_property
    def _searcher(self) -> "Searcher":
        from search.index.index import FOLDER
        from search.rulings.index import FOLDER as RULINGS
        from search.searcher import Searcher

        for folder in (FOLDER, RULINGS):
            checksums.check_folder(self.path, folder)
        return Searcher(self.path, self.knowledge, open_engine=_open_engine(self.path))


def _damaged_error(damage: DamagedError, whole: Sequence[str]) -> DamagedError:
    names = ", ".join(whole)
    text = message("{problem}; whole bundles: {names}").text
    return DamagedError(text, problem=damage.message, names=names, command=damage.command)


def _open_engine(bundle: Path) -> "OpenEngine":
    """The engine that holds terms and vectors: the bundle's own arrays, or the Milvus server that RULESTONE_INDEX names."""
    if os.environ.get("RULESTONE_INDEX"):
        from search.index.milvus.collections import Collections
        from search.index.milvus.engine import MilvusEngine

        return partial(MilvusEngine, Collections.from_environment(), checksums.seal_hash(bundle))
    from search.index.engine import MappedEngine

    return MappedEngine


class CurrentBundle:
    """Provides the current bundle of a home. It opens a new one before it closes the old one. Thread-safe."""

    def __init__(self, home: Home, poll_seconds: float = POLL_SECONDS) -> None:
        self._home = home
        self._poll_seconds = poll_seconds
        self._checked_at = float("-inf")
        self._is_watched = False
        self._open: OpenBundle | None = None
        self._lock = threading.Lock()

    def current_bundle(self) -> OpenBundle:
        """The current bundle; hold it for only one question. Raises NotFoundError if there is none."""
        bundle, now = self._open, time.monotonic()
        if bundle is not None and (self._is_watched or now - self._checked_at < self._poll_seconds):
            return bundle
        return self._check_for_bundle()

    def expire(self) -> None:
        """Makes the next question check for a new bundle."""
        self._checked_at = float("-inf")

    def close(self) -> None:
        """Releases the bundle."""
        self._open = None

    @contextmanager
    def watch_for_bundles(self) -> Iterator[None]:
        """Opens new bundles, search included, in a background thread while the old one answers questions."""
        stop = threading.Event()
        watcher = threading.Thread(target=self._poll, args=(stop,), name="bundles", daemon=True)
        self._is_watched = True
        with survivors_frozen():
            watcher.start()
            try:
                yield
            finally:
                self._is_watched = False
                stop.set()
                watcher.join()

    def _poll(self, stop_event: threading.Event) -> None:
        with suppress(RulestoneError):  # the next question raises it again
            self._check_for_bundle().warm_up()
        frozen, count = scan_everything(), time.monotonic() + _COUNTING_SECONDS
        releases: list[float] = []
        while not stop_event.wait(self._poll_seconds):
            before = self._open
            with suppress(RulestoneError):
                self._check_for_bundle(warm_up=True)
            is_replaced = self._open is not before
            del before
            now = time.monotonic()
            if is_replaced:
                releases = [now + seconds for seconds in _RELEASE_SECONDS]
            if is_replaced or now > min(releases, default=math.inf) or (now > count and frozen_grown(frozen)):
                frozen = scan_everything()  # the previous bundle is garbage, once the last question has released it
            releases = [release for release in releases if release >= now]
            if now > count:
                count = now + _COUNTING_SECONDS

    def _check_for_bundle(self, *, warm_up: bool = False) -> OpenBundle:
        with self._lock:
            try:
                current = self._home.current_folder()
            except DamagedError:
                if self._open is None:
                    raise
                current = self._open.path  # it is whole and stays open until the pointer names a bundle again
            if current is None:
                self._open = None  # a removed bundle answers no more questions
            if self._open is None or current != self._open.path:
                self._open = self._open_next(warm_up=warm_up)
            self._checked_at = time.monotonic()
            return self._open

    def _open_next(self, *, warm_up: bool) -> OpenBundle:
        """Opens the current bundle while the previous one still answers. After an error there is none."""
        try:
            bundle = OpenBundle(self._home)
            if warm_up:
                bundle.warm_up()
        except BaseException:
            self._open = None
            raise
        return bundle
