"""The records of a bundle: `records.db`, one SQLite file of named documents.

A document is an ordered list of named JSON bodies: the rules of an edition, the steps between the editions of a book. A look-up
fetches entries by name or by key.

    document   its name, the names of its entries in order, and data about the whole
    entry      the nth body of a document, and the data that this document adds
    body       deflated; it contains NUL instead of the document's address, so that equal rules of editions share it
    key        a key of a document, and the positions of its entries
    primer     the preset dictionary of zlib for the bodies of a kind of document

Every row has the XXH3-64 of its cells, which is checked when it is read. Missing rows are detected: the names of a document are
one checksummed cell, and every key names the next one. A wrong or missing row, or a page that SQLite cannot read, raises
DamagedError.
"""

import json
import shutil
import sqlite3
import threading
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import xxhash

from corpus.address import iri_of
from corpus.messages import message
from corpus.store.home import checksums
from corpus.store.home.disk import os_faults

FILE_NAME = "records.db"
_CREATE_TABLES = """
CREATE TABLE document (
 id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, names TEXT NOT NULL, about TEXT NOT NULL, sum BLOB NOT NULL);
CREATE TABLE entry (document INTEGER, place INTEGER, body INTEGER NOT NULL, own TEXT NOT NULL, sum BLOB NOT NULL,
 PRIMARY KEY (document, place)) WITHOUT ROWID;
CREATE TABLE body (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, primer INTEGER NOT NULL, packed BLOB NOT NULL);
CREATE TABLE key (document INTEGER, key TEXT, next TEXT NOT NULL, places BLOB NOT NULL, sum BLOB NOT NULL,
 PRIMARY KEY (document, key)) WITHOUT ROWID;
CREATE TABLE primer (id INTEGER PRIMARY KEY, kind TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL, sum BLOB NOT NULL);
"""
_SELECT_ENTRIES = """
SELECT place, own, sum, body, primer, packed FROM entry JOIN body ON body.id = entry.body
 WHERE document = ? AND place %s ORDER BY place"""
_LAST_KEY = "\U0010ffff"
"""The successor of the last key; greater than every key."""
_ADDRESS_PLACEHOLDER = b"\0"
"""Placeholder of the document's address in a body; JSON escapes this character, so texts cannot contain it."""
_RAW, _LEVEL, _PRIMER = -15, 6, 32 << 10
"""zlib: raw deflate (no header), compression level, window size in bytes."""
_MAX_VALUES = 500
"""Maximum number of values in one query."""
_FREE_PAGE_LIMIT = 4
"""The file is rewritten when more than one in this many pages is free."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One body of a document, unpacked when it is read."""

    place: int
    name: str
    own: str  # data stored only in its document
    body: int  # equal for equal bodies, apart from the address of the document
    packed: bytes
    primer: bytes
    address: bytes  # of the document

    @property
    def content(self) -> bytes:
        """JSON."""
        plain = zlib.decompressobj(_RAW, *([self.primer] if self.primer else [])).decompress(self.packed)
        return plain.replace(_ADDRESS_PLACEHOLDER, self.address)


class NewEntry(NamedTuple):
    """A body to write."""

    name: str
    content: bytes
    own: str = ""


class DocumentIndex:
    """The names of a document's entries, and the data about the whole."""

    def __init__(self, number: int, name: str, names: str, about: str) -> None:
        self.number = number
        self.iri = iri_of(name)
        self._names = names
        self._about = about

    def __len__(self) -> int:
        return self._names.count("\n")

    @cached_property
    def names(self) -> Sequence[str]:
        """The names of its entries, in their order."""
        return self._names.split("\n")[:-1]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Name → place."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def about(self) -> Any:  # noqa: ANN401
        """The data about the whole document."""
        return json.loads(self._about)


class Documents:
    """The documents of a bundle, opened for reading. Thread-safe: each thread has a connection of its own."""

    def __init__(self, file: Path) -> None:
        """Reads nothing yet."""
        self.file = file
        self._local = threading.local()
        self._documents: dict[str, DocumentIndex] = {}
        self._primers: dict[int, bytes] = {}

    def document(self, name: str) -> DocumentIndex:
        """The document with a name. Raises DamagedError if it is missing, because names come from the manifest."""
        if name not in self._documents:
            rows = self.select_rows("SELECT id, names, about, sum FROM document WHERE name = ?", (name,))
            number, names, about, total = rows[0] if rows else self._damaged_error()
            self._check(total, _row_hash(number, name, names, about))
            self._documents[name] = DocumentIndex(number, name, names, about)
        return self._documents[name]

    def entries(self, name: str, places: Iterable[int] | None = None) -> Iterator[Entry]:
        """Some entries of a document (None: all), by place."""
        document = self.document(name)
        if places is None:
            yield from self._entries(document, ">= 0", (), range(len(document)))
            return
        unique = sorted({*places})
        for start in range(0, len(unique), _MAX_VALUES):
            some = unique[start : start + _MAX_VALUES]
            yield from self._entries(document, f"IN ({', '.join('?' * len(some))})", some, some)

    def entries_by_name(self, name: str, entries: Iterable[str]) -> Iterator[Entry]:
        """The entries of a document with the given names."""
        places = self.document(name).places
        return self.entries(name, (places[entry] for entry in entries if entry in places))

    def places(self, name: str, key: str) -> Sequence[int]:
        """The positions of the entries with a key."""
        for entry_key, places in self._keys(name, key, f"{key}\0"):
            if entry_key == key:
                return places
        return ()

    def keys(self, name: str, first: str = "", last: str = _LAST_KEY) -> Iterator[tuple[str, Sequence[int]]]:
        """The keys of a document in the half-open range, sorted, each with the positions of its entries."""
        return (row for row in self._keys(name, first, last) if row[0] >= first and row[0])

    def key_before(self, name: str, key: str) -> str:
        """The greatest key that is not greater than a string; "" if there is none."""
        return next(self._keys(name, key, f"{key}\0"))[0]

    def _keys(self, name: str, first: str, last: str) -> Iterator[tuple[str, Sequence[int]]]:
        """The same, preceded by the key before the range; checks that each key follows the previous one."""
        number = self.document(name).number
        rows = self.select_rows(
            "SELECT key, next, places, sum FROM key WHERE document = ?1 AND key < ?3 AND key >="
            " (SELECT key FROM key WHERE document = ?1 AND key <= ?2 ORDER BY key DESC LIMIT 1) ORDER BY key",
            (number, first, last),
        )
        after = ""
        for nth, (key, following, places, total) in enumerate(rows):
            self._check(total, _row_hash(number, key, following, places))
            if (nth and key != after) or (not nth and not key <= first < following):
                self._damaged_error()
            after = following
            yield key, array("I", places)
        if after < last:
            self._damaged_error()

    def _entries(self, document: DocumentIndex, column: str, values: Sequence[int], expected: Sequence[int]) -> Iterator[Entry]:
        rows, address = self.select_rows(_SELECT_ENTRIES % column, (document.number, *values)), document.iri.encode()
        if len(rows) != len(expected):
            self._damaged_error()
        for (place, own, total, body, primer, packed), expected_place in zip(rows, expected, strict=True):
            if place != expected_place or not isinstance(packed, bytes):
                self._damaged_error()
            self._check(total, _row_hash(document.number, place, body, own, primer, packed))
            yield Entry(place, document.names[place], own, body, packed, self.compression_primer(primer), address)

    def compression_primer(self, number: int) -> bytes:
        """The words with which the compression of a kind of documents starts."""
        if number not in self._primers:
            rows = self.select_rows("SELECT kind, bytes, sum FROM primer WHERE id = ?", (number,))
            kind, words, total = rows[0] if rows else self._damaged_error()
            self._check(total, _row_hash(number, kind, words))
            self._primers[number] = words
        return self._primers[number]

    def _check(self, total: object, expected: bytes) -> None:
        if total != expected:
            self._damaged_error()

    def _damaged_error(self) -> NoReturn:
        raise checksums.changed_file_error(self.file)

    def select_rows(self, query: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query. Raises DamagedError if SQLite cannot read them."""
        try:
            return self._connection().execute(query, parameters).fetchall()
        except sqlite3.Error as fault:
            self._raise_access_fault(fault)
            raise checksums.changed_file_error(self.file) from fault

    def _raise_access_fault(self, fault: sqlite3.Error) -> None:
        """Raises EnvironmentFault if the file is there but cannot be read: that is no damage."""
        with os_faults(message("read {file}", file=self.file)):
            if isinstance(fault, sqlite3.OperationalError) and fault.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:
                raise fault
            with suppress(FileNotFoundError):
                self.file.open("rb").close()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(f"{self.file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
            self._local.connection = connection
        return connection


class NewDocuments(Documents):
    """The documents of a draft, read and written by one thread."""

    def __init__(self, file: Path | None = None) -> None:
        """Without a file, the documents are kept in memory."""
        super().__init__(file or Path(FILE_NAME))
        is_new = file is None or not file.exists()
        self._opened = sqlite3.connect(file or ":memory:")
        self._opened.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")  # a failed draft is discarded
        if is_new:
            self._opened.executescript(_CREATE_TABLES)
        self._dropped = False

    def add_document(
        self, name: str, entries: Iterable[NewEntry], keys: Mapping[str, Iterable[int]] | None = None, about: object = None
    ) -> None:
        """Writes a document, replacing any of the same name. `keys` maps keys to positions of entries.

        Raises ValueError for a name with a line break.
        """
        self.drop(name)
        new = list(entries)
        if any("\n" in entry.name for entry in new):
            raise ValueError(f"a name in {name} has two lines")
        names, data = "".join(f"{entry.name}\n" for entry in new), json.dumps(about, ensure_ascii=False, separators=(",", ":"))
        number = self.insert("INSERT INTO document VALUES (NULL, ?, ?, ?, x'')", (name, names, data))
        self.execute("UPDATE document SET sum = ? WHERE id = ?", (_row_hash(number, name, names, data), number))
        self._put_entries(number, name, new)
        self._put_keys(number, sorted({"": (), **(keys or {})}.items()))

    def _put_entries(self, number: int, name: str, entries: Sequence[NewEntry]) -> None:
        here = iri_of(name).encode()
        contents = [entry.content.replace(here, _ADDRESS_PLACEHOLDER) for entry in entries]
        packing = _EntryPacking(self, name.rpartition("/")[0], contents)
        for place, (entry, content) in enumerate(zip(entries, contents, strict=True)):
            body, primer, packed = packing.body(content)
            total = _row_hash(number, place, body, entry.own, primer, packed)
            self.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", (number, place, body, entry.own, total))

    def _put_keys(self, number: int, keys: Sequence[tuple[str, Iterable[int]]]) -> None:
        for (key, places), (following, _) in zip(keys, [*keys[1:], (_LAST_KEY, ())], strict=True):
            packed = array("I", places).tobytes()
            row = (number, key, following, packed, _row_hash(number, key, following, packed))
            self.execute("INSERT INTO key VALUES (?, ?, ?, ?, ?)", row)

    def drop(self, name: str) -> None:
        """Removes a document, if it exists."""
        self._documents.pop(name, None)
        for (number,) in self.select_rows("SELECT id FROM document WHERE name = ?", (name,)):
            for table in ("entry", "key"):
                self.execute(f"DELETE FROM {table} WHERE document = ?", (number,))
            self.execute("DELETE FROM document WHERE id = ?", (number,))
            self._dropped = True

    def close(self) -> None:
        """Writes pending changes to disk and deletes bodies without a document."""
        if self._dropped:
            self.execute("DELETE FROM body WHERE id NOT IN (SELECT body FROM entry)")
        self._opened.commit()
        [(free,)], [(pages,)] = self.select_rows("PRAGMA freelist_count"), self.select_rows("PRAGMA page_count")
        if free * _FREE_PAGE_LIMIT > pages:
            self._opened.execute("VACUUM")
        self._opened.close()

    def insert(self, query: str, row: Sequence[object]) -> int:
        """Inserts a row and returns its number."""
        return self._opened.execute(query, row).lastrowid or 0

    def execute(self, query: str, row: Sequence[object] = ()) -> None:
        """Runs a statement without a result."""
        self._opened.execute(query, row)

    def _connection(self) -> sqlite3.Connection:
        return self._opened


class _EntryPacking:
    """Writes the bodies of one document; existing bodies are reused."""

    def __init__(self, documents: NewDocuments, kind: str, contents: Sequence[bytes]) -> None:
        self._documents = documents
        self.primer = self._make_primer(kind, contents)
        words = documents.compression_primer(self.primer)
        parameters = (zlib.DEF_MEM_LEVEL, zlib.Z_DEFAULT_STRATEGY, words) if words else ()
        self._press = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW, *parameters)

    def body(self, content: bytes) -> tuple[int, int, bytes]:
        """The number of a body, the number of its primer, and the deflated body."""
        digest = blake2b(content, digest_size=16).digest()
        for number, primer, packed in self._documents.select_rows("SELECT id, primer, packed FROM body WHERE hash = ?", (digest,)):
            return number, primer, packed
        press = self._press.copy()
        packed = press.compress(content) + press.flush()
        number = self._documents.insert("INSERT INTO body VALUES (NULL, ?, ?, ?)", (digest, self.primer, packed))
        return number, self.primer, packed

    def _make_primer(self, kind: str, contents: Sequence[bytes]) -> int:
        """The primer of a kind of documents, made from the first of them; empty for short documents."""
        for (number,) in self._documents.select_rows("SELECT id FROM primer WHERE kind = ?", (kind,)):
            return int(number)
        size = min(_PRIMER, sum(map(len, contents)) // 16)
        words = b"".join(contents[:: max(len(contents) // 12, 1)])[:size]
        number = self._documents.insert("INSERT INTO primer VALUES (NULL, ?, ?, x'')", (kind, words))
        self._documents.execute("UPDATE primer SET sum = ? WHERE id = ?", (_row_hash(number, kind, words), number))
        return number


@contextmanager
def draft_documents(draft: Path, base: Path | None) -> Iterator[NewDocuments]:
    """The documents of a draft, starting from those of the previous bundle.

    Raises DamagedError if the previous bundle is damaged.
    """
    if base is not None:
        checksums.check_whole(base, FILE_NAME)
        shutil.copyfile(base / FILE_NAME, draft / FILE_NAME)
    with closing(NewDocuments(draft / FILE_NAME)) as documents:
        yield documents


def fingerprint(entries: Iterable[NewEntry], about: object = None) -> str:
    """A hash of everything written for a document."""
    digest = sha256(json.dumps(about).encode())
    for entry in entries:
        digest.update(b"\n".join((entry.name.encode(), entry.content, entry.own.encode(), b"")))
    return digest.hexdigest()


def _row_hash(seed: int, *cells: object) -> bytes:
    """The XXH3-64 of the cells of a numbered row."""
    digest = xxhash.xxh3_64(seed=seed & 0xFFFFFFFFFFFFFFFF)
    for cell in cells:
        digest.update(cell if isinstance(cell, bytes) else f"\0{cell}".encode())
    return digest.digest()
