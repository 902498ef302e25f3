"""Files of rulings in a home: the list of added ones, their rulings merged in order, and their graphs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from corpus.errors import EnvironmentFault, InputError
from corpus.model import Authority, Ruling
from corpus.store.documents import NewDocuments
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.home.manifest import AddedFile, Manifest, RulingsEntry, rulings_name
from corpus.store.rulings import put_rulings
from ingest.read.document import file_bytes
from ingest.rulings import quads
from ingest.rulings.gather import Counts, RulingCollection
from ingest.rulings.read import RulingHints, RulingsFile, is_rulings, read
from rulestone.writing.sources import whole_copy

Source = tuple[str, str]
"""Game and source."""


@dataclass(frozen=True, slots=True)
class RulingsAdded:
    """A file of rulings that is being added, and the results for its rulings, source by source."""

    file: RulingsFile
    data: bytes
    added: AddedFile
    counts: Mapping[Source, Counts]


class RulingSources:
    """The files of rulings of a home, each read again from its copy at most once."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._read: dict[str, RulingsFile] = {}

    def rulings(self, added: AddedFile) -> list[Ruling]:
        """The rulings of a file, without those of removed sources. Raises EnvironmentFault if it cannot be read."""
        if added.sha256 not in self._read:
            self._read[added.sha256] = self._again(added)
        return [
            ruling for ruling in self._read[added.sha256].rulings if rulings_name(ruling.game, ruling.source) not in added.without
        ]

    def fresh(self, data: bytes, path: Path, hints: RulingHints) -> tuple[RulingsFile, AddedFile]:
        """A new file. Raises InputError if it has no rulings."""
        read_file = read(data, path, hints)
        names = tuple(sorted({rulings_name(ruling.game, ruling.source) for ruling in read_file.rulings}))
        added = AddedFile(read_file.sha256, read_file.name, _said(hints), (), tuple(map(str, read_file.why)), rulings=names)
        self._read[read_file.sha256] = read_file
        return read_file, added

    def collection(self, files: Iterable[AddedFile]) -> tuple[RulingCollection, dict[str, dict[Source, Counts]]]:
        """The merged rulings of files in order, and the result for each, by hash and source."""
        collection, counts = RulingCollection(), dict[str, dict[Source, Counts]]()
        for added in files:
            by_source: dict[Source, list[Ruling]] = {}
            for ruling in self.rulings(added):
                by_source.setdefault((ruling.game, ruling.source), []).append(ruling)
            counts[added.sha256] = {source: collection.take(versions) for source, versions in sorted(by_source.items())}
        return collection, counts

    def _again(self, added: AddedFile) -> RulingsFile:
        copy = whole_copy(self.home, added.sha256, added.name)
        try:
            return read(file_bytes(copy), Path(added.name), hints_of(added.hints))
        except InputError as fault:
            raise EnvironmentFault(
                "{file} was added before and cannot be read again: {reason}", file=added.name, reason=fault.message
            ) from fault


def holds_rulings(data: bytes, path: Path, *, said: bool) -> bool:
    """Whether a file holds rulings: by its kind, or by options that only rulings have."""
    return said or is_rulings(data, path)


def known(manifest: Manifest, data: bytes, hints: RulingHints) -> bool:
    """Whether these bytes were added before with the same options."""
    digest = sha256(data).hexdigest()
    return any(
        file.sha256 == digest and file.rulings and not file.without and file.hints == _said(hints) for file in manifest.added
    )


def put(
    documents: NewDocuments, store: Store, manifest: Manifest, collection: RulingCollection, sources: Collection[Source]
) -> None:
    """Writes the rulings of some sources into the records, a store and the manifest of a draft."""
    for source in sorted(sources):
        versions = collection.of(*source)
        put_rulings(documents, *source, versions)
        before = next((entry for entry in manifest.rulings if (entry.game, entry.source) == source), None)
        graphs = quads.nquads(*source, versions) if versions else {}
        digests = {graph: sha256(lines).hexdigest() for graph, lines in graphs.items()}
        old = dict(before.graphs) if before else {}
        store.drop(graph for graph, digest in old.items() if digests.get(graph) != digest)
        for graph, lines in graphs.items():
            if old.get(graph) != digests[graph]:
                store.load(lines)
        manifest.rulings[:] = [entry for entry in manifest.rulings if entry is not before]
        if versions:
            manifest.rulings.append(_entry(source, versions, digests))
    manifest.rulings.sort(key=lambda entry: entry.name)
    store.flush()


def _entry(source: Source, versions: Sequence[Ruling], graphs: Mapping[str, str]) -> RulingsEntry:
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


def _said(hints: RulingHints) -> dict[str, str]:
    """The user's options for a file, as in the manifest."""
    said = {"game": hints.game, "source": hints.source, "lang": hints.lang, "authority": hints.authority}
    mapped = ",".join(f"{role}={name}" for role, name in hints.fields.items())
    return {name: str(value) for name, value in {**said, "map": mapped or None}.items() if value is not None}


def hints_of(said: Mapping[str, str | None]) -> RulingHints:
    """The same from the manifest."""
    authority = said.get("authority")
    fields = dict(pair.split("=", 1) for pair in (said.get("map") or "").split(",") if pair)
    return RulingHints(
        said.get("game") or "", said.get("source"), said.get("lang"), Authority(authority) if authority else None, fields
    )
