"""Adds files of rulings and writes them into a bundle, with rulebooks or alone."""

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
class Ruled:
    """Options that only files of rulings have."""

    source: str | None = None
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def said(self) -> bool:
        """Whether anything is."""
        return bool(self.source or self.fields)


@dataclass(frozen=True, slots=True)
class Taken:
    """A file of rulings to add."""

    file: RulingsFile
    data: bytes
    added: AddedFile


@dataclass(slots=True)
class Shelving:
    """The files of rulings of one write, and the sources that it changes."""

    home: Home
    manifest: Manifest
    sources: RulingSources = field(init=False)
    fresh: list[Taken] = field(default_factory=list)
    changed: set[Source] = field(default_factory=set)
    counts: dict[str, dict[Source, Counts]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sources = RulingSources(self.home)

    def wants(self, data: bytes, path: Path, ruled: Ruled) -> bool:
        """Whether a file holds rulings."""
        return holds_rulings(data, path, said=ruled.said)

    def take(self, data: bytes, path: Path, hints: Hints, ruled: Ruled) -> Taken | None:
        """Adds a file; None if it is known. Raises InputError for one without rulings, or with missing options."""
        asked = _asked(path, hints, ruled)
        if known(self.manifest, data, asked):
            return None
        read, added = self.sources.fresh(data, path, asked)
        if any(fresh_file.file.sha256 == read.sha256 for fresh_file in self.fresh):
            return None
        for other in [file for file in self.manifest.added if file.sha256 == read.sha256]:
            self.drop(other)
        taken = Taken(read, data, added)
        self.fresh.append(taken)
        self.changed |= named(added)
        return taken

    def drop(self, added: AddedFile) -> None:
        """Removes a file."""
        self.manifest.added.remove(added)
        self.changed |= named(added)

    def anew(self, files: Sequence[AddedFile]) -> None:
        """Reads files that were added before again; an unreadable one stays listed, with the reason."""
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
        """Writes the sources that changed."""
        unread = {reason.split(" ")[0] for reason in self.manifest.unread}
        files = [file for file in self.manifest.added if named(file) & self.changed and file.name not in unread]
        shelf, self.counts = self.sources.shelf(files)
        put(documents, store, self.manifest, shelf, self.changed)


def named(added: AddedFile) -> set[Source]:
    """The sources of the rulings in a file."""
    return {(name.split("/")[0], name.split("/")[2]) for name in added.rulings}


def _asked(path: Path, hints: Hints, ruled: Ruled) -> RulingHints:
    if hints.game is None:
        raise InputError("{file}: holds rulings; say of which game they are: --game GAME", file=path.name)
    if hints.book or hints.edition:
        raise InputError("{file}: holds rulings, which have no book or edition; leave out --book and --edition", file=path.name)
    refuse_names(hints)
    if ruled.source is not None and not is_slug(ruled.source):
        raise InputError(
            "--source {source!r}: a source is named in 1 to 40 of a-z, 0-9 and hyphens, e.g. official-faq", source=ruled.source[:40]
        )
    lang = "zh-Hans" if hints.lang == "zh" else hints.lang
    return RulingHints(hints.game, ruled.source, lang, hints.authority, ruled.fields)


def drop_source(shelving: Shelving, name: str) -> list[tuple[AddedFile, str]]:
    """Removes the rulings of a source from every file; returns the files, each with that source."""
    files = [file for file in shelving.manifest.added if name in file.rulings]
    for added in files:
        place = shelving.manifest.added.index(added)
        kept = tuple(ruling for ruling in added.rulings if ruling != name)
        left = added._replace(rulings=kept, without=(*added.without, name))
        shelving.changed |= named(added)
        shelving.manifest.added[place : place + 1] = [left] if kept else []
    return [(added, name) for added in files]


def write_alone(home: Home, draft: Draft, shelving: Shelving) -> None:
    """Writes rulings, leaves everything else unchanged, and commits."""
    from rulestone.writing.draft.bundle import write_rulings_index

    assert draft.base is not None
    shelving.keep()
    copy_bundle(draft.base, draft.path, anew=[documents.FILE])
    store = Store(draft.path / STORE)
    with documents.writing(draft.path, draft.base) as records:
        shelving.put(records, store)
    store.close()
    shelving.manifest.write(draft.path)
    write_rulings_index(home, draft)
    draft.commit(shelving.manifest.sources())
