"""Evaluates a query: the engine's results in an accepted media type, truncated at the limits.

Solutions arrive in batches of TSV lines, which the engine converts to every type.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

import pyoxigraph as ox

from corpus.address import PREFIXES
from corpus.errors import NotAcceptableError
from corpus.media import CSV, GRAPHS, RESULTS_JSON, RESULTS_XML, TABLES, TSV, TURTLE
from corpus.store.engine import Store
from corpus.store.sparql.guard import keywords, refuse
from corpus.store.sparql.question import Answer, Question

Write = Callable[[bytes], object]
_BATCH = 500
"""Solutions per write."""


def evaluate(store: Store, question: Question, write: Write) -> Answer:
    """Writes the answer to a query in pieces; the returned answer has no body.

    Raises InputError for a malformed query, an update or SERVICE, NotAcceptableError if the query form has no accepted media type.
    """
    refuse(question.query)
    given = _asked(store, question)
    if isinstance(given, ox.QueryBoolean):
        return _boolean(given, question, write)
    if isinstance(given, ox.QueryTriples):
        return _triples(given, question, write)
    return _solutions(cast(ox.QuerySolutions, given), question, write)


def _asked(store: Store, question: Question) -> object:
    if question.default_graphs or question.named_graphs:
        return store.ask(question.query, default_graphs=question.default_graphs, named_graphs=question.named_graphs)
    # Oxigraph would replace FROM with the union
    return store.ask(question.query, union="FROM" not in keywords(question.query))


def _boolean(given: ox.QueryBoolean, question: Question, write: Write) -> Answer:
    media = _negotiated(question.media, TABLES)
    body = f"{bool(given)}\n".lower().encode() if media in (CSV, TSV) else given.serialize(format=FORMATS[media]) or b""
    write(_ended(body))
    return Answer(bool(given), media)


def _solutions(given: ox.QuerySolutions, question: Question, write: Write) -> Answer:
    media = _negotiated(question.media, TABLES)
    names = given.variables
    if not names:
        return _bare(sum(1 for _ in given), media, write)
    kept = _Kept("\t".join("" if (term := row[name]) is None else str(term) for name in names) + "\n" for row in given)
    table = Table("\t".join(map(str, names)) + "\n", media)
    for batch in kept.batches(question):
        write(table.rows(batch))
    write(table.end())
    return Answer(kept.rows > 0, media, kept.rows, kept.cut)


def _bare(rows: int, media: str, write: Write) -> Answer:
    """Solutions without variables, because TSV has no row without a cell."""
    lines = b'{"head":{"vars":[]},"results":{"bindings":[%s]}}' % b",".join([b"{}"] * rows)
    body = ox.parse_query_results(input=lines, format=FORMATS[RESULTS_JSON])
    write(_ended(cast(ox.QuerySolutions, body).serialize(format=FORMATS[media]) or b""))
    return Answer(rows > 0, media, rows)


def _triples(given: Iterable[ox.Triple], question: Question, write: Write) -> Answer:
    media = _negotiated(question.media, GRAPHS)
    kept = _Kept(_once(f"{triple} .\n" for triple in given))
    body = "".join(sorted(line for batch in kept.batches(question) for line in batch)).encode()
    if media == TURTLE:
        parsed = ox.parse(input=body, format=ox.RdfFormat.N_TRIPLES)
        body = ox.serialize((quad.triple for quad in parsed), format=ox.RdfFormat.TURTLE, prefixes=dict(PREFIXES)) or b""
    write(body)
    return Answer(kept.rows > 0, media, kept.rows, kept.cut)


def _once(lines: Iterable[str]) -> Iterable[str]:
    seen = set()
    for line in lines:
        if line not in seen:
            seen.add(line)
            yield line


class _Kept:
    """Lines up to the limits, and the reason why there are no more."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self.rows = 0
        self.cut: str | None = None
        self._size = 0

    def batches(self, question: Question) -> Iterator[list[str]]:
        """The lines in batches."""
        batch: list[str] = []
        for line in self._lines:
            self._size += len(line.encode())
            if self.rows == question.rows or (question.size is not None and self._size > question.size):
                self.cut = "rows" if self.rows == question.rows else "bytes"
                break
            batch.append(line)
            self.rows += 1
            if len(batch) == _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch


def _negotiated(media: Sequence[str], possible: Sequence[str]) -> str:
    for liked in media:
        if liked in possible:
            return liked
    if possible is GRAPHS:
        raise NotAcceptableError("CONSTRUCT and DESCRIBE return triples, which are available as {types}", types=", ".join(possible))
    raise NotAcceptableError("SELECT and ASK return results, which are available as {types}", types=", ".join(possible))


def _ended(body: bytes) -> bytes:
    return body if body.endswith(b"\n") else body + b"\n"


FORMATS = {
    RESULTS_JSON: ox.QueryResultsFormat.JSON,
    RESULTS_XML: ox.QueryResultsFormat.XML,
    CSV: ox.QueryResultsFormat.CSV,
    TSV: ox.QueryResultsFormat.TSV,
}
_BETWEEN = {RESULTS_JSON: b","}
_END = {RESULTS_JSON: b"]}}", RESULTS_XML: b"</results></sparql>"}


class Table:
    """One table; `head` is its first line in TSV."""

    def __init__(self, head: str, media: str) -> None:
        self._head = head
        self._media = media
        self._end = _END.get(media, b"")
        self._opening = self._written([]).removesuffix(self._end)
        self._begun = False

    def rows(self, lines: Sequence[str]) -> bytes:
        """Some rows, which continue the previous ones."""
        body = self._written(lines).removesuffix(self._end)
        if not self._begun:
            self._begun = True
            return body
        return _BETWEEN.get(self._media, b"") + body.removeprefix(self._opening)

    def end(self) -> bytes:
        """The end of the table; the whole table if it has no rows."""
        end = self._end + b"\n" if self._end else b""
        return end if self._begun else self._opening + end

    def _written(self, lines: Sequence[str]) -> bytes:
        table = (self._head + "".join(lines)).encode()
        results = ox.parse_query_results(input=table, format=ox.QueryResultsFormat.TSV)
        return cast(ox.QuerySolutions, results).serialize(format=FORMATS[self._media]) or b""
