"""From editions to a new bundle that replaces the old one."""

import gc
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from corpus.address import EditionKey
from corpus.digest import digests
from corpus.text import fold
from ingest.extract.graph import proposals
from ingest.merge import Edition, merge
from ingest.quads import nquads
from ontology import shipped
from ontology.answers import standing
from ontology.checks import quotations
from ontology.store import checksums
from ontology.store.alignments import alignments
from ontology.store.checksums import STORE
from ontology.store.claims import claims_in
from ontology.store.curated import curated
from ontology.store.currency import divisions
from ontology.store.engine import OxigraphStore
from ontology.store.home import Draft, Home
from ontology.store.knowledge import Knowledge
from ontology.store.manifest import AddedFile, EditionEntry, Manifest
from rulestone.writing.admission import said
from rulestone.writing.alignments import with_counterparts
from rulestone.writing.cards import put_cards
from rulestone.writing.concepts import write_concepts
from rulestone.writing.copies import copy_store
from rulestone.writing.curating import with_curated
from rulestone.writing.journal import commit
from rulestone.writing.shelving import Shelving
from rulestone.writing.sources import Parsed
from rulestone.writing.threads import write_threads
from rulestone.writing.vectors import cache
from search.encode.choice import STATIC, chosen
from search.encode.encoder import Encoder
from search.index import index, vectors
from search.rulings import index as rulings_index

Progress = Callable[[int, int, str], None]
"""Told after each step: steps done, steps in all, what was done."""


def silent(_done: int, _total: int, _what: str) -> None:
    """No progress."""


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without looking for cycles of garbage, a sixth of the time: millions of records and terms live, hardly any in a cycle."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Writer:
    """Fills a draft and swaps it in. What is not affected is taken over from the bundle before, if there is one."""

    def __init__(self, home: Home, draft: Draft, manifest: Manifest, progress: Progress, shelving: Shelving | None = None) -> None:
        self.home = home
        self.draft = draft
        self.manifest = manifest
        self.progress = progress
        self.shelving = shelving
        self.incremental = draft.base is not None and bool(manifest.editions)
        self.sheets = alignments(home)
        self.curated = curated(home)

    def write(
        self, fresh: Iterable[Parsed], files: Sequence[Parsed], affected: Collection[EditionKey], *, trained: bool = False
    ) -> None:
        """Writes the affected editions (and, into an empty home, the digest's) from all their files, and commits.

        `trained`: the model of the index learns from the books in two languages, which takes most of a minute for a large one.
        """
        for parsed in fresh:
            self.home.keep(parsed.data, parsed.document.name)
            self.manifest.added.append(_added(parsed))
        if self.shelving:
            self.shelving.keep()
        keys = set(affected) if self.incremental else {*affected, *(digest.key for digest in digests())}
        with _uncollected():
            self._write_store(sorted(keys, key=str), files)
            self.manifest.write(self.draft.path)
            self.progress(len(keys), len(keys), "indexing")
            self._write_index(trained=trained)
            write_rulings_index(self.home, self.draft)
        put_cards(self.home, self.draft, self.manifest, anew=not self.incremental)
        commit(self.draft, self.manifest, anew=not self.incremental)

    def _write_store(self, keys: Sequence[EditionKey], files: Sequence[Parsed]) -> None:
        store = self._store()
        for step, key in enumerate(keys):
            self.progress(step, len(keys), f"building {key}")
            self._write_edition(store, merge(key, [one for file in files for one in file.readings if one.key == key]))
        store.flush()
        self.progress(len(keys), len(keys), "comparing the editions")
        write_threads(store, self.manifest, self.sheets)
        self.progress(len(keys), len(keys), "checking the claims")
        self._write_shipped(store)
        store.drop([quotations.GRAPH])
        verified = quotations.nquads(store)
        store.load(verified)
        if self.shelving:
            self.shelving.put(store)
        store.flush()
        write_concepts(self.draft.base if self.incremental else None, self.draft.path, store, self.manifest, verified)
        store.close()

    def _write_shipped(self, store: OxigraphStore) -> None:
        """What ships, each claim with the status that it has among the loaded editions."""
        graphs = with_curated(with_counterparts(shipped.graphs(), self.sheets, self.manifest), self.curated)
        self._restate(store, graphs)
        knowledge = Knowledge(store, self.manifest)
        statuses = standing.standings(knowledge, standing.as_shipped(claims_in(store), self.manifest.statuses))
        if statuses != self.manifest.statuses:
            self.manifest.statuses = statuses
            self._restate(store, graphs)

    def _restate(self, store: OxigraphStore, graphs: Mapping[str, bytes]) -> None:
        self.manifest.shipped = _replace_graphs(store, standing.restated(graphs, self.manifest.statuses), self.manifest.shipped)
        store.flush()

    def _write_edition(self, store: OxigraphStore, edition: Edition) -> None:
        old = self.manifest.editions.pop(edition.key, None)
        proposed = {} if self.incremental else proposals(edition)
        graphs = _replace_graphs(store, nquads(edition) | proposed, old.graphs if old else {})
        if edition.rules:
            self.manifest.editions[edition.key] = _entry(edition, graphs)

    def _store(self) -> OxigraphStore:
        """The draft's store: a copy of the one before, or an empty one."""
        if self.incremental and self.draft.base is not None:
            copy_store(self.draft.base, self.draft.path)
        return OxigraphStore(self.draft.path / STORE)

    def _write_index(self, *, trained: bool) -> None:
        knowledge = Knowledge.open(self.draft.path)
        before = self._index_before()
        index.write(
            self.draft.path / index.FOLDER, knowledge, self._encoder(knowledge, before, trained=trained), before, cache(self.home)
        )

    def _index_before(self) -> Path | None:
        """The search index of the bundle before, unless it is damaged."""
        base = self.draft.base
        return base / index.FOLDER if base and checksums.is_whole(base, index.FOLDER) else None

    def _encoder(self, knowledge: Knowledge, before: Path | None, *, trained: bool) -> Encoder:
        """The encoder of the index: trained on where a book is loaded in two languages, else as the bundle before has it."""
        own = self.draft.path / index.FOLDER / vectors.MODEL
        learned = before / vectors.MODEL if before else None
        if trained and chosen() in (None, STATIC):
            vectors.train(own, knowledge)
        elif not trained and learned is not None and learned.is_dir():
            shutil.copytree(learned, own)
        return vectors.of_bundle(own.parent)


def write_rulings_index(home: Home, draft: Draft) -> None:
    """Writes the index of the rulings of a draft, in which the index of the rules is written."""
    knowledge = Knowledge.open(draft.path)
    before = draft.base / rulings_index.FOLDER if draft.base else None
    rulings_index.write(draft.path, knowledge, vectors.of_bundle(draft.path / index.FOLDER), before, cache(home))


def _replace_graphs(store: OxigraphStore, new: Mapping[str, bytes], before: Mapping[str, str]) -> dict[str, str]:
    """Writes the graphs whose digest is another than before; returns every graph's digest."""
    after = {graph: sha256(lines).hexdigest() for graph, lines in new.items()}
    store.drop(graph for graph, digest in before.items() if after.get(graph) != digest)
    for graph, lines in new.items():
        if before.get(graph) != after[graph]:
            store.load(lines)
    return after


def _added(parsed: Parsed) -> AddedFile:
    readings = tuple({**asdict(reading.key), "lang": reading.lang} for reading in parsed.readings)
    why = tuple(map(str, parsed.readings[0].why)) if parsed.readings else ()
    return AddedFile(parsed.document.sha256, parsed.document.name, said(parsed.hints), readings, why, parsed.without)


def _entry(edition: Edition, graphs: Mapping[str, str]) -> EditionEntry:
    rules = edition.rules.values()
    return EditionEntry(
        game=edition.key.game,
        book=edition.key.book,
        edition=edition.key.edition,
        grammar=edition.grammar,
        rules=len(edition.rules),
        chapters=_outermost(edition, loaded=False),
        covers=_outermost(edition, loaded=True),
        chapter_titles=_titles(edition),
        languages={lang: authority.value for lang, authority in edition.authorities.items()},
        files={lang: tuple(name for name, _ in files) for lang, files in edition.files.items()},
        dangling=sum(cite.target is None for rule in rules for node in rule.texts.values() for cite in node.cites),
        graphs=graphs,
        titles=edition.titles,
    )


def _outermost(edition: Edition, *, loaded: bool) -> tuple[str, ...]:
    """The outermost parts of an edition (or of what is loaded of it), each by the names of what it stands in."""
    rules = {locator: rule for locator, rule in edition.rules.items() if rule.texts or not loaded}
    tops = [locator for locator, rule in rules.items() if rule.parent not in rules]
    return tuple(sorted({" ".join(divisions(top, edition.grammar)) for top in tops}))


def _titles(edition: Edition) -> dict[str, tuple[str, ...]]:
    """Chapter that is named after a file → its titles."""
    tops = [rule for rule in edition.rules.values() if rule.parent is None and rule.kind.is_heading and "/" in rule.locator]
    return {
        rule.locator.partition("/")[0]: tuple(sorted({f"={fold(node.text)}" for node in rule.texts.values()}))
        for rule in reversed(tops)
    }
