"""The one door to the graph: SPARQL 1.1 in, plain values out. Nothing else may know which engine answers."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyoxigraph as ox

from corpus.errors import InputError
from ontology.store.guard import keywords, refuse

Solution = Mapping[str, str]
"""One solution: variable → lexical form. Unbound variables are missing."""


_JSON, _TSV = ox.QueryResultsFormat.JSON, ox.QueryResultsFormat.TSV
_BATCH = 24 << 20
"""Bytes of N-Quads that are gathered for one bulk load."""


def values(variable: str, iris: Iterable[str] | None) -> str:
    """What limits a variable of a query to some addresses, which must be known ones; None limits nothing."""
    return "" if iris is None else f"VALUES ?{variable} {{ {' '.join(f'<{iri}>' for iri in iris)} }}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query gives, as it is handed on."""

    found: bool  # a solution, a triple, or `true`
    body: bytes  # SPARQL 1.1 results in JSON or TSV; of CONSTRUCT and DESCRIBE N-Triples, sorted


class Store(Protocol):
    """A SPARQL 1.1 engine with named graphs."""

    def select(self, query: str) -> list[Solution]:
        """The solutions of a SELECT query. Raises InputError for a query that is not well formed."""
        ...

    def construct(self, query: str) -> Iterator[str]:
        """The triples of a CONSTRUCT query, one N-Triples line each."""
        ...

    def answer(self, query: str, *, as_json: bool = False) -> Answer:
        """The answer to any query over all named graphs as one default graph; a query may still name graphs.

        Raises InputError for what is not well formed, for an update, for SERVICE, and where triples are wanted as JSON.
        """
        ...

    def load(self, nquads: bytes) -> None:
        """Adds quads."""
        ...

    def drop(self, graphs: Iterable[str]) -> None:
        """Removes named graphs; those that are not there do not matter."""
        ...

    def dump(self) -> Iterator[str]:
        """All quads as N-Quads lines, sorted: the same knowledge gives the same bytes."""
        ...


class OxigraphStore:
    """The embedded store on disk, or in memory without a path."""

    def __init__(self, path: Path | None = None, *, read_only: bool = False) -> None:
        self._read_only = read_only
        self._waiting: list[bytes] = []
        if path is None:
            self._store = ox.Store()
        else:
            self._store = ox.Store.read_only(str(path)) if read_only else ox.Store(str(path))

    def select(self, query: str) -> list[Solution]:
        """See Store."""
        solutions = self._run(query)
        if not isinstance(solutions, ox.QuerySolutions):
            raise InputError("expected a SELECT query")
        names = [variable.value for variable in solutions.variables]
        return [
            {name: str(getattr(term, "value", term)) for name in names if (term := solution[name]) is not None}
            for solution in solutions
        ]

    def construct(self, query: str) -> Iterator[str]:
        """See Store."""
        triples = self._run(query)
        if not isinstance(triples, ox.QueryTriples):
            raise InputError("expected a CONSTRUCT query")
        return (f"{triple} ." for triple in triples)

    def answer(self, query: str, *, as_json: bool = False) -> Answer:
        """See Store."""
        words = keywords(query)
        refuse(words)
        given = self._run(query, union="FROM" not in words)  # Oxigraph would put the union in the place of FROM
        if isinstance(given, ox.QueryTriples):
            if as_json:
                raise InputError("CONSTRUCT and DESCRIBE give triples, for which SPARQL has no JSON; leave out --json")
            lines = sorted({f"{triple} .\n" for triple in given})
            return Answer(bool(lines), "".join(lines).encode())
        if isinstance(given, ox.QueryBoolean) and not as_json:
            return Answer(bool(given), f"{bool(given)}\n".lower().encode())
        assert isinstance(given, ox.QuerySolutions | ox.QueryBoolean)
        body = given.serialize(format=_JSON if as_json else _TSV) or b""
        return Answer(_found(body), body + b"\n") if as_json else Answer(body.count(b"\n") > 1, body)

    def load(self, nquads: bytes) -> None:
        """See Store. What is loaded can be asked for after `flush`: each bulk load has its price, so they are gathered."""
        self._waiting.append(nquads)
        if sum(map(len, self._waiting)) > _BATCH:
            self.flush()

    def flush(self) -> None:
        """Loads what waits."""
        if self._waiting:
            self._store.bulk_load(input=b"".join(self._waiting), format=ox.RdfFormat.N_QUADS)
            self._waiting.clear()

    def drop(self, graphs: Iterable[str]) -> None:
        """See Store."""
        for graph in graphs:
            self._store.remove_graph(ox.NamedNode(graph))

    def dump(self) -> Iterator[str]:
        """See Store."""
        lines = sorted((self._store.dump(format=ox.RdfFormat.N_QUADS) or b"").split(b"\n"))
        return (line.decode() for line in lines if line)

    def copy(self, path: Path) -> None:
        """Copies the store to a new folder; unchanged files are shared by hard links where the disk can."""
        self._store.backup(str(path))

    def close(self) -> None:
        """Writes what is not yet on disk and closes the files."""
        if not self._read_only:
            self.flush()
            self._store.flush()
        del self._store

    def _run(self, query: str, *, union: bool = False) -> object:
        try:
            return self._store.query(query, use_default_graph_as_union=union)
        except SyntaxError as fault:
            raise InputError("the query is not well-formed SPARQL 1.1: {fault}", fault=fault) from fault


def _found(results: bytes) -> bool:
    """Whether JSON results hold a solution, or `true`."""
    body = json.loads(results)
    return bool(body["boolean"] if "boolean" in body else body["results"]["bindings"])
