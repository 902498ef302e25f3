"""The graph engine: SPARQL 1.1 in, plain values out. No other module depends on Oxigraph's store."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from corpus.address import BASE
from corpus.errors import DamagedError, InputError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Solution = Mapping[str, str]
"""One solution: variable → lexical form. Unbound variables are missing."""
_BATCH_BYTES = 24 << 20
"""Maximum number of bytes of N-Quads in memory; more are buffered in a file beside the store."""
_PIECE_BYTES = 1 << 20
"""Bytes per read from a stream."""
_ERROR_POSITION = re.compile(r"error at (?P<line>\d+):(?P<column>\d+)")
_MAX_SHOWN = 60
"""Number of characters of a malformed query that an error repeats."""


def values_clause(variable: str, iris: Iterable[str] | None) -> str:
    """A VALUES clause that limits a variable to trusted addresses; empty for None."""
    return "" if iris is None else f"VALUES ?{variable} {{ {' '.join(f'<{iri}>' for iri in iris)} }}"


class Store:
    """Oxigraph on disk, or in memory without a path: SPARQL 1.1 over named graphs."""

    def __init__(self, path: Path | None = None, *, read_only: bool = False, check: Callable[[], object] | None = None) -> None:
        """`check` runs before the first read and raises DamagedError for damaged files; then nothing is read."""
        self._read_only = read_only
        self._check = check
        self._damage: DamagedError | None = None
        self._checking = threading.Lock()
        self._waiting: list[bytes] = []
        self._aside = path.with_name(f"{path.name}.nq") if path else None
        if path is None:
            self._store = ox.Store()
        else:
            with _damage_errors():
                self._store = ox.Store.read_only(str(path)) if read_only else ox.Store(str(path))

    def verify(self) -> None:
        """Checks the files of the store if that has not been done. Raises DamagedError, also at every later call.

        The engine checks each block that it reads, but expressions of SPARQL treat its errors as values without a result:
        a damaged block changes the answer of FILTER or SUM silently (SPARQL 1.1, section 17.2).
        """
        with self._checking:
            if self._check is not None:
                try:
                    self._check()
                except DamagedError as damage:
                    self._damage = damage
                self._check = None  # not after another error: the files are checked again before the next query
            if self._damage is not None:
                raise self._damage.copied_as(DamagedError)

    def select(self, query: str) -> list[Solution]:
        """The solutions of a SELECT query. Raises InputError for a query that is not well formed."""
        solutions = self._run(query)
        if not isinstance(solutions, ox.QuerySolutions):
            raise InputError("expected a SELECT query")
        names = [variable.value for variable in solutions.variables]
        with _damage_errors():
            return [_lexical_forms(names, solution) for solution in solutions]

    def construct(self, query: str) -> Iterator[str]:
        """The triples of a CONSTRUCT query, one N-Triples line each."""
        triples = self._run(query)
        if not isinstance(triples, ox.QueryTriples):
            raise InputError("expected a CONSTRUCT query")
        with _damage_errors():
            yield from (f"{triple} ." for triple in triples)

    def ask(
        self, query: str, *, union: bool = False, default_graphs: Iterable[str] = (), named_graphs: Iterable[str] = ()
    ) -> object:
        """The engine's results of any query: solutions, triples or a boolean.

        Relative IRIs resolve against Rulestone's base. `union` makes the default graph the union of all named graphs; given
        graphs replace the dataset of FROM. Raises InputError for a query that is not well formed.
        """
        defaults, named_nodes = [ox.NamedNode(iri) for iri in default_graphs], [ox.NamedNode(iri) for iri in named_graphs]
        if defaults or named_nodes:
            return self._run(query, default_graph=defaults, named_graphs=named_nodes, base_iri=BASE)
        return self._run(query, use_default_graph_as_union=union, base_iri=BASE)

    def load(self, nquads: bytes) -> None:
        """Adds quads; queries see them after `flush`.

        All pending quads are one bulk load, because RocksDB merges overlapping loads and writes them uncompressed.
        """
        self._waiting.append(nquads)
        if self._aside and sum(map(len, self._waiting)) > _BATCH_BYTES:
            self._set_aside_file(self._aside)

    def _set_aside_file(self, file: Path) -> None:
        with file.open("ab") as stream:
            stream.writelines(self._waiting)
        self._waiting.clear()

    def load_all(self, quads: Iterator[bytes]) -> None:
        """Loads a stream of N-Quads in one bulk load, without holding all of it in memory or in a file."""
        self._store.bulk_load(input=BufferedReader(_PieceReader(quads), _PIECE_BYTES), format=ox.RdfFormat.N_QUADS)

    def flush(self) -> None:
        """Loads the pending quads."""
        if self._aside and self._aside.exists():
            self._set_aside_file(self._aside)
            self._store.bulk_load(path=self._aside, format=ox.RdfFormat.N_QUADS)
            self._aside.unlink()
        elif self._waiting:
            self._store.bulk_load(input=b"".join(self._waiting), format=ox.RdfFormat.N_QUADS)
            self._waiting.clear()

    def drop(self, graphs: Iterable[str]) -> None:
        """Removes named graphs, if they exist."""
        for graph in graphs:
            self._store.remove_graph(ox.NamedNode(graph))

    def dump(self) -> Iterator[str]:
        """All quads as N-Quads lines, sorted: the same knowledge gives the same bytes."""
        self.verify()
        with _damage_errors():
            lines = sorted((self._store.dump(format=ox.RdfFormat.N_QUADS) or b"").split(b"\n"))
        return (line.decode() for line in lines if line)

    def graph(self, name: str) -> bytes:
        """The quads of a named graph as sorted N-Quads; empty if there is no such graph."""
        self.verify()
        with _damage_errors():
            triples = self._store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.NamedNode(name)) or b""
        end = f"<{name}> .\n".encode()
        return b"".join(sorted(line[:-1] + end for line in triples.splitlines()))

    def graphs(self) -> list[str]:
        """The names of the named graphs."""
        self.verify()
        with _damage_errors():
            return sorted(graph.value for graph in self._store.named_graphs() if isinstance(graph, ox.NamedNode))

    def size(self, graphs: Iterable[str] | None = None) -> int:
        """The number of quads, or of those in some graphs."""
        self.verify()
        with _damage_errors():
            if graphs is None:
                return len(self._store)
            return sum(1 for name in graphs for _ in self._store.quads_for_pattern(None, None, None, ox.NamedNode(name)))

    def copy(self, path: Path) -> None:
        """Copies the store to a new folder, with hard links if the file system supports them."""
        self.verify()
        self._store.backup(str(path))

    def close(self) -> None:
        """Writes pending quads to disk and closes the files."""
        if not self._read_only:
            self.flush()
            self._store.flush()
        del self._store

    def _run(self, query: str, **options: Any) -> object:  # noqa: ANN401
        self.verify()
        try:
            with _damage_errors():
                return self._store.query(query, **options)
        except SyntaxError as fault:
            raise _malformed_query_error(query, str(fault)) from fault


def _malformed_query_error(query: str, fault: str) -> InputError:
    """The error for a malformed query: the position where the engine's parser stopped, else the engine's own message."""
    place = _ERROR_POSITION.match(fault)
    if place is None:
        return InputError("the query is not well-formed SPARQL 1.1: {fault}", fault=fault[:_MAX_SHOWN])
    line, column = int(place["line"]), int(place["column"])
    *whole, last = [*query.splitlines(keepends=True), ""][:line]
    prefix = "".join(whole) + last[: column - 1]
    return InputError(
        "the query is not well-formed SPARQL 1.1 at line {line}, column {column}, after: {read}",
        line=line,
        column=column,
        read=" ".join(prefix.split())[-_MAX_SHOWN:],
    )


def _lexical_forms(names: Sequence[str], solution: ox.QuerySolution) -> Solution:
    """The lexical forms of a solution; quoted triples are serialized."""
    return {name: str(getattr(term, "value", term)) for name, term in zip(names, solution, strict=True) if term is not None}


class _PieceReader(RawIOBase):
    """An iterator of bytes as a readable file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        while not self._rest:
            if (piece := next(self._pieces, None)) is None:
                return 0
            self._rest = memoryview(piece)
        space = memoryview(buffer).cast("B")
        count = min(len(space), len(self._rest))
        space[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


@contextmanager
def _damage_errors() -> Iterator[None]:
    """Turns the engine's checksum errors into DamagedError; it checks each block that it reads."""
    try:
        yield
    except (OSError, RuntimeError) as fault:
        if "orruption" not in str(fault):
            raise
        raise DamagedError("the knowledge base is damaged ({fault})", fault=fault) from fault
