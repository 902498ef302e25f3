"""Writing the files: all that the store tells of concepts, by concept."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import astuple
from itertools import groupby
from pathlib import Path

from corpus.store.engine import Store
from ontology.concepts.claims import claims_in
from ontology.concepts.files import CLAIMS, MAPPINGS, NAMES, TABLES, file_name, key_of
from ontology.concepts.mappings import mappings_in
from ontology.concepts.names import form_of, listed_in


def write(folder: Path, part: str, store: Store) -> None:
    """Writes a new file of a bundle's folder."""
    with closing(sqlite3.connect(folder / file_name(part))) as file, file:
        file.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + TABLES[part])
        _WRITERS[part](file, store)


def _names(file: sqlite3.Connection, store: Store) -> None:
    names = listed_in(store)
    by_concept = groupby(names.labels, lambda label: label.concept)
    file.executemany(
        "INSERT INTO called VALUES (?, ?)", ((concept, _json(label[1:] for label in some)) for concept, some in by_concept)
    )
    named = {(key_of(form_of(label.text)), label.concept) for label in names.labels}
    file.executemany("INSERT INTO named VALUES (?, ?)", sorted(named))
    file.executemany("INSERT INTO hub VALUES (?, ?)", sorted(names.hubs.items()))
    file.executemany("INSERT INTO book_term VALUES (?)", ((concept,) for concept in sorted(names.of_books)))
    curators = sorted((names.curators or {}).items())
    file.executemany("INSERT INTO curator VALUES (?, ?, ?, ?)", ((*label, who) for label, who in curators))


def _claims(file: sqlite3.Connection, store: Store) -> None:
    every = sorted(claims_in(store), key=lambda claim: claim.concept)  # by address, as they come, among those of a concept
    _tell(file, ((concept, map(astuple, some)) for concept, some in groupby(every, lambda claim: claim.concept)))


def _mappings(file: sqlite3.Connection, store: Store) -> None:
    by_concept = groupby(mappings_in(store), lambda row: row["concept"])
    _tell(file, by_concept)


def _tell(file: sqlite3.Connection, bodies: Iterable[tuple[str, Iterator[object]]]) -> None:
    file.executemany("INSERT INTO told VALUES (?, ?)", ((concept, _json(some)) for concept, some in bodies))


def _json(rows: Iterable[object]) -> str:
    return json.dumps([*rows], ensure_ascii=False, separators=(",", ":"))


_WRITERS: Mapping[str, Callable[[sqlite3.Connection, Store], None]] = {NAMES: _names, CLAIMS: _claims, MAPPINGS: _mappings}
