"""The current bundle of a home, whoever writes the next one: what is answered is never older than a quarter of a second."""

import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.errors import RulestoneError
from corpus.store.home import Home, checksums

if TYPE_CHECKING:
    from corpus.store.archive import Archive
    from corpus.store.sparql.querying import Querying
    from ontology.cards import Cards
    from ontology.concepts import ConceptFiles
    from ontology.knowledge import Knowledge
    from ontology.suggestions import Suggester
    from rulestone.packs.pack import Packs
    from search.index.engine import Opening
    from search.searcher import Searcher

EVERY = 0.25
"""Seconds between two looks at the home folder; a new bundle is answered from at most this long after its swap."""


class OpenBundle:
    """An open bundle. It stays on disk, and closes by itself when the last question that uses it lets it go."""

    def __init__(self, home: Home) -> None:
        """Raises NotFoundError where there is no bundle, EnvironmentFault where it cannot be read."""
        from corpus.store.engine import Store
        from corpus.store.home.manifest import read_manifest
        from ontology.knowledge import Knowledge

        held = home.hold()
        try:
            self.path = held.path
            manifest = read_manifest(held.path)  # that of another version has other files beside it
            checksums.check_opening(held.path)
            store = Store(held.path / checksums.STORE, read_only=True)
            self.knowledge = Knowledge(store, manifest, _archive(held.path), partial(_concepts, held.path))
        except BaseException:
            held.close()
            raise
        self._lock = threading.Lock()
        weakref.finalize(self, held.close)

    @cached_property
    def cards(self) -> "Cards | None":
        """The cards; None where none were added."""
        from ontology.cards import Cards

        checksums.check_folder(self.path, "cards")
        return Cards.of(self.path / "cards")

    @cached_property
    def seal(self) -> str:
        """What tells the content of the bundle from that of every other."""
        return checksums.sealed_with(self.path)

    def at(self, as_of: str | None) -> "Knowledge":
        """What is known today, or was at a day, month, year or edition. Raises InputError or NotFoundError for what is none."""
        if as_of is None:
            return self.knowledge
        from corpus.editions.moment import at

        return at(self.knowledge, as_of)

    def searching(self, as_of: str | None) -> "Searcher":
        """Search in what there was then. Raises what `at` and `searcher` raise."""
        return self.searcher if as_of is None else self.searcher.at(self.at(as_of))

    def warm(self) -> None:
        """Loads what every search needs, by a first one."""
        from search.searcher import Request

        self.searcher.search(Request("?"))

    @cached_property
    def packs(self) -> "Packs":
        """What browsers keep of this bundle."""
        from rulestone.packs.pack import Packs

        return Packs(self.searcher)

    @cached_property
    def suggester(self) -> "Suggester":
        """What may be meant, in this bundle."""
        from ontology.suggestions import Suggester

        return Suggester(self.knowledge, self.cards)

    @property
    def searcher(self) -> "Searcher":
        """Search in this bundle, opened by the first who searches. Raises EnvironmentFault without an index of this version."""
        with self._lock:
            return self._searcher

    @property
    def querying(self) -> "Querying":
        """Processes that answer SPARQL queries of this bundle; they are ended with it."""
        with self._lock:
            return self._querying

    @cached_property
    def _querying(self) -> "Querying":
        from corpus.store.archive import Archive
        from corpus.store.sparql.querying import Querying

        querying = Querying(self.path, Archive.of(self.path))
        weakref.finalize(self, querying.close)
        return querying

    @cached_property
    def _searcher(self) -> "Searcher":
        from search.index.index import FOLDER
        from search.rulings.index import FOLDER as RULINGS
        from search.searcher import CARDS, Searcher

        for folder in (FOLDER, RULINGS, CARDS):
            checksums.check_folder(self.path, folder)
        return Searcher(self.path, self.knowledge, opening=_opening(self.path))


def _opening(bundle: Path) -> "Opening":
    """Who holds terms and vectors of a bundle: its arrays, or the Milvus that RULESTONE_INDEX names, if that has the same."""
    if os.environ.get("RULESTONE_INDEX"):
        from search.index.milvus.collections import Collections
        from search.index.milvus.engine import opening

        return opening(Collections.named(), checksums.sealed_with(bundle))
    from search.index.mapped import Mapped

    return Mapped


def _archive(bundle: Path) -> "Archive":
    """The superseded editions of a bundle."""
    from corpus.store.archive import FOLDER, Archive

    checksums.check_folder(bundle, FOLDER)
    return Archive.of(bundle)


def _concepts(bundle: Path) -> "ConceptFiles":
    """What the bundle has of concepts for look-ups."""
    from ontology.concepts import FOLDER, ConceptFiles

    checksums.check_folder(bundle, FOLDER)
    return ConceptFiles(bundle / FOLDER)


class Live:
    """Hands out the current bundle of a home; opens the new one before it lets the old one go. Thread-safe."""

    def __init__(self, home: Home, every: float = EVERY) -> None:
        self._home = home
        self._every = every
        self._looked = float("-inf")
        self._watched = False
        self._opened: OpenBundle | None = None
        self._lock = threading.Lock()

    def bundle(self) -> OpenBundle:
        """The current bundle; keep it only as long as one question. Raises NotFoundError if there is none."""
        opened, now = self._opened, time.monotonic()
        if opened is not None and (self._watched or now - self._looked < self._every):
            return opened
        return self._look()

    def look_again(self) -> None:
        """Has the next question look for a new bundle."""
        self._looked = float("-inf")

    def close(self) -> None:
        """Lets the bundle go."""
        self._opened = None

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Opens new bundles in a thread, search included, while questions are answered from the one before."""
        stop = threading.Event()
        watcher = threading.Thread(target=self._keep_looking, args=(stop,), name="bundles", daemon=True)
        self._watched = True
        watcher.start()
        try:
            yield
        finally:
            self._watched = False
            stop.set()
            watcher.join()

    def _keep_looking(self, stop: threading.Event) -> None:
        with suppress(RulestoneError):  # the next question is told
            self._look().warm()
        while not stop.wait(self._every):
            with suppress(RulestoneError):
                self._look(warm=True)

    def _look(self, *, warm: bool = False) -> OpenBundle:
        with self._lock:
            current = self._home.current()
            if current is None:
                self._opened = None  # a bundle that is gone is not answered from
            if self._opened is None or current != self._opened.path:
                self._opened = self._next(warm=warm)
            self._looked = time.monotonic()
            return self._opened

    def _next(self, *, warm: bool) -> OpenBundle:
        """The current bundle, opened while the one before is still answered from; a fault leaves none."""
        try:
            opened = OpenBundle(self._home)
            if warm:
                opened.warm()
        except BaseException:
            self._opened = None
            raise
        return opened
