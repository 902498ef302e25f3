"""Build and add: from files to a new bundle that replaces the old one, or nothing changes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from corpus.digest import digests
from corpus.errors import EnvironmentFault, InputError, RulestoneError
from corpus.model import Authority, EditionKey, Reading
from ingest.build import graphs_of, nquads
from ingest.merge import Edition, conflicts, merge
from ingest.pipeline import parse
from ingest.read import Document, read
from ingest.recognise import Hints
from ontology.home import Draft, Home
from ontology.manifest import AddedFile, EditionEntry, Manifest, read_manifest
from ontology.store import OxigraphStore

STORE = "store"
SUFFIXES = (".txt", ".md", ".markdown", ".rst", ".html", ".htm", ".pdf")
"""What is taken from a folder that is added."""

Progress = Callable[[int, int, str], None]
"""Told after each step: steps done, steps in all, what was done."""


def silent(_done: int, _total: int, _what: str) -> None:
    """No progress."""


@dataclass(slots=True)
class Added:
    """What became of one file: `status` is added, known (nothing new in it) or refused."""

    file: str
    status: str
    readings: list[Reading] = field(default_factory=list)
    error: RulestoneError | None = None


@dataclass(slots=True)
class _Parsed:
    """A file in hand: its bytes to keep, and its readings."""

    document: Document
    data: bytes
    hints: Hints
    readings: list[Reading]


def build(home: Home, progress: Progress = silent) -> Manifest:
    """Builds everything anew: the digest and every file that was ever added.

    Raises EnvironmentFault where the home is locked or the disk refuses; the old bundle stays current then.
    """
    with home.writing() as draft:
        old = _base(draft, lenient=True)
        parsed = [_reparse(home, one) for one in old.added]
        return _write(home, draft, Manifest(), parsed, parsed, progress)


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
        manifest = _base(draft, lenient=False)
        files = list(_files(paths))
        results: list[Added] = []
        fresh: list[_Parsed] = []
        present = {one.sha256 for one in manifest.added}
        for step, path in enumerate(files):
            progress(step, len(files) + 1, f"reading {path.name}")
            try:
                parsed = _parse(path, hints or Hints())
                known = parsed.document.sha256 in present
                if not known:
                    manifest = _admit(home, manifest, fresh, parsed, replace=replace)
                    fresh.append(parsed)
                    present.add(parsed.document.sha256)
                results.append(Added(str(path), "known" if known else "added", parsed.readings))
            except InputError as error:
                if not keep_going:
                    raise
                results.append(Added(str(path), "refused", error=error))
        if fresh or draft.base is None:
            _write(home, draft, manifest, fresh, _companions(home, manifest, fresh), progress)
        return results


def ensure(home: Home, announce: Callable[[str], None]) -> None:
    """Builds the digest bundle where there is no bundle yet; `announce` gets one line about it."""
    if home.current() is None:
        announce(f"building the knowledge base in {home.path} from the digest …")
        build(home)


def _base(draft: Draft, *, lenient: bool) -> Manifest:
    if draft.base is None:
        return Manifest()
    try:
        return read_manifest(draft.base)
    except EnvironmentFault:
        if not lenient:
            raise
        return Manifest()


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files to read: those named, and in a folder those of a rulebook's kind."""
    for path in paths:
        try:
            if not path.is_dir():
                yield path
                continue
            found = sorted(one for one in path.rglob("*") if one.is_file() and one.suffix.lower() in SUFFIXES)
            next(iter(path.iterdir()), None)  # rglob passes over a folder that may not be opened
        except PermissionError:
            raise EnvironmentFault(f"{path}: no permission to open it; change its permissions or copy it") from None
        if not found:
            raise InputError(f"{path}: no rulebook in this folder; expected files ending in {', '.join(SUFFIXES)}")
        yield from found


def _parse(path: Path, hints: Hints) -> _Parsed:
    document = read(path)
    return _Parsed(document, path.read_bytes(), hints, parse(document, hints))


def _reparse(home: Home, one: AddedFile) -> _Parsed:
    """A file that was added before, read again from its copy."""
    path = home.sources() / one.sha256 / one.name
    said = dict(one.hints)
    authority = said.pop("authority", None)
    return _parse(path, Hints(**said, authority=Authority(authority) if authority else None))


def _admit(home: Home, manifest: Manifest, fresh: Sequence[_Parsed], new: _Parsed, *, replace: bool) -> Manifest:
    """The manifest with which a new file can stand: contradicting files are refused, or dropped with `replace`."""
    keys = {reading.key for reading in new.readings}
    for one in [added for added in manifest.added if added.keys() & keys]:
        clash = _clash(_reparse(home, one).readings, new)
        if clash and not replace:
            raise InputError(_refusal(new, one.name, clash))
        if clash:
            manifest.added.remove(one)
    for other in fresh:
        if clash := _clash(other.readings, new):
            raise InputError(_refusal(new, other.document.name, clash))
    return manifest


def _clash(old: Sequence[Reading], new: _Parsed) -> list[str]:
    return [locator for reading in new.readings for locator in conflicts(old, reading)]


def _refusal(new: _Parsed, other: str, clash: Sequence[str]) -> str:
    more = f" and {len(clash) - 3} more" if len(clash) > 3 else ""
    return (
        f"{new.document.name}: {new.readings[0].key} is loaded from {other} with other words in {', '.join(clash[:3])}{more};"
        " give --replace to put this file in its place, or --edition to keep both"
    )


def _companions(home: Home, manifest: Manifest, fresh: Sequence[_Parsed]) -> list[_Parsed]:
    """The new files and those added before to the same editions."""
    keys = {reading.key for one in fresh for reading in one.readings}
    return [*fresh, *(_reparse(home, one) for one in manifest.added if one.keys() & keys)]


def _write(
    home: Home, draft: Draft, manifest: Manifest, fresh: Iterable[_Parsed], parsed: Sequence[_Parsed], progress: Progress
) -> Manifest:
    """Writes the editions of `parsed` (and, into an empty home, the digest's) and swaps the bundle in."""
    incremental = draft.base is not None and bool(manifest.editions)
    keys = {reading.key for one in parsed for reading in one.readings}
    keys |= set(_dropped(draft, manifest, incremental=incremental))
    if not incremental:
        keys |= {digest.key for digest in digests()}
    for one in fresh:
        home.keep(one.data, one.document.name)
        manifest.added.append(_added(one))
    store = _store(draft, incremental=incremental)
    for step, key in enumerate(sorted(keys, key=str)):
        progress(step, len(keys), f"building {key}")
        edition = merge(key, [reading for one in parsed for reading in one.readings if reading.key == key])
        store.drop(graphs_of(key) if key in manifest.editions else ())
        manifest.editions.pop(key, None)
        if edition.rules:
            store.load(nquads(edition))
            manifest.editions[key] = _entry(edition)
    store.close()
    progress(len(keys), len(keys), "writing")
    manifest.write(draft.path)
    draft.commit({one.sha256 for one in manifest.added})
    return manifest


def _dropped(draft: Draft, manifest: Manifest, *, incremental: bool) -> Iterator[EditionKey]:
    """Editions of files that were replaced."""
    if incremental and draft.base is not None:
        kept = {one.sha256 for one in manifest.added}
        for one in read_manifest(draft.base).added:
            if one.sha256 not in kept:
                yield from one.keys()


def _store(draft: Draft, *, incremental: bool) -> OxigraphStore:
    if incremental and draft.base is not None:
        base = OxigraphStore(draft.base / STORE, read_only=True)
        base.copy(draft.path / STORE)
        base.close()
    return OxigraphStore(draft.path / STORE)


def _added(one: _Parsed) -> AddedFile:
    hints = {name: value for name, value in asdict(one.hints).items() if value is not None}
    readings = tuple({**asdict(reading.key), "lang": reading.lang} for reading in one.readings)
    return AddedFile(one.document.sha256, one.document.name, hints, readings, one.readings[0].why)


def _entry(edition: Edition) -> EditionEntry:
    rules = edition.rules.values()
    return EditionEntry(
        game=edition.key.game,
        book=edition.key.book,
        edition=edition.key.edition,
        grammar=edition.grammar,
        rules=len(edition.rules),
        chapters=tuple(sorted({rule.locator for rule in rules if rule.kind.is_heading and rule.parent is None})),
        languages={lang: authority.value for lang, authority in edition.authorities.items()},
        files={lang: tuple(name for name, _ in files) for lang, files in edition.files.items()},
        dangling=sum(cite.target is None for rule in rules for node in rule.texts.values() for cite in node.cites),
    )
