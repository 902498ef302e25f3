"""Build and add: from files to a new bundle that replaces the old one, or nothing changes."""

import dataclasses
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from corpus.address import EditionKey
from corpus.digest import digests
from corpus.errors import EnvironmentFault, InputError, RulestoneError
from corpus.model import Reading
from ingest.extract.graph import proposals
from ingest.merge import Edition, conflicts, merge
from ingest.quads import nquads
from ingest.read.document import file_bytes
from ingest.recognise.edition import Hints
from ontology import shipped
from ontology.checks import quotations as verify
from ontology.store.engine import OxigraphStore
from ontology.store.home import Draft, Home
from ontology.store.knowledge import Knowledge
from ontology.store.manifest import AddedFile, EditionEntry, Manifest, key_of_row, read_manifest
from rulestone.sources import Parsed, Shelf, name_of, parsed
from search.encode.encoder import Encoder, chosen
from search.index import index, vectors

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


def build(home: Home, progress: Progress = silent) -> Manifest:
    """Builds everything anew: the digest and every file that was ever added.

    Raises EnvironmentFault where the home is locked or the disk refuses; the old bundle stays current then.
    """
    with home.writing() as draft:
        manifest = Manifest()
        found = _read_again(Shelf(home), draft, manifest)
        keys = {reading.key for one in found for reading in one.readings}
        return _write(home, draft, manifest, found, found, keys, progress, trained=True)


def _read_again(shelf: Shelf, draft: Draft, manifest: Manifest) -> list[Parsed]:
    """Every file that was added, read again; one that cannot be stays in the manifest, with the reason."""
    found: list[Parsed] = []
    for one in shelf.listed(draft.base):
        try:
            found.append(shelf.parsed(one))
        except EnvironmentFault as fault:
            manifest.added.append(one)
            manifest.unread.append(str(fault))
    return found


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
        shelf = Shelf(home)
        files = list(_files(paths))
        results: list[Added] = []
        fresh = [] if draft.base else _read_again(shelf, draft, manifest)
        for step, path in enumerate(files):
            progress(step, len(files) + 1, f"reading {path.name}")
            before = list(manifest.added)
            try:
                data = file_bytes(path)
                if _is_known(shelf, manifest, fresh, data, path, hints, replace=replace):
                    results.append(Added(str(path), "known"))
                    continue
                new = parsed(data, path, hints or Hints())
                _admit(shelf, manifest, fresh, new, replace=replace)
                fresh.append(new)
                results.append(Added(str(path), "added", list(new.readings)))
            except InputError as error:
                if not keep_going:
                    raise
                manifest.added[:] = before  # a refused file takes nothing away
                results.append(Added(str(path), "refused", error=error))
        if fresh or draft.base is None:
            affected = {reading.key for one in fresh for reading in one.readings} | _dropped(listed, manifest)
            companions = [shelf.parsed(one) for one in manifest.added if one.editions() & affected]
            _write(home, draft, manifest, fresh, [*companions, *fresh], affected, progress)
        return results


def ensure(home: Home, announce: Callable[[str], None]) -> None:
    """Builds the digest bundle where there is no bundle yet; `announce` gets one line about it."""
    if home.current() is None:
        announce(f"building the knowledge base in {home.path} from the digest …")
        build(home)


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


def _is_known(
    shelf: Shelf, manifest: Manifest, fresh: Sequence[Parsed], data: bytes, path: Path, hints: Hints | None, *, replace: bool
) -> bool:
    """Whether these bytes were added before. With `replace` they are filed anew, as is now said."""
    digest = sha256(data).hexdigest()
    if any(one.document.sha256 == digest for one in fresh):
        return True
    added = next((one for one in manifest.added if one.sha256 == digest), None)
    if added is None:
        return False
    if hints in (None, Hints()) or added.hints == _said(hints):
        if not shelf.has(digest):
            shelf.home.keep(data, added.name)
        return True
    if not replace:
        filed = ", ".join(f"{key}" for key in sorted(added.editions(), key=str))
        raise InputError(f"{path.name}: is already loaded as {filed}; give --replace to file it as you now say")
    manifest.added.remove(added)
    return False


def _said(hints: Hints | None) -> dict[str, str]:
    return {name: str(value) for name, value in asdict(hints or Hints()).items() if value is not None}


def _admit(shelf: Shelf, manifest: Manifest, fresh: Sequence[Parsed], new: Parsed, *, replace: bool) -> None:
    """Refuses a file that contradicts what is loaded; with `replace` what it contradicts is dropped instead."""
    keys = {reading.key for reading in new.readings}
    for one in [added for added in manifest.added if added.editions() & keys]:
        clash = _clash(shelf.parsed(one).readings, new)
        if clash and not replace:
            raise InputError(_refusal(new, one.name, clash))
        if clash:
            _give_up(manifest, one, [reading for reading in new.readings if conflicts(shelf.parsed(one).readings, reading)])
    for other in fresh:
        if clash := _clash(other.readings, new):
            raise InputError(_refusal(new, other.document.name, clash))


def _give_up(manifest: Manifest, one: AddedFile, replaced: Sequence[Reading]) -> None:
    """What other words replace of a file goes; a file that holds another book besides keeps that."""
    names = {name_of(reading.key, reading.lang) for reading in replaced}
    kept = tuple(row for row in one.readings if name_of(key_of_row(row), row["lang"]) not in names)
    place = manifest.added.index(one)
    left = dataclasses.replace(one, readings=kept, without=(*one.without, *sorted(names)))
    manifest.added[place : place + 1] = [left] if kept else []


def _clash(old: Sequence[Reading], new: Parsed) -> list[str]:
    return [locator for reading in new.readings for locator in conflicts(old, reading)]


def _refusal(new: Parsed, other: str, clash: Sequence[str]) -> str:
    where = ", ".join(clash[:3]) + (f" and {len(clash) - 3} more" if len(clash) > 3 else "")
    return (
        f"{new.document.name}: {new.readings[0].key} is loaded from {other} with other words in {where};"
        " give --replace to put this file in its place, or --edition to keep both"
    )


def _write(
    home: Home,
    draft: Draft,
    manifest: Manifest,
    fresh: Iterable[Parsed],
    parsed: Sequence[Parsed],
    affected: set[EditionKey],
    progress: Progress,
    *,
    trained: bool = False,
) -> Manifest:
    """Writes the affected editions (and, into an empty home, the digest's) and swaps the bundle in.

    `trained`: the model of the index learns from the books in two languages, which takes most of a minute for a large one.
    """
    incremental = draft.base is not None and bool(manifest.editions)
    keys = affected if incremental else affected | {digest.key for digest in digests()}
    for one in fresh:
        home.keep(one.data, one.document.name)
        manifest.added.append(_added(one))
    store = _store(draft, incremental=incremental)
    for step, key in enumerate(sorted(keys, key=str)):
        progress(step, len(keys), f"building {key}")
        edition = merge(key, [reading for one in parsed for reading in one.readings if reading.key == key])
        old = manifest.editions.pop(key, None)
        proposed = {} if incremental else proposals(edition)
        graphs = _replace_graphs(store, nquads(edition) | proposed, old.graphs if old else {})
        if edition.rules:
            manifest.editions[key] = _entry(edition, graphs)
    progress(len(keys), len(keys), "checking the claims")
    manifest.shipped = _replace_graphs(store, shipped.graphs(), manifest.shipped)
    store.flush()
    store.drop([verify.GRAPH])
    store.load(verify.nquads(store))
    store.close()
    manifest.write(draft.path)
    progress(len(keys), len(keys), "indexing")
    knowledge = Knowledge.open(draft.path)
    encoder = _encoder(draft, knowledge, trained=trained)
    index.write(draft.path / index.FOLDER, knowledge, encoder, draft.base / index.FOLDER if draft.base else None)
    draft.commit({one.sha256 for one in manifest.added})
    return manifest


def _encoder(draft: Draft, knowledge: Knowledge, *, trained: bool) -> Encoder:
    """The encoder of the index: trained on where a book is loaded in two languages, else as the bundle before has it."""
    own = draft.path / index.FOLDER / vectors.MODEL
    before = draft.base / index.FOLDER / vectors.MODEL if draft.base else None
    if trained and chosen() is None:
        vectors.train(own, knowledge)
    elif not trained and before is not None and before.is_dir():
        shutil.copytree(before, own)
    return vectors.of_bundle(own.parent)


def _replace_graphs(store: OxigraphStore, new: Mapping[str, bytes], before: Mapping[str, str]) -> dict[str, str]:
    """Writes the graphs whose digest is another than before; returns every graph's digest."""
    after = {graph: sha256(lines).hexdigest() for graph, lines in new.items()}
    store.drop(graph for graph, digest in before.items() if after.get(graph) != digest)
    for graph, lines in new.items():
        if before.get(graph) != after[graph]:
            store.load(lines)
    return after


def _dropped(listed: Sequence[AddedFile], manifest: Manifest) -> set[EditionKey]:
    """Editions of files that were listed and are no longer in the manifest."""
    kept = {one.sha256 for one in manifest.added}
    return {key for one in listed if one.sha256 not in kept for key in one.editions()}


def _store(draft: Draft, *, incremental: bool) -> OxigraphStore:
    if incremental and draft.base is not None:
        base = OxigraphStore(draft.base / STORE, read_only=True)
        base.copy(draft.path / STORE)
        base.close()
    return OxigraphStore(draft.path / STORE)


def _added(one: Parsed) -> AddedFile:
    readings = tuple({**asdict(reading.key), "lang": reading.lang} for reading in one.readings)
    why = tuple(map(str, one.readings[0].why)) if one.readings else ()
    return AddedFile(one.document.sha256, one.document.name, _said(one.hints), readings, why, one.without)


def _entry(edition: Edition, graphs: Mapping[str, str]) -> EditionEntry:
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
        graphs=graphs,
    )
