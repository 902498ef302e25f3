"""Reading the archive: superseded editions as the store had them, rule by rule or quad by quad."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from corpus.address import ID, EditionKey, concept_iri, concept_name, rule_iri, split_rule
from corpus.database import opened
from corpus.model import HEADINGS
from corpus.store.archive import body
from corpus.store.archive.tables import FILE, FOLDER, inflated, lines_of, unpressed

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_AT_ONCE = 500
"""Values in one query."""
_RULES = """
SELECT rule.edition, rule.place, rule.locator, rule.sources, before.locator, after.locator, body.%s FROM rule
 JOIN body ON body.id = rule.body
 LEFT JOIN rule AS before ON before.edition = rule.edition AND before.place = rule.place - 1
 LEFT JOIN rule AS after ON after.edition = rule.edition AND after.place = rule.place + 1
 WHERE %s ORDER BY rule.edition, rule.place"""


class _Edition(NamedTuple):
    key: EditionKey
    files: list[dict[str, Any]]  # language, authority, name and SHA-256 of each of its files


class Archive:
    """The superseded editions of a bundle. Thread-safe; without a file there are none."""

    def __init__(self, rows: sqlite3.Connection | None = None) -> None:
        self._rows = rows

    @classmethod
    def of(cls, bundle: Path) -> "Archive":
        """That of a bundle's folder."""
        file = bundle / FOLDER / FILE
        return cls(opened(file) if file.exists() else None)

    @cached_property
    def keys(self) -> frozenset[EditionKey]:
        """The editions in it."""
        return frozenset(edition.key for edition in self._editions.values())

    def __bool__(self) -> bool:
        return bool(self.keys)

    def numbered(self, locators: Iterable[str]) -> list[str]:
        """The addresses of the rules with one of some locators."""
        rows = self._in("SELECT edition, locator FROM rule WHERE locator IN (%s)", locators)
        return [rule_iri(self._editions[edition].key, locator) for edition, locator in rows]

    def locators(self) -> Iterator[tuple[str, str]]:
        """Every rule: its address and its locator."""
        for edition, locator in self._all("SELECT edition, locator FROM rule"):
            yield rule_iri(self._editions[edition].key, locator), locator

    def records(self, iris: Iterable[str]) -> "Iterator[RuleRecord]":
        """The records of some rules; those that are not there are missing."""
        wanted: dict[EditionKey, set[str]] = {}
        for iri in iris:
            if iri.startswith(ID) and iri.count("/") > ID.count("/") + 2:
                key, locator = split_rule(iri)
                wanted.setdefault(key, set()).add(locator)
        for number, edition in self._editions.items():
            some = sorted(wanted.get(edition.key, ()))
            for start in range(0, len(some), _AT_ONCE):
                held = some[start : start + _AT_ONCE]
                yield from self._read(f"rule.edition = {number} AND rule.locator IN ({_marks(held)})", held)

    def rules(self, key: EditionKey) -> list[str]:
        """The addresses of the rules of an edition, in document order."""
        rows = self._all("SELECT locator FROM rule WHERE edition = ? ORDER BY place", [self._number(key)])
        return [rule_iri(key, locator) for (locator,) in rows]

    def stored(self, key: EditionKey) -> "Iterator[RuleRecord]":
        """The records of an edition in document order."""
        return self._read("rule.edition = ?", [self._number(key)])

    def headings(self) -> "Iterator[RuleRecord]":
        """The records of chapters and sections."""
        return self._read(f"body.kind IN ({_marks(HEADINGS)})", HEADINGS)

    def holding(self, pattern: str, game: str | None = None) -> "Iterator[RuleRecord]":
        """The records that have something that fits a regular expression in them, in capitals or not; of one game or of all."""
        wanted, numbers = _in_any_case(pattern), self._of_game(game)
        bodies = self._all(f"SELECT id, record FROM body WHERE id IN (SELECT body FROM rule WHERE edition IN ({numbers}))")
        for number, record in bodies:
            if wanted(inflated(record, self._primer)):
                yield from self._read(f"rule.body = ? AND rule.edition IN ({numbers})", [number])

    def mentions(self, concepts: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Some concepts, each with the address of every rule that names it."""
        query = "SELECT concept, edition, locator FROM mention JOIN rule USING (body) WHERE concept IN (%s)"
        for concept, edition, locator in self._in(query, map(concept_name, concepts)):
            yield concept_iri(concept), rule_iri(self._editions[edition].key, locator)

    def lines(self) -> Iterator[str]:
        """Every quad, as lines of N-Quads."""
        for key in self.keys:
            yield from self.lines_of(key)
        for graph in self.pairs:
            yield from self.pair(graph)

    def lines_of(self, key: EditionKey) -> Iterator[str]:
        """The quads of an edition."""
        yield from self._rest(key)
        yield from self._stated("rule.edition = ?", [self._number(key)])
        for record in self.stored(key):
            yield from body.quads_of_record(record, key)

    @property
    def pairs(self) -> list[str]:
        """The graphs of neighbouring editions that are in it."""
        return [graph for (graph,) in self._all("SELECT graph FROM pair ORDER BY graph")]

    def pair(self, graph: str) -> list[str]:
        """The quads of the graph of two neighbouring editions; none where it is not here."""
        rows = self._all("SELECT lines FROM pair WHERE graph = ?", [graph])
        return [line for (lines,) in rows for line in lines_of(unpressed(lines))]

    def about(self, iri: str) -> Iterator[str]:
        """What is stated of a rule, its parts or an edition, without the look-up records, as lines of N-Triples."""
        own, parts = f"<{iri}> ", f"<{iri}#"
        for line in self._near(iri):
            if line.startswith((own, parts)):
                yield f"{line.rsplit(' ', 2)[0]} ."

    def triples(self) -> Iterator[str]:
        """What is stated, without the look-up records, as lines of N-Triples."""
        for line in self.lines():
            statement, graph, _ = line.rsplit(" ", 2)
            if not graph.endswith(f"/{body.RECORDS}>"):
                yield f"{statement} ."

    def graphs(self) -> Counter[str]:
        """How many quads each graph has."""
        told = self._all("SELECT graphs FROM edition")
        editions = sum((Counter(json.loads(graphs)) for (graphs,) in told), Counter[str]())
        return editions + Counter(dict(self._all("SELECT graph, quads FROM pair")))

    def classes(self) -> Counter[str]:
        """How many things there are of each class."""
        told = self._all("SELECT classes FROM edition UNION ALL SELECT classes FROM pair")
        return sum((Counter(json.loads(classes)) for (classes,) in told), Counter[str]())

    def predicates(self) -> frozenset[str]:
        """The properties that are stated."""
        told = self._all("SELECT predicates FROM edition UNION SELECT predicates FROM pair")
        return frozenset(name for (names,) in told for name in json.loads(names))

    def _near(self, iri: str) -> Iterator[str]:
        """Quads among which are all of a rule or an edition."""
        game, book, edition, locator = (*iri.removeprefix(ID).split("/", 3), "", "", "", "")[:4]
        key = EditionKey(game, book, edition)
        if key in self.keys and locator:
            where = [self._number(key), locator]
            yield from self._stated("rule.edition = ? AND rule.locator = ?", where)
            for record in self._read("rule.edition = ? AND rule.locator = ?", where):
                yield from (line for line in body.quads_of_record(record, key) if not line.endswith(f"/{body.RECORDS}> ."))
        elif key in self.keys:
            yield from self._rest(key)
        query = "SELECT graph FROM pair WHERE game = ? AND book = ? AND ? IN (old, new)"
        yield from (line for (graph,) in self._all(query, [game, book, edition]) for line in self.pair(graph))

    def _rest(self, key: EditionKey) -> list[str]:
        """The quads that speak of an edition as a whole."""
        [(rest,)] = self._all("SELECT rest FROM edition WHERE id = ?", [self._number(key)])
        return lines_of(unpressed(rest))

    def _stated(self, where: str, given: Iterable[object]) -> Iterator[str]:
        for edition, order, locator, sources, before, after, kept in self._all(_RULES % ("quads", where), given):
            place = self._place(edition, order, before, after, sources)
            yield from body.quads_of(self._unpressed(kept), rule_iri(place.key, locator), place)

    def _read(self, where: str, given: Iterable[object]) -> "Iterator[RuleRecord]":
        for edition, order, _, sources, before, after, kept in self._all(_RULES % ("record", where), given):
            yield body.record_of(self._unpressed(kept), self._place(edition, order, before, after, sources))

    def _place(self, edition: int, order: int, before: str | None, after: str | None, sources: str) -> body.Place:
        own = self._editions[edition]
        told: list[Any] = [{**own.files[file], "start": start, "end": end} for file, start, end in json.loads(sources)]
        return body.Place(own.key, order, before, after, told)

    def _number(self, key: EditionKey) -> int:
        return next((number for number, edition in self._editions.items() if edition.key == key), 0)

    def _of_game(self, game: str | None) -> str:
        return ", ".join(str(number) for number, edition in self._editions.items() if game in (None, edition.key.game))

    @cached_property
    def _editions(self) -> Mapping[int, _Edition]:
        rows = self._all("SELECT id, game, book, edition, files FROM edition ORDER BY game, book, edition")
        return {number: _Edition(EditionKey(*named), json.loads(files)) for number, *named, files in rows}

    @cached_property
    def _primer(self) -> bytes:
        return next((primer for (primer,) in self._all("SELECT bytes FROM primer")), b"")

    def _unpressed(self, data: bytes) -> str:
        return unpressed(data, self._primer)

    def _in(self, query: str, given: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        wanted = sorted({*given})
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            yield from self._all(query % _marks(some), some)

    def _all(self, query: str, given: Iterable[object] = ()) -> list[tuple[Any, ...]]:
        return self._rows.execute(query, tuple(given)).fetchall() if self._rows else []


def _in_any_case(pattern: str) -> Callable[[bytes], object]:
    """Looks in UTF-8 for a regular expression; RE2 takes a fifth of the time of `re`, however many names the expression has."""
    import re2

    options = re2.Options()
    options.case_sensitive, options.never_capture = False, True
    looked_for: Callable[[bytes], object] = re2.compile(pattern.encode(), options).search
    return looked_for


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))
