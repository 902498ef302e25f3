"""Adds files of rulings and writes them into a bundle, with or without rulebooks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corpus.address import is_slug
from corpus.errors import EnvironmentFault, InputError
from corpus.store import documents
from corpus.store.documents import NewDocuments
from corpus.store.engine import Store
from corpus.store.home import Draft, Home
from corpus.store.home.checksums import STORE
from corpus.store.home.manifest import AddedFile, Manifest
from ingest.recognise import Hints, refuse_names
from ingest.rulings.gather import Counts
from ingest.rulings.read import RulingHints, RulingsFile
from rulestone.writing.draft.copies import copy_bundle
from rulestone.writing.rulings.files import RulingSources, Source, holds_rulings, known, put


@dataclass(frozen=True, slots=True)
class RulingOptions:
    """Options that only files of rulings have."""

    source: str | None = None
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def said(self) -> bool:
        """Whether anything is."""
        return bool(self.source or self.fields)


@dataclass(frozen=True, slots=True)
class NewRulingsFile:
    """A file of rulings to add."""

    file: RulingsFile
    data: bytes
    added: AddedFile


@dataclass(slots=True)
class RulingsUpdate:
    """The files of rulings of one write, and the sources that it changes."""

    home: Home
    manifest: Manifest
    sources: RulingSources = field(init=False)
    fresh: list[NewRulingsFile] = field(default_factory=list)
    changed: set[Source] = field(default_factory=set)
    counts: dict[str, dict[Source, Counts]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sources = RulingSources(self.home)

    def is_rulings_file(self, data: bytes, path: Path, ruling_options: RulingOptions) -> bool:
        """Whether a file holds rulings."""
        return holds_rulings(data, path, said=ruling_options.said)

    def take(self, data: bytes, path: Path, hints: Hints, ruling_options: RulingOptions) -> NewRulingsFile | None:
        """Adds a file; None if the file is already added. Raises InputError for one without rulings, or with missing options."""
        asked = _asked(path, hints, ruling_options)
        if known(self.manifest, data, asked):
            return None
        read, added = self.sources.fresh(data, path, asked)
        if any(fresh_file.file.sha256 == read.sha256 for fresh_file in self.fresh):
            return None
        for other in [file for file in self.manifest.added if file.sha256 == read.sha256]:
            self.drop(other)
        taken = NewRulingsFile(read, data, added)
        self.fresh.append(taken)
        self.changed |= named(added)
        return taken

    def drop(self, added: AddedFile) -> None:
        """Removes a file."""
        self.manifest.added.remove(added)
        self.changed |= named(added)

    def anew(self, files: Sequence[AddedFile]) -> None:
        """Reads previously added files again; an unreadable one stays listed, with the reason."""
        for added in files:
            try:
                self.sources.rulings(added)
                self.changed |= named(added)
            except EnvironmentFault as fault:
                self.manifest.unread.append(str(fault))
            self.manifest.added.append(added)

    def keep(self) -> None:
        """Stores copies of the new files, and lists them."""
        for taken in self.fresh:
            self.home.keep(taken.data, taken.file.name)
            self.manifest.added.append(taken.added)

    def put(self, documents: NewDocuments, store: Store) -> None:
        """Writes the changed sources."""
        unread = {reason.split(" ")[0] for reason in self.manifest.unread}
        files = [file for file in self.manifest.added if named(file) & self.changed and file.name not in unread]
        collection, self.counts = self.sources.collection(files)
        put(documents, store, self.manifest, collection, self.changed)


def named(added: AddedFile) -> set[Source]:
    """The sources of the rulings in a file."""
    return {(name.split("/")[0], name.split("/")[2]) for name in added.rulings}


def _asked(path: Path, hints: Hints, ruling_options: RulingOptions) -> RulingHints:
    if hints.game is None:
        raise InputError("{file}: contains rulings; name their game: --game GAME", file=path.name)
    if hints.book or hints.edition:
        raise InputError("{file}: contains rulings, which have no book or edition; leave out --book and --edition", file=path.name)
    refuse_names(hints)
    if ruling_options.source is not None and not is_slug(ruling_options.source):
        raise InputError(
            "--source {source!r}: a source is named in 1 to 40 of a-z, 0-9 and hyphens, e.g. official-faq",
            source=ruling_options.source[:40],
        )
    lang = "zh-Hans" if hints.lang == "zh" else hints.lang
    return RulingHints(hints.game, ruling_options.source, lang, hints.authority, ruling_options.fields)


def drop_source(rulings_update: RulingsUpdate, name: str) -> list[tuple[AddedFile, str]]:
    """Removes the rulings of a source from every file; returns the files, each with that source."""
    files = [file for file in rulings_update.manifest.added if name in file.rulings]
    for added in files:
        place = rulings_update.manifest.added.index(added)
        kept = tuple(ruling for ruling in added.rulings if ruling != name)
        left = added._replace(rulings=kept, without=(*added.without, name))
        rulings_update.changed |= named(added)
        rulings_update.manifest.added[place : place + 1] = [left] if kept else []
    return [(added, name) for added in files]


def write_alone(home: Home, draft: Draft, rulings_update: RulingsUpdate) -> None:
    """Writes rulings, leaves everything else unchanged, and commits."""
    from rulestone.writing.draft.bundle import write_rulings_index

    assert draft.base is not None
    rulings_update.keep()
    copy_bundle(draft.base, draft.path, anew=[documents.FILE])
    store = Store(draft.path / STORE)
    with documents.writing(draft.path, draft.base) as records:
        rulings_update.put(records, store)
    store.close()
    rulings_update.manifest.write(draft.path)
    write_rulings_index(home, draft)
    draft.commit(rulings_update.manifest.sources())
