"""Adds files of rulings, reads those that were added before, and writes their rulings into a bundle, with or without rulebooks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from corpus.address import is_slug
from corpus.errors import InputError
from corpus.model import Authority, Ruling
from corpus.store.documents import NewDocuments
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.home.manifest import AddedFile, Manifest, RulingsEntry, rulings_name
from corpus.store.rulings import put_rulings
from ingest.read.document import file_bytes
from ingest.recognise import Hints, refuse_names
from ingest.rulings import quads
from ingest.rulings.gather import Counts, RulingCollection
from ingest.rulings.read import RulingHints, RulingsFile, is_rulings, read
from rulestone.writing.draft.editions import replace_graphs
from rulestone.writing.sources import intact_copy, unreadable_error

Source = tuple[str, str]
"""Game and source."""


def holds_rulings(data: bytes, path: Path, *, has_options: bool) -> bool:
    """Whether a file holds rulings: by its kind, or by options that only rulings have."""
    return has_options or is_rulings(data, path)


def _rulings_entry(source: Source, versions: Sequence[Ruling], graphs: Mapping[str, str]) -> RulingsEntry:
    now = [ruling for ruling in versions if not ruling.version]
    return RulingsEntry(
        game=source[0],
        source=source[1],
        rulings=sum(not ruling.withdrawn for ruling in now),
        older=len(versions) - len(now),
        withdrawn=sum(ruling.withdrawn for ruling in now),
        languages=tuple(sorted({lang for ruling in now for lang in ruling.answer})),
        authorities=tuple(sorted({ruling.authority.value for ruling in now})),
        files=tuple(sorted({file for ruling in now for file in ruling.files})),
        graphs=graphs,
    )


def _stated_options(hints: RulingHints) -> dict[str, str]:
    """The user's options for a file, as in the manifest."""
    stated_options = {"game": hints.game, "source": hints.source, "lang": hints.lang, "authority": hints.authority}
    field_map = ",".join(f"{role}={name}" for role, name in hints.fields.items())
    return {name: str(value) for name, value in {**stated_options, "map": field_map or None}.items() if value is not None}


def hints_of(options: Mapping[str, str | None]) -> RulingHints:
    """The same from the manifest."""
    authority = options.get("authority")
    fields = dict(pair.split("=", 1) for pair in (options.get("map") or "").split(",") if pair)
    return RulingHints(
        options.get("game") or "", options.get("source"), options.get("lang"), Authority(authority) if authority else None, fields
    )


@dataclass(frozen=True, slots=True)
class RulingOptions:
    """Options that only files of rulings have."""

    source: str | None = None
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def is_any_set(self) -> bool:
        """Whether any option is set."""
        return bool(self.source or self.fields)


@dataclass(frozen=True, slots=True)
class NewRulingsFile:
    """A file of rulings to add."""

    file: RulingsFile
    data: bytes
    added_file: AddedFile


@dataclass(slots=True)
class RulingsUpdate:
    """The files of rulings of one write, and the sources that it changes."""

    home: Home
    manifest: Manifest
    fresh: list[NewRulingsFile] = field(default_factory=list)
    changed_sources: set[Source] = field(default_factory=set)
    counts: dict[str, dict[Source, Counts]] = field(default_factory=dict)
    """SHA-256 of a file → the result for each of its sources."""
    _parsed_files: dict[str, RulingsFile] = field(default_factory=dict)
    """The files that have been read, by SHA-256."""

    def take_file(self, data: bytes, path: Path, hints: Hints, ruling_options: RulingOptions) -> NewRulingsFile | None:
        """Adds a file; None if the file is already added. Raises InputError for one without rulings, or with missing options."""
        file_hints = _checked_options(path, hints, ruling_options)
        checksum, file_options = sha256(data).hexdigest(), _stated_options(file_hints)
        before = [file for file in self.manifest.added if file.sha256 == checksum]
        if any(file.rulings and not file.without and file.hints == file_options for file in before):
            return None
        file = self._parsed_files[checksum] = read(data, path, file_hints)
        if any(fresh_file.file.sha256 == checksum for fresh_file in self.fresh):
            return None
        for other in before:
            self.drop(other)
        names = tuple(sorted({rulings_name(ruling.game, ruling.source) for ruling in file.rulings}))
        added_file = AddedFile(checksum, file.name, file_options, (), tuple(map(str, file.why)), rulings=names)
        new_file = NewRulingsFile(file, data, added_file)
        self.fresh.append(new_file)
        self.changed_sources |= sources_of(added_file)
        return new_file

    def drop(self, added_file: AddedFile) -> None:
        """Removes a file."""
        self.manifest.added.remove(added_file)
        self.changed_sources |= sources_of(added_file)

    def read_again(self, files: Sequence[AddedFile]) -> None:
        """Reads previously added files again. Raises EnvironmentFault for an unreadable one."""
        for added_file in files:
            names = tuple(sorted({rulings_name(ruling.game, ruling.source) for ruling in self._rulings(added_file)}))
            whole = added_file._replace(
                rulings=names or added_file.rulings, why=tuple(map(str, self._parsed_files[added_file.sha256].why))
            )
            self.changed_sources |= sources_of(whole)
            self.manifest.added.append(whole)

    def store_files(self) -> None:
        """Stores copies of the new files, and lists them."""
        for new_file in self.fresh:
            self.home.store_source(new_file.data, new_file.file.name)
            self.manifest.added.append(new_file.added_file)

    def collect(self) -> RulingCollection:
        """The rulings of the changed sources in every file, the new ones last; counts what each file changes."""
        fresh = [new_file.added_file for new_file in self.fresh if new_file.added_file not in self.manifest.added]
        files = [file for file in (*self.manifest.added, *fresh) if sources_of(file) & self.changed_sources]
        collection = RulingCollection()
        for added_file in files:
            by_source: dict[Source, list[Ruling]] = {}
            for ruling in self._rulings(added_file):
                by_source.setdefault((ruling.game, ruling.source), []).append(ruling)
            self.counts[added_file.sha256] = {
                source: collection.add_file(versions) for source, versions in sorted(by_source.items())
            }
        return collection

    def write_rulings(self, documents: NewDocuments, store: Store) -> None:
        """Writes the changed sources."""
        collection = self.collect()
        for source in sorted(self.changed_sources):
            self._write_source(documents, store, source, collection.rulings_of(*source))
        self.manifest.rulings.sort(key=lambda entry: entry.name)
        store.flush()

    def _write_source(self, documents: NewDocuments, store: Store, source: Source, versions: Sequence[Ruling]) -> None:
        put_rulings(documents, *source, versions)
        before = next((entry for entry in self.manifest.rulings if (entry.game, entry.source) == source), None)
        graphs = quads.nquads(*source, versions) if versions else {}
        hashes = replace_graphs(store, graphs, before.graphs if before else {})
        self.manifest.rulings[:] = [entry for entry in self.manifest.rulings if entry is not before]
        if versions:
            self.manifest.rulings.append(_rulings_entry(source, versions, hashes))

    def _rulings(self, added_file: AddedFile) -> list[Ruling]:
        """The rulings of a file, read again at most once, without removed sources. Raises EnvironmentFault if it cannot be read."""
        if added_file.sha256 not in self._parsed_files:
            copy = intact_copy(self.home, added_file.sha256, added_file.name)
            try:
                self._parsed_files[added_file.sha256] = read(file_bytes(copy), Path(added_file.name), hints_of(added_file.hints))
            except InputError as fault:
                raise unreadable_error(added_file, fault) from fault
        rulings = self._parsed_files[added_file.sha256].rulings
        return [ruling for ruling in rulings if rulings_name(ruling.game, ruling.source) not in added_file.without]


def sources_of(added_file: AddedFile) -> set[Source]:
    """The sources of the rulings in a file."""
    return {(name.split("/")[0], name.split("/")[2]) for name in added_file.rulings}


def _checked_options(path: Path, hints: Hints, ruling_options: RulingOptions) -> RulingHints:
    if hints.game is None:
        raise InputError("{file}: contains rulings; name their game: --game GAME", file=path.name)
    if hints.book or hints.edition or hints.structure:
        raise InputError(
            "{file}: contains rulings, which have no book, edition or structure; leave out --book, --edition and --structure",
            file=path.name,
        )
    refuse_names(hints)
    if ruling_options.source is not None and not is_slug(ruling_options.source):
        raise InputError(
            "--source {source!r}: expected 1 to 40 letters a-z, digits and hyphens, e.g. official-faq",
            source=ruling_options.source[:40],
        )
    lang = "zh-Hans" if hints.lang == "zh" else hints.lang
    return RulingHints(hints.game, ruling_options.source, lang, hints.authority, ruling_options.fields)


def drop_source(rulings_update: RulingsUpdate, name: str) -> list[tuple[AddedFile, str]]:
    """Removes the rulings of a source from every file; returns the files, each with that source."""
    files = [file for file in rulings_update.manifest.added if name in file.rulings]
    for added_file in files:
        place = rulings_update.manifest.added.index(added_file)
        rulings = tuple(ruling for ruling in added_file.rulings if ruling != name)
        rest = added_file._replace(rulings=rulings, without=(*added_file.without, name))
        rulings_update.changed_sources |= sources_of(added_file)
        rulings_update.manifest.added[place : place + 1] = [rest] if rulings else []
    return [(added_file, name) for added_file in files]
