"""Adds files, all of them or none, and rebuilds the knowledge base from every added file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from pathlib import Path

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.errors import InputError, RulestoneError
from corpus.messages import Message
from corpus.model import Reading
from corpus.store.home import Draft, Home
from corpus.store.home.given import GivenKind
from corpus.store.home.manifest import AddedFile, Manifest, TableEntry, read_base_manifest
from ingest.read.document import file_bytes
from ingest.recognise import Hints
from ingest.rulings.gather import Counts
from rulestone.progress import Progress, no_progress
from rulestone.writing.admission import Admission, GivenFile, find_files
from rulestone.writing.cards import listed_cards
from rulestone.writing.draft.bundle import BundleWriter, write_rulings
from rulestone.writing.draft.copies import base_bundle, copy_bundle
from rulestone.writing.draft.shipped import start_from_shipped
from rulestone.writing.rulings.judgements import listed_judgements
from rulestone.writing.rulings.update import NewRulingsFile, RulingOptions, RulingsUpdate, Source, holds_rulings
from rulestone.writing.shortfall import shortfall
from rulestone.writing.sources import Parsed, Sources, added_file, intact_copy, parse_source

XLIFF_SUFFIXES = (".xlf", ".xliff")
"""File suffixes of finished translations."""
Finish = Callable[[Path], GivenFile]


def _refuse_unfinished(path: Path) -> GivenFile:
    raise InputError("{file}: the edition that it translates is not loaded; add that text first", file=path.name)


@dataclass(frozen=True, slots=True)
class Added:
    """The result for one file: `status` is added, known (no changes) or refused."""

    file: str
    status: str
    readings: Sequence[Reading] = field(default=())
    error: RulestoneError | None = None
    rulings: NewRulingsFile | None = None
    counts: Mapping[Source, Counts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AddOptions:
    """How files are added."""

    replace: bool = False  # files may replace editions with other words
    keep_going: bool = False  # those that can be added are, although others are refused
    dry_run: bool = False  # files are only read
    linked: bool = False  # rulings are linked with the rules that they cite; without it, their links remain as they are
    rulings: RulingOptions = field(default_factory=RulingOptions)


def add(
    home: Home,
    paths: Sequence[Path],
    hints: Hints | None = None,
    options: AddOptions | None = None,
    *,
    finish: Finish = _refuse_unfinished,
    progress: Progress = no_progress,
) -> list[Added]:
    """Adds files, rulebooks or rulings, all or none unless `keep_going`, in one bundle.

    `finish` makes the text of an edition from a finished translation in XLIFF.
    Raises InputError for a file that is neither or contradicts loaded texts, EnvironmentFault as `build` does.
    """
    with home.writing_bundle() as draft:
        addition = _Addition(home, draft, options or AddOptions(), finish, progress)
        results = addition.read_files(paths, hints)
        addition.write(len(results))
    counts = addition.rulings_update.counts
    return [replaced(one, counts=counts.get(one.rulings.file.sha256, {})) if one.rulings else one for one in results]


class _Addition:
    """One `add`: reads the files, then writes a bundle with those that are new."""

    def __init__(self, home: Home, draft: Draft, options: AddOptions, finish: Finish, progress: Progress) -> None:
        self._home, self._draft, self._options, self._finish, self._progress = home, draft, options, finish, progress
        self._manifest = read_base_manifest(draft.base)
        self._files_before = tuple(self._manifest.added)
        self.rulings_update = RulingsUpdate(home, self._manifest)
        sources = Sources(home)
        parsed_sources = [] if draft.base else read_given(sources, self._manifest, self.rulings_update)
        self._admission = Admission(sources, self._manifest, parsed_sources, replace=options.replace)

    def read_files(self, paths: Sequence[Path], hints: Hints | None) -> list[Added]:
        """Reads each file as a rulebook or as rulings. Raises InputError as `add` does."""
        results: list[Added] = []
        options = self._options
        files = list(find_files(paths, hints, with_rulings=options.rulings.is_any_set, keep_going=options.keep_going))
        for step, file in enumerate(files):
            self._progress(step, len(files) + 1, f"reading {file.path.name}")
            before = list(self._manifest.added)
            try:
                results.append(self._read_file(file))
            except InputError as error:
                if not options.keep_going:
                    raise
                self._manifest.added[:] = before  # a refused file removes nothing
                results.append(Added(str(file.path), "refused", error=error))
        _note_shortfalls(self._admission, self._draft.base)
        return results

    def _read_file(self, file: GivenFile) -> Added:
        file_name = str(file.path)
        if file.refusal:
            raise file.refusal
        if file.path.suffix.lower() in XLIFF_SUFFIXES:
            file = self._finish(file.path)
        path, hints, data = file.path, file.hints, file.data or file_bytes(file.path)
        if holds_rulings(data, path, has_options=self._options.rulings.is_any_set):
            rulings_file = self.rulings_update.take_file(data, path, hints or Hints(), self._options.rulings)
            return Added(str(path), "added" if rulings_file else "known", rulings=rulings_file)
        if self._admission.is_known(data, path, hints):
            return Added(file_name, "known")
        new = parse_source(data, path, hints or Hints())
        _add_notes(new, file.notes)
        self._admission.admit_file(new)
        return Added(file_name, "added", new.readings)

    def write(self, done: int) -> None:
        """Writes and commits a bundle, if anything is new and this is no dry run; `done` is the number of files that were read."""
        linked = self._options.linked
        if self._options.dry_run:
            if any(reading.key.game in catalogue().games for file in self._admission.fresh for reading in file.readings):
                self._start_first_bundle(write=False)  # writing it takes most of a minute
            self.rulings_update.collect()
        elif self._admission.fresh or self._draft.base is None:
            self._write_editions(linked=linked)
        elif self.rulings_update.changed_sources:
            self._progress(done, done + 1, "indexing")
            write_rulings(self._home, self._draft, self.rulings_update, linked=linked)

    def _start_first_bundle(self, *, write: bool = True) -> None:
        """Starts the first bundle of a home from the shipped data, with which the new files are then compared; see there."""
        draft, progress = self._draft, self._progress
        if draft.base is None and not self._home.given() and start_from_shipped(draft, self._manifest, progress, write=write):
            _note_shortfalls(self._admission, draft.base)

    def _write_editions(self, *, linked: bool) -> None:
        """Writes the editions of the new files, together with other files of the same editions."""
        draft, manifest, fresh = self._draft, self._manifest, self._admission.fresh
        self._start_first_bundle()
        affected_keys = {reading.key for file in fresh for reading in file.readings} | _dropped_editions(
            self._files_before, manifest
        )
        companions = [self._admission.sources.parse_source(file) for file in manifest.added if file.editions() & affected_keys]
        writer = BundleWriter(self._home, draft, manifest, self._progress, self.rulings_update)
        writer.write(fresh, [*companions, *fresh], affected_keys, linked=linked)


def read_given(sources: Sources, manifest: Manifest, rulings_update: RulingsUpdate) -> list[Parsed]:
    """Everything that the user gave, read again: the books; the rest goes into the manifest.

    Raises DamagedError if the list is lost, EnvironmentFault for a file that cannot be read: its edition must not be dropped.
    """
    home, entries = sources.home, sources.home.given()
    for entry in entries:
        intact_copy(home, entry.sha256, entry.name)
    manifest.cards = [listed_cards(entry) for entry in entries if entry.kind == GivenKind.CARDS]
    manifest.judgements = [listed_judgements(home, entry) for entry in entries if entry.kind == GivenKind.JUDGEMENTS]
    tables = [entry for entry in entries if entry.kind in (GivenKind.ALIGNMENT, GivenKind.LABELS, GivenKind.MAPPINGS)]
    manifest.tables = [TableEntry(entry.kind, entry.sha256, entry.name) for entry in tables]
    rulings_update.read_again([added_file(entry) for entry in entries if entry.kind == GivenKind.RULINGS])
    return [sources.parse_source(added_file(entry)) for entry in entries if entry.kind == GivenKind.BOOK]


def _add_notes(file: Parsed, notes: Sequence[Message]) -> None:
    """Puts notes before those of a file."""
    first = file.readings[0]
    file.readings[0] = first._replace(notes=(*notes, *first.notes), why=(*notes, *first.why))


def _note_shortfalls(admission: Admission, bundle: Path | None) -> None:
    """Notes which of the files lack most rules of their chapters, compared with the editions of the bundle before them, if any."""
    if bundle is None:
        return
    for file in admission.fresh:
        if lacking := shortfall(file.readings[0], admission.manifest.editions.values(), bundle):
            _add_notes(file, [lacking])


def _dropped_editions(added_files: Sequence[AddedFile], manifest: Manifest) -> set[EditionKey]:
    """Editions of files that are no longer in the manifest."""
    hashes = {file.sha256 for file in manifest.added}
    return {key for file in added_files if file.sha256 not in hashes for key in file.editions()}


def build(home: Home, progress: Progress = no_progress) -> Manifest:
    """Rebuilds everything from the list of the user's files.

    Raises DamagedError if the list is lost, EnvironmentFault if a file of it cannot be read, the home is locked or the disk fails;
    then the old bundle stays current.
    """
    with home.writing_bundle(from_list=True) as draft:
        manifest = Manifest()
        rulings_update = RulingsUpdate(home, manifest)
        files = read_given(Sources(home), manifest, rulings_update)
        if not home.given() and start_from_shipped(draft, manifest, progress):
            copy_bundle(base_bundle(home, draft), draft.path)
            draft.commit(())
            return manifest
        keys = {reading.key for file in files for reading in file.readings}
        BundleWriter(home, draft, manifest, progress, rulings_update).write(files, files, keys)
        return manifest
