"""Reading the files: of the concepts that are asked for, and of no others."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from corpus.database import opened
from corpus.store.engine import Solution
from ontology.concepts.claims import Claim, Support
from ontology.concepts.files import CLAIMS, MAPPINGS, NAMES, file_name, key_of
from ontology.concepts.names import Form, Names
from ontology.labels import Label, Sort


class ConceptFiles:
    """The concepts of a bundle, see `Concepts` in `corpus.store`. Thread-safe; nothing is read before it is asked for."""

    def __init__(self, folder: Path) -> None:
        """Opens no file of the bundle's folder yet."""
        self._folder = folder

    @cached_property
    def names(self) -> Names:
        """What each is called."""
        file = self._opened(NAMES)

        def bearers(form: Form) -> list[str]:
            return [concept for (concept,) in file.execute("SELECT concept FROM named WHERE form = ?", (key_of(form),))]

        hubs: dict[str, str] = dict(file.execute("SELECT concept, hub FROM hub"))
        of_books = [concept for (concept,) in file.execute("SELECT concept FROM book_term")]
        curators = {(concept, lang, label): who for concept, lang, label, who in file.execute("SELECT * FROM curator")}
        return Names(_Labels(file), bearers, hubs, of_books, curators)

    def claims(self, concepts: Collection[str] | None = None) -> list[Claim]:
        """The claims about some concepts (None: about all), by address."""
        return sorted((_claim(body) for body in _bodies(self._claims, concepts)), key=lambda claim: claim.iri)

    def mappings(self, concepts: Collection[str] | None = None) -> list[Solution]:
        """The mappings of some concepts (None: of all), by concept; the surest first, the denied last."""
        return list(_bodies(self._mappings, concepts))

    @cached_property
    def _claims(self) -> sqlite3.Connection:
        return self._opened(CLAIMS)

    @cached_property
    def _mappings(self) -> sqlite3.Connection:
        return self._opened(MAPPINGS)

    def _opened(self, part: str) -> sqlite3.Connection:
        return opened(self._folder / file_name(part))


def _bodies(file: sqlite3.Connection, concepts: Collection[str] | None) -> Iterator[Any]:
    if concepts is None:
        rows = file.execute("SELECT bodies FROM told ORDER BY concept").fetchall()
    else:
        query = "SELECT bodies FROM told WHERE concept = ?"
        rows = [row for concept in sorted({*concepts}) if (row := file.execute(query, (concept,)).fetchone())]
    return (body for (bodies,) in rows for body in json.loads(bodies))


def _claim(body: list[Any]) -> Claim:
    iri, concept, name, value, status, notes, supports, labels = body
    return Claim(iri, concept, name, value, status, notes, tuple(Support(*support) for support in supports), labels)


class _Labels(Mapping[str, Sequence[Label]]):
    """Concept → its labels, read when they are asked for."""

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
