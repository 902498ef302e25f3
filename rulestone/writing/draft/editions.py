"""The editions of a draft: all are written into its records, the current ones into its store."""

import shutil
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from corpus.address import EditionKey, graph_iri
from corpus.catalogue import catalogue
from corpus.store import records, statements
from corpus.store.currency import CurrencyTable, divisions
from corpus.store.documents import NewDocuments
from corpus.store.engine import Store
from corpus.store.home import Draft
from corpus.store.home.checksums import STORE_FOLDER
from corpus.store.home.manifest import EditionEntry, Manifest
from corpus.words.text import fold_text
from ingest.merge import Edition
from ingest.record import record_edition
from ontology.translation.glossary import curated_labels, names_of_made_concepts
from rulestone.writing.draft.copies import copy_store

_MAX_DELETED_SHARE = 0.25
"""Share of deleted quads in a store above which it is rewritten."""
_FEW_DELETED = 20_000
"""Number of deleted quads below which the others are not counted: counting those of nine games takes 0.1 s."""
Graphs = dict[str, bytes]


class EditionsWriter:
    """Collects editions, newer ones first, then writes the store of the current ones."""

    def __init__(self, draft: Draft, manifest: Manifest, documents: NewDocuments, *, from_scratch: bool) -> None:
        self._draft = draft
        self._manifest = manifest
        self._documents = documents
        self._termbase = names_of_made_concepts(curated_labels(draft.path))
        self._fresh: Graphs = {}
        """The editions to load."""
        self._dropped_graphs: set[str] = set()
        """Graphs of the previous store that are removed or changed."""
        self._base = None if from_scratch or draft.base is None else Store(draft.base / STORE_FOLDER, read_only=True)
        self._store = None if self._base else Store(draft.path / STORE_FOLDER)

    def write(self, edition: Edition, other_graphs: Mapping[str, bytes]) -> None:
        """Adds an edition and replaces its previous state; `other_graphs` are its other graphs."""
        key, old = edition.key, self._manifest.editions.pop(edition.key, None)
        graphs: Graphs = {}
        if edition.rules:
            edition_records, beside = record_edition(edition, self._termbase)
            texts = _edition_texts(edition)
            entry = _entry(edition, records.put(self._documents, key, edition_records, texts))
            self._manifest.editions[key] = entry
            derived_graphs = {} if self._is_superseded(entry) else statements.graphs_of(key, edition_records, texts)
            graphs = {**beside, **other_graphs, **derived_graphs}
            self._manifest.editions[key] = entry._replace(graphs=graph_hashes(graphs))
        else:
            self._documents.drop(str(key))
        self._exchange_graphs(dict(old.graphs) if old else {}, graphs)

    def store(self) -> Store:
        """The store with all current editions; flush it before queries."""
        for key, entry in list(self._manifest.editions.items()):
            if entry.languages and self._is_superseded(entry) == (graph_iri(key, statements.RECORDS) in entry.graphs):
                self._move_derived(key, entry)
        store = self._store or self._continue_store()
        for lines in self._fresh.values():
            store.load(lines)
        self._fresh.clear()
        if self._store and self._dropped_graphs:
            store.flush()
            store.drop(sorted(self._dropped_graphs))
        return store

    def _is_superseded(self, entry: EditionEntry) -> bool:
        """Whether an edition is loaded completely."""
        return bool(entry.languages) and not CurrencyTable(self._manifest.editions.values()).has_current(entry.key)

    def _move_derived(self, key: EditionKey, entry: EditionEntry) -> None:
        """Removes the derived statements of an edition from the store, or adds them."""
        there = records.Records(self._documents, [key])
        stored_graphs = {name: entry.graphs[name] for name in statements.graph_names(key, entry.languages) if name in entry.graphs}
        derived_graphs = {} if stored_graphs else statements.graphs_of(key, there.records_of(key), there.edition_languages(key))
        self._exchange_graphs(stored_graphs, derived_graphs)
        other_graphs = {name: checksum for name, checksum in entry.graphs.items() if name not in stored_graphs}
        self._manifest.editions[key] = entry._replace(graphs=other_graphs | graph_hashes(derived_graphs))

    def _exchange_graphs(self, before: Mapping[str, str], graphs: Graphs) -> None:
        """Removes previous graphs, by their hashes, and adds new ones."""
        hashes = graph_hashes(graphs)
        self._dropped_graphs |= {name for name, checksum in before.items() if checksum != hashes.get(name)}
        self._fresh = {name: lines for name, lines in self._fresh.items() if name not in before}
        for name, lines in graphs.items():
            if before.get(name) != hashes[name]:
                if self._store:
                    self._store.load(lines)
                else:
                    self._fresh[name] = lines

    def _continue_store(self) -> Store:
        """The previous store without the removed graphs."""
        assert self._base is not None
        assert self._draft.base is not None
        self._manifest.dropped += self._base.size(self._dropped_graphs)
        self._base.close()
        copy_store(self._draft.base, self._draft.path)
        store = Store(self._draft.path / STORE_FOLDER)
        store.drop(sorted(self._dropped_graphs))
        return store


def compact_store(draft: Path, manifest: Manifest) -> None:
    """Rewrites the store of a draft if it has many deleted quads, which halves its size."""
    if manifest.dropped < _FEW_DELETED:
        return
    store = Store(draft / STORE_FOLDER, read_only=True)
    if manifest.dropped >= _MAX_DELETED_SHARE * store.size():
        fresh = Store(draft / f"{STORE_FOLDER}.tmp")
        for name in store.graphs():
            fresh.load(store.graph(name))
        store.close()
        fresh.close()
        shutil.rmtree(draft / STORE_FOLDER)
        (draft / f"{STORE_FOLDER}.tmp").rename(draft / STORE_FOLDER)
        manifest.dropped = 0
    else:
        store.close()


def replace_graphs(store: Store, new: Mapping[str, bytes], before: Mapping[str, str]) -> dict[str, str]:
    """Writes the graphs whose hash has changed; returns every graph's hash."""
    after = graph_hashes(new)
    store.drop(graph for graph, checksum in before.items() if after.get(graph) != checksum)
    for graph, lines in new.items():
        if before.get(graph) != after[graph]:
            store.load(lines)
    return after


def _entry(edition: Edition, fingerprint: str) -> EditionEntry:
    rules = edition.rules.values()
    return EditionEntry(
        game=edition.key.game,
        book=edition.key.book,
        edition=edition.key.edition,
        grammar=edition.grammar,
        rules=len(edition.rules),
        chapters=_top_divisions(edition, loaded=False),
        covers=_top_divisions(edition, loaded=True),
        chapter_titles=_titles(edition),
        languages={lang: authority.value for lang, authority in edition.authorities.items()},
        files={lang: tuple(name for name, _ in files) for lang, files in edition.files.items()},
        dangling=sum(cite.target is None for rule in rules for node in rule.texts.values() for cite in node.cites),
        fingerprint=fingerprint,
        graphs={},
        titles=edition.titles,
    )


def _top_divisions(edition: Edition, *, loaded: bool) -> tuple[str, ...]:
    """The top-level divisions of an edition (or of its loaded part), each with the names of its ancestors."""
    rules = {locator: rule for locator, rule in edition.rules.items() if rule.texts or not loaded}
    grammar = catalogue().grammars.get(edition.grammar)
    is_flat = grammar is not None and grammar.is_flat  # then each number of the first level is a division, below a title or not
    tops = [locator for locator, rule in rules.items() if rule.parent not in rules or (is_flat and locator.isdecimal())]
    return tuple(sorted({" ".join(divisions(top, edition.grammar)) for top in tops}))


def _titles(edition: Edition) -> dict[str, tuple[str, ...]]:
    """Chapter that is named after a file → its titles."""
    tops = [rule for rule in edition.rules.values() if rule.parent is None and rule.kind.is_heading and "/" in rule.locator]
    return {
        rule.locator.partition("/")[0]: tuple(sorted({f"={fold_text(node.text)}" for node in rule.texts.values()}))
        for rule in reversed(tops)
    }


def _edition_texts(edition: Edition) -> dict[str, statements.EditionText]:
    files = edition.files
    return {
        lang: statements.EditionText(who.value, [sha256 for _, sha256 in files[lang]]) for lang, who in edition.authorities.items()
    }


def graph_hashes(graphs: Mapping[str, bytes]) -> dict[str, str]:
    """The SHA-256 of each graph's lines."""
    return {name: sha256(lines).hexdigest() for name, lines in graphs.items()}
