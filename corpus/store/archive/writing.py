"""Writing the archive of a draft: an edition goes in with all that the store has of it, and comes out the same, byte for byte."""

import json
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.address import RDF_TYPE, EditionKey, concept_name, graph_iri
from corpus.store.archive import body
from corpus.store.archive.archive import Archive
from corpus.store.archive.tables import FILE, FOLDER, TABLES, lines_of, pressed

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_PRIMER = 32 << 10
"""Bytes that zlib looks back."""
_HASH = 16
_FILE = ("lang", "authority", "file", "sha256")
_TYPED = re.compile(rf"(\S+) <{re.escape(RDF_TYPE)}> <([^>]*)> ")
Graphs = Mapping[str, bytes]
"""Named graph → sorted N-Quads."""


class Archiving(Archive):
    """The archive of a draft, to be read and written."""

    def __init__(self, rows: sqlite3.Connection) -> None:
        super().__init__(rows)
        self._file = rows
        rows.executescript(TABLES)

    def put(self, key: EditionKey, languages: Iterable[str], graphs: Graphs) -> bool:
        """Takes an edition in: its records, mentions and languages; whether they come out as they went in, else nothing is kept."""
        parts = {part: graphs.get(graph_iri(key, part), b"") for part in (*sorted(languages), body.RECORDS, body.MENTIONS)}
        records = list(_records(parts[body.RECORDS]))
        lines = {lang: lines_of(parts[lang].decode()) for lang in languages}
        told: dict[str, dict[str, list[str]]] = {}
        rest: list[str] = []
        for lang, some in lines.items():
            for line, (locator, statement) in zip(some, body.by_rule(some, key), strict=True):
                if locator is None:
                    rest.append(line)
                else:
                    told.setdefault(locator, {}).setdefault(lang, []).append(statement)
        self._insert(key, records, told, rest, parts)
        if self._comes_out(key, parts):
            return True
        self.drop(key)
        return False

    def drop(self, key: EditionKey) -> None:
        """Takes an edition out."""
        number = self._number(key)
        self._file.execute("DELETE FROM rule WHERE edition = ?", (number,))
        self._file.execute("DELETE FROM edition WHERE id = ?", (number,))
        self._file.execute("DELETE FROM body WHERE id NOT IN (SELECT body FROM rule)")
        self._file.execute("DELETE FROM mention WHERE body NOT IN (SELECT body FROM rule)")
        self._forget()

    def put_pair(self, graph: str, pair: tuple[EditionKey, EditionKey], lines: bytes) -> None:
        """Takes the graph of two neighbouring editions in."""
        old, new = pair
        text = lines.decode()
        told = _told(lines_of(text))
        row = (graph, old.game, old.book, old.edition, new.edition, len(lines_of(text)), *told, pressed(text))
        self._file.execute("INSERT OR REPLACE INTO pair VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def drop_pair(self, graph: str) -> None:
        """Takes such a graph out."""
        self._file.execute("DELETE FROM pair WHERE graph = ?", (graph,))

    def _insert(
        self,
        key: EditionKey,
        records: Sequence["RuleRecord"],
        told: Mapping[str, body.Parts],
        rest: Sequence[str],
        parts: Mapping[str, bytes],
    ) -> None:
        files = list(dict.fromkeys(_file(source) for record in records for source in record["sources"]))
        counts = {graph_iri(key, part): lines.count(b"\n") for part, lines in parts.items() if lines}
        about = _told([line for lines in parts.values() for line in lines_of(lines.decode())])
        named = json.dumps([dict(zip(_FILE, file, strict=True)) for file in files])
        row = (key.game, key.book, key.edition, named, json.dumps(counts), *about, pressed("\n".join(rest)))
        number = self._file.execute("INSERT INTO edition VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
        self._forget()
        kept = [(body.record_kept(record, key), body.quads_kept(told.get(record["locator"], {}), key)) for record in records]
        self._prime(kept)
        for place, (record, texts) in enumerate(zip(records, kept, strict=True)):
            where = [[files.index(_file(source)), source["start"], source["end"]] for source in record["sources"]]
            placed = (number, place, record["locator"], self._body(record, texts), json.dumps(where, separators=(",", ":")))
            self._file.execute("INSERT INTO rule VALUES (?, ?, ?, ?, ?)", placed)

    def _body(self, record: "RuleRecord", kept: tuple[str, str]) -> int:
        """The number of a body, which is written where it is new."""
        digest = blake2b("\n".join(kept).encode(), digest_size=_HASH).digest()
        if known := self._file.execute("SELECT id FROM body WHERE hash = ?", (digest,)).fetchone():
            return int(known[0])
        row = (digest, record["kind"], *(pressed(text, self._primer) for text in kept))
        number = self._file.execute("INSERT INTO body VALUES (NULL, ?, ?, ?, ?)", row).lastrowid
        assert number is not None
        mentions = [(concept_name(concept), number) for concept in body.mentioned(record)]
        self._file.executemany("INSERT INTO mention VALUES (?, ?)", mentions)
        return number

    def _prime(self, kept: Sequence[tuple[str, str]]) -> None:
        """Chooses the words that bodies are likely to have, from those that come first."""
        if kept and not self._primer:
            some = kept[:: max(len(kept) // 16, 1)]
            words = "".join(record for record, _ in some)[: _PRIMER // 2] + "".join(quads for _, quads in some)[: _PRIMER // 2]
            self._file.execute("INSERT INTO primer VALUES (?)", (words.encode()[-_PRIMER:],))
            self._forget()

    def _comes_out(self, key: EditionKey, parts: Mapping[str, bytes]) -> bool:
        there = b"".join(line.encode() + b"\n" for line in sorted(self.lines_of(key)))
        put = b"".join(sorted(line for lines in parts.values() for line in lines.splitlines(keepends=True)))
        return sha256(there).digest() == sha256(put).digest()

    def _forget(self) -> None:
        """What was read before may have changed."""
        for name in ("keys", "_editions", "_primer"):
            self.__dict__.pop(name, None)


def _records(lines: bytes) -> "list[RuleRecord]":
    """The records in their graph, in document order."""
    import pyoxigraph as ox

    records: list[Any] = [
        json.loads(quad.object.value)
        for quad in ox.parse(lines, format=ox.RdfFormat.N_QUADS)
        if isinstance(quad.object, ox.Literal) and quad.predicate.value.endswith("#record")
    ]
    return sorted(records, key=lambda record: int(record["order"]))


def _file(source: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(source[name] for name in _FILE)


def _told(lines: Sequence[str]) -> tuple[str, str]:
    """How many things some lines name of each class, and the properties that they state, as JSON."""
    typed = {match.groups() for match in map(_TYPED.match, lines) if match}
    predicates = {line.split(" ", 2)[1][1:-1] for line in lines}
    return json.dumps(Counter(name for _, name in typed)), json.dumps(sorted(predicates))


@contextmanager
def archiving(draft: Path, base: Path | None) -> Iterator[Archiving]:
    """The archive of a draft, which begins as that of the bundle before; where nothing is in it in the end there is no file."""
    file = draft / FOLDER / FILE
    file.parent.mkdir()
    if base and (base / FOLDER / FILE).exists():
        shutil.copyfile(base / FOLDER / FILE, file)
    with closing(sqlite3.connect(file)) as rows:
        rows.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")  # a draft that fails is thrown away
        with rows:
            archive = Archiving(rows)
            yield archive
        rows.execute("VACUUM")
        empty = not archive.keys
    if empty:
        shutil.rmtree(file.parent)
