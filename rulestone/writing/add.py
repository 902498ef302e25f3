"""Adding files: all of them or none, and what was loaded before stays as it is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from corpus.address import EditionKey
from corpus.errors import EnvironmentFault, InputError, RulestoneError
from corpus.model import Reading
from ingest.read.document import file_bytes
from ingest.recognise.edition import Hints
from ontology.store.home import Draft, Home
from ontology.store.manifest import AddedFile, Manifest, read_manifest
from rulestone.writing.admission import Admission, files
from rulestone.writing.bundle import Progress, Writer, silent
from rulestone.writing.sources import Parsed, Sources, parsed


@dataclass(frozen=True, slots=True)
class Added:
    """What became of one file: `status` is added, known (nothing new in it) or refused."""

    file: str
    status: str
    readings: Sequence[Reading] = field(default=())
    error: RulestoneError | None = None


def add(
    home: Home,
    paths: Sequence[Path],
    hints: Hints | None = None,
    *,
    replace: bool = False,
    keep_going: bool = False,
    progress: Progress = silent,
) -> list[Added]:
    """Adds files, all or none unless `keep_going`.

    Raises InputError for a file that is no rulebook or contradicts what is loaded, EnvironmentFault as `build` does.
    """
    with home.writing() as draft:
        manifest = read_manifest(draft.base) if draft.base else Manifest()
        listed = tuple(manifest.added)
        sources = Sources(home)
        fresh = [] if draft.base else read_again(sources, draft, manifest)
        admission = Admission(sources, manifest, fresh, replace=replace)
        results = _taken(admission, list(files(paths)), hints, progress, keep_going=keep_going)
        if admission.fresh or draft.base is None:
            _write(home, draft, admission, listed, progress)
        return results


def read_again(sources: Sources, draft: Draft, manifest: Manifest) -> list[Parsed]:
    """Every file that was added, read again; one that cannot be stays in the manifest, with the reason."""
    read: list[Parsed] = []
    for added in sources.listed(draft.base):
        try:
            read.append(sources.parsed(added))
        except EnvironmentFault as fault:
            manifest.added.append(added)
            manifest.unread.append(str(fault))
    return read


def _taken(
    admission: Admission, paths: Sequence[Path], hints: Hints | None, progress: Progress, *, keep_going: bool
) -> list[Added]:
    results: list[Added] = []
    for step, path in enumerate(paths):
        progress(step, len(paths) + 1, f"reading {path.name}")
        before = list(admission.manifest.added)
        try:
            results.append(_take(admission, path, hints))
        except InputError as error:
            if not keep_going:
                raise
            admission.manifest.added[:] = before  # a refused file takes nothing away
            results.append(Added(str(path), "refused", error=error))
    return results


def _take(admission: Admission, path: Path, hints: Hints | None) -> Added:
    data = file_bytes(path)
    if admission.is_known(data, path, hints):
        return Added(str(path), "known")
    new = parsed(data, path, hints or Hints())
    admission.admit(new)
    return Added(str(path), "added", list(new.readings))


def _write(home: Home, draft: Draft, admission: Admission, listed: Sequence[AddedFile], progress: Progress) -> None:
    """Writes the editions of the new files, with the files that belong to the same ones."""
    manifest, fresh = admission.manifest, admission.fresh
    affected = {reading.key for parsed in fresh for reading in parsed.readings} | _dropped(listed, manifest)
    companions = [admission.sources.parsed(added) for added in manifest.added if added.editions() & affected]
    Writer(home, draft, manifest, progress).write(fresh, [*companions, *fresh], affected)


def _dropped(listed: Sequence[AddedFile], manifest: Manifest) -> set[EditionKey]:
    """Editions of files that were listed and are no longer in the manifest."""
    kept = {added.sha256 for added in manifest.added}
    return {key for added in listed if added.sha256 not in kept for key in added.editions()}
