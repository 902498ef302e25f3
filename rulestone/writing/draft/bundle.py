"""Writes editions into a new bundle that replaces the old one."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from corpus.address import EditionKey
from corpus.chronology import newest_first
from corpus.digest import digests
from corpus.memory import without_gc
from corpus.store import documents
from corpus.store.engine import Store
from corpus.store.home import Draft, Home, checksums
from corpus.store.home.checksums import STORE_FOLDER
from corpus.store.home.manifest import AddedFile, Manifest
from ingest.extract.propose import proposals
from ingest.merge import merge
from ontology.knowledge import Knowledge
from ontology.proposed_counterparts import drop_counterparts
from rulestone.progress import Progress, no_progress
from rulestone.writing.admission import stated_options
from rulestone.writing.cards import put_cards
from rulestone.writing.draft.copies import copy_bundle
from rulestone.writing.draft.counterparts import write_rule_counterparts
from rulestone.writing.draft.editions import EditionsWriter, compact_store
from rulestone.writing.draft.ontology import OntologyWriter
from rulestone.writing.draft.tables import put_tables
from rulestone.writing.draft.threads import write_threads
from rulestone.writing.embeddings.vectors import vector_cache
from rulestone.writing.rulings.grounds import link_rulings
from rulestone.writing.rulings.update import RulingsUpdate
from rulestone.writing.sources import Parsed
from search.encode.choice import configured_encoder
from search.index import editions, index
from search.rulings import index as rulings_index


class BundleWriter:
    """Fills a draft and makes it current. Unaffected data comes from the previous bundle, if there is one."""

    def __init__(
        self, home: Home, draft: Draft, manifest: Manifest, progress: Progress, rulings_update: RulingsUpdate | None = None
    ) -> None:
        self.home = home
        self.draft = draft
        self.manifest = manifest
        self.progress = progress
        self.rulings_update = rulings_update
        self.incremental = draft.base is not None and bool(manifest.editions)

    def write(
        self,
        fresh: Iterable[Parsed],
        files: Sequence[Parsed],
        affected_keys: Collection[EditionKey],
        *,
        linked: bool = False,
        judged: bool = False,
    ) -> None:
        """Writes the affected editions (and, into an empty home, the digest's) from all their files, and commits.

        `linked`: links rulings with the rules that they cite; without it, links remain as they are. `judged`: writes the
        counterparts of rules again although no edition is affected.
        """
        for file in fresh:
            self.home.store_source(file.data, file.document.name)
            self.manifest.added.append(_added_file(file))
        if self.rulings_update:
            self.rulings_update.store_files()
        keys = set(affected_keys) if self.incremental else {*affected_keys, *(digest.key for digest in digests())}
        put_tables(self.home, self.draft, self.manifest)
        with without_gc():
            self._write_store(sorted(keys, key=str), files)
            self.manifest.write(self.draft.path)
            self.progress(len(keys), len(keys), "indexing")
            self._write_index()
            if keys or judged:
                write_rule_counterparts(self.draft.path, self.manifest)
            write_rulings_index(self.home, self.draft)
            if linked:
                link_rulings(self.home, self.draft.path, self.manifest, self.progress)
        self.draft.commit(self.manifest.given())

    def _write_store(self, keys: Sequence[EditionKey], files: Sequence[Parsed]) -> None:
        ontology = OntologyWriter(self.draft.path, self.manifest, incremental=self.incremental)
        with documents.draft_documents(self.draft.path, self.draft.base if self.incremental else None) as records:
            editions = EditionsWriter(self.draft, self.manifest, records, from_scratch=not self.incremental)
            for step, key in enumerate(sorted(keys, key=newest_first)):  # superseded editions are known at this point
                self.progress(step, len(keys), f"building {key}")
                edition = merge(key, [reading for file in files for reading in file.readings if reading.key == key])
                editions.write(edition, proposals(edition))
            store = editions.store()
            ontology.write_graphs(store)
            self.progress(len(keys), len(keys), "comparing the editions")
            write_threads(store, records, self.manifest, ontology.sheets)
            self.progress(len(keys), len(keys), "checking the claims")
            ontology.write_claims(Knowledge(store, self.manifest, records), keys)
            ontology.write_matches(store)
            drop_counterparts(store, {key.game for key in keys})
            if self.rulings_update:
                self.rulings_update.write_rulings(records, store)
            store.flush()
            ontology.write_concepts(records, store)
            if not self.incremental:
                put_cards(self.home, records, self.manifest)
            store.close()
        compact_store(self.draft.path, self.manifest)

    def _write_index(self) -> None:
        knowledge = Knowledge.open(self.draft.path)
        before = _intact_folder(self.draft, index.FOLDER) if _intact_folder(self.draft, editions.FOLDER) else None
        index.write_index(
            self.draft.path / index.FOLDER,
            knowledge,
            configured_encoder(),
            before,
            vector_cache(self.home),
        )


def write_rulings(home: Home, draft: Draft, update: RulingsUpdate, *, linked: bool = False) -> None:
    """Writes rulings alone, `linked` with the rules that they cite, leaves everything else unchanged, and commits."""
    assert draft.base is not None
    update.store_files()
    copy_bundle(draft.base, draft.path, rewritten=[documents.FILE_NAME])
    store = Store(draft.path / STORE_FOLDER)
    with documents.draft_documents(draft.path, draft.base) as records:
        update.write_rulings(records, store)
    store.close()
    update.manifest.write(draft.path)
    write_rulings_index(home, draft)
    if linked:
        link_rulings(home, draft.path, update.manifest, no_progress)
    draft.commit(update.manifest.given())


def write_rulings_index(home: Home, draft: Draft) -> None:
    """Writes the index of the rulings of a draft that already has the index of the rules."""
    knowledge = Knowledge.open(draft.path)
    before = _intact_folder(draft, rulings_index.FOLDER)
    rulings_index.write_ruling_index(draft.path, knowledge, configured_encoder(), before, vector_cache(home))


def _intact_folder(draft: Draft, folder: str) -> Path | None:
    """A folder of the previous bundle; None if it is damaged."""
    return draft.base / folder if draft.base and checksums.is_intact(draft.base, folder) else None


def _added_file(file: Parsed) -> AddedFile:
    readings = tuple({**asdict(reading.key), "lang": reading.lang} for reading in file.readings)
    why = tuple(map(str, file.readings[0].why)) if file.readings else ()
    return AddedFile(file.document.sha256, file.document.name, stated_options(file.hints), readings, why, file.without)
