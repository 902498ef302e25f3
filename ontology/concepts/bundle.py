"""The concepts of a bundle: their names, claims and mappings, from the graph or from SQLite files for look-ups.

The files are written when a bundle is built, one for each part, so that a part that did not change can be linked from the previous
bundle. Look-ups read the rows of the concepts they are about, and no others.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from corpus.database import open_immutable
from corpus.store.engine import Solution, Store
from ontology.concepts.claims import Claim, Support, claims_in
from ontology.concepts.names import Form, Names, form_of, names_from, stored_names
from ontology.labels import Label, Sort
from ontology.mappings import mappings_in

FOLDER = "concepts"
"""Folder of a bundle."""
NAMES, CLAIMS, MAPPINGS = PARTS = ("names", "claims", "mappings")
_BODIES = "CREATE TABLE told (concept TEXT PRIMARY KEY, bodies TEXT NOT NULL) WITHOUT ROWID;"
_TABLES = {
    NAMES: """
CREATE TABLE called (concept TEXT PRIMARY KEY, labels TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE named (form TEXT, concept TEXT, PRIMARY KEY (form, concept)) WITHOUT ROWID;
CREATE TABLE hub (concept TEXT PRIMARY KEY, hub TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE book_term (concept TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE curator (concept TEXT, lang TEXT, label TEXT, who TEXT NOT NULL, PRIMARY KEY (concept, lang, label)) WITHOUT ROWID;
""",
    CLAIMS: _BODIES,
    MAPPINGS: _BODIES,
}
"""Labels, claims and mappings of a concept are one JSON array, since they are read together."""


class Concepts(Protocol):
    """The concepts of a bundle, whatever date is asked about."""

    @property
    def names(self) -> Names:
        """The names of every concept."""
        ...

    def claims(self, concepts: Collection[str] | None = None) -> list[Claim]:
        """The claims about some concepts (None: about all), sorted by IRI."""
        ...

    def mappings(self, concepts: Collection[str] | None = None) -> list[Solution]:
        """The mappings of some concepts (None: of all), by concept; the most confident first, negated ones last."""
        ...


class StoredConcepts:
    """`Concepts` from the graph; all names are read with the first one."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @cached_property
    def names(self) -> Names:
        """See Concepts."""
        return names_from(stored_names(self._store))

    def claims(self, concepts: Collection[str] | None = None) -> list[Claim]:
        """See Concepts."""
        return claims_in(self._store, concepts)

    def mappings(self, concepts: Collection[str] | None = None) -> list[Solution]:
        """See Concepts."""
        return mappings_in(self._store, concepts)


class ConceptFiles:
    """`Concepts` from a bundle's files, opened on demand. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def names(self) -> Names:
        """See Concepts."""
        file = self._open(NAMES)

        def bearers(form: Form) -> list[str]:
            return [concept for (concept,) in file.execute("SELECT concept FROM named WHERE form = ?", (_form_key(form),))]

        hubs: dict[str, str] = dict(file.execute("SELECT concept, hub FROM hub"))
        of_books = [concept for (concept,) in file.execute("SELECT concept FROM book_term")]
        curators = {(concept, lang, label): curator for concept, lang, label, curator in file.execute("SELECT * FROM curator")}
        return Names(_Labels(file), bearers, hubs, of_books, curators)

    def claims(self, concepts: Collection[str] | None = None) -> list[Claim]:
        """See Concepts."""
        return sorted((_claim(row) for row in _rows(self._claims, concepts)), key=lambda claim: claim.iri)

    def mappings(self, concepts: Collection[str] | None = None) -> list[Solution]:
        """See Concepts."""
        return list(_rows(self._mappings, concepts))

    @cached_property
    def _claims(self) -> sqlite3.Connection:
        return self._open(CLAIMS)

    @cached_property
    def _mappings(self) -> sqlite3.Connection:
        return self._open(MAPPINGS)

    def _open(self, part: str) -> sqlite3.Connection:
        return open_immutable(self._folder / file_name(part))


class _Labels(Mapping[str, Sequence[Label]]):
    """Concept → its labels, read on demand."""

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file
        self._read: dict[str, Sequence[Label]] = {}

    def __getitem__(self, concept: str) -> Sequence[Label]:
        if concept not in self._read:
            row = self._file.execute("SELECT labels FROM called WHERE concept = ?", (concept,)).fetchone()
            if row is None:
                raise KeyError(concept)
            labels = [Label(concept, lang, text, Sort(sort), official) for lang, text, sort, official in json.loads(row[0])]
            self._read[concept] = labels
        return self._read[concept]

    def __iter__(self) -> Iterator[str]:
        return iter(self._concepts)

    def __len__(self) -> int:
        return len(self._concepts)

    @cached_property
    def _concepts(self) -> list[str]:
        return [concept for (concept,) in self._file.execute("SELECT concept FROM called ORDER BY concept")]


def _rows(file: sqlite3.Connection, concepts: Collection[str] | None) -> Iterator[Any]:
    if concepts is None:
        rows = file.execute("SELECT bodies FROM told ORDER BY concept").fetchall()
    else:
        query = "SELECT bodies FROM told WHERE concept = ?"
        rows = [row for concept in sorted({*concepts}) if (row := file.execute(query, (concept,)).fetchone())]
    return (body for (bodies,) in rows for body in json.loads(bodies))


def _claim(row: list[Any]) -> Claim:
    iri, concept, name, value, status, notes, supports, labels = row
    return Claim(iri, concept, name, value, status, notes, tuple(Support(*support) for support in supports), labels)


def file_name(part: str) -> str:
    """The file of a part in the folder."""
    return f"{part}.sqlite"


def _form_key(form: Form) -> str:
    return "\x1f".join(form)


def write_part(folder: Path, part: str, store: Store) -> None:
    """Writes the file of a part into a new bundle's folder."""
    with closing(sqlite3.connect(folder / file_name(part))) as file, file:
        file.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES[part])
        _WRITERS[part](file, store)


def _write_names(file: sqlite3.Connection, store: Store) -> None:
    names = stored_names(store)
    labels = ((concept, _json(label[1:] for label in some)) for concept, some in groupby(names.labels, lambda label: label.concept))
    file.executemany("INSERT INTO called VALUES (?, ?)", labels)
    forms = {(_form_key(form_of(label.text)), label.concept) for label in names.labels}
    file.executemany("INSERT INTO named VALUES (?, ?)", sorted(forms))
    file.executemany("INSERT INTO hub VALUES (?, ?)", sorted(names.hubs.items()))
    file.executemany("INSERT INTO book_term VALUES (?)", ((concept,) for concept in sorted(names.of_books)))
    file.executemany(
        "INSERT INTO curator VALUES (?, ?, ?, ?)", ((*label, who) for label, who in sorted((names.curators or {}).items()))
    )


def _write_claims(file: sqlite3.Connection, store: Store) -> None:
    claims = sorted(claims_in(store), key=lambda claim: claim.concept)  # stable: those of a concept stay sorted by IRI
    _write_bodies(file, ((concept, map(astuple, some)) for concept, some in groupby(claims, lambda claim: claim.concept)))


def _write_mappings(file: sqlite3.Connection, store: Store) -> None:
    by_concept = groupby(mappings_in(store), lambda row: row["concept"])
    _write_bodies(file, by_concept)


def _write_bodies(file: sqlite3.Connection, bodies: Iterable[tuple[str, Iterator[object]]]) -> None:
    file.executemany("INSERT INTO told VALUES (?, ?)", ((concept, _json(some)) for concept, some in bodies))


def _json(rows: Iterable[object]) -> str:
    return json.dumps([*rows], ensure_ascii=False, separators=(",", ":"))


_WRITERS: Mapping[str, Callable[[sqlite3.Connection, Store], None]] = {
    NAMES: _write_names,
    CLAIMS: _write_claims,
    MAPPINGS: _write_mappings,
}
