"""Evaluates a query: the engine's results in an accepted media type, truncated at the limits.

Solutions arrive in batches of TSV lines, which the engine converts to every type.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import cast

import pyoxigraph as ox

from corpus.address import PREFIXES
from corpus.errors import NotAcceptableError
from corpus.media import CSV, GRAPH_MEDIA, RESULTS_JSON, RESULTS_XML, TABLE_MEDIA, TSV, TURTLE
from corpus.store.engine import Store
from corpus.store.sparql.guard import keywords, refuse_unsafe
from corpus.store.sparql.question import SparqlAnswer, SparqlQuestion

Write = Callable[[bytes], object]
_BATCH = 500
"""Solutions per write."""


def evaluate(store: Store, question: SparqlQuestion, write: Write) -> SparqlAnswer:
    """Writes the answer to a query in pieces; the returned answer has no body.

    Raises InputError for a malformed query, an update or SERVICE, NotAcceptableError if the query form has no accepted media type.
    """
    refuse_unsafe(question.query)
    result = _run_question(store, question)
    if isinstance(result, ox.QueryBoolean):
        return _boolean_answer(result, question, write)
    if isinstance(result, ox.QueryTriples):
        return _triples_answer(result, question, write)
    return _solutions_answer(cast(ox.QuerySolutions, result), question, write)


def _run_question(store: Store, question: SparqlQuestion) -> object:
    if question.default_graphs or question.named_graphs:
        return store.ask(question.query, default_graphs=question.default_graphs, named_graphs=question.named_graphs)
    # Oxigraph would replace FROM with the union
    return store.ask(question.query, union="FROM" not in keywords(question.query))


def _boolean_answer(results: ox.QueryBoolean, question: SparqlQuestion, write: Write) -> SparqlAnswer:
    media = _negotiate_media(question.media, TABLE_MEDIA)
    body = f"{bool(results)}\n".lower().encode() if media in (CSV, TSV) else results.serialize(format=FORMATS[media]) or b""
    write(_with_line_end(body))
    return SparqlAnswer(bool(results), media)


def _solutions_answer(results: ox.QuerySolutions, question: SparqlQuestion, write: Write) -> SparqlAnswer:
    media = _negotiate_media(question.media, TABLE_MEDIA)
    names = results.variables
    if not names:
        return _rows_without_variables(sum(1 for _ in results), media, write)
    lines = _LimitedLines("\t".join("" if (term := row[name]) is None else str(term) for name in names) + "\n" for row in results)
    table = ResultTable("\t".join(map(str, names)) + "\n", media)
    for batch in lines.line_batches(question):
        write(table.rows(batch))
    write(table.table_end())
    return SparqlAnswer(lines.rows > 0, media, lines.rows, lines.truncated_by)


def _rows_without_variables(rows: int, media: str, write: Write) -> SparqlAnswer:
    """Solutions without variables, because TSV has no row without a cell."""
    lines = b'{"head":{"vars":[]},"results":{"bindings":[%s]}}' % b",".join([b"{}"] * rows)
    body = ox.parse_query_results(input=lines, format=FORMATS[RESULTS_JSON])
    write(_with_line_end(cast(ox.QuerySolutions, body).serialize(format=FORMATS[media]) or b""))
    return SparqlAnswer(rows > 0, media, rows)


def _triples_answer(results: Iterable[ox.Triple], question: SparqlQuestion, write: Write) -> SparqlAnswer:
    media = _negotiate_media(question.media, GRAPH_MEDIA)
    lines = _LimitedLines(_distinct_lines(f"{triple} .\n" for triple in results))
    body = "".join(sorted(line for batch in lines.line_batches(question) for line in batch)).encode()
    if media == TURTLE:
        quads = ox.parse(input=body, format=ox.RdfFormat.N_TRIPLES)
        body = ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.TURTLE, prefixes=dict(PREFIXES)) or b""
    write(body)
    return SparqlAnswer(lines.rows > 0, media, lines.rows, lines.truncated_by)


def _distinct_lines(lines: Iterable[str]) -> Iterable[str]:
    earlier_lines = set()
    for line in lines:
        if line not in earlier_lines:
            earlier_lines.add(line)
            yield line


class _LimitedLines:
    """Lines up to the limits, and the reason why there are no more."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self.rows = 0
        self.truncated_by: str | None = None
        self._size = 0

    def line_batches(self, question: SparqlQuestion) -> Iterator[list[str]]:
        """The lines in batches."""
        batch: list[str] = []
        for line in self._lines:
            self._size += len(line.encode())
            if self.rows == question.rows or (question.size is not None and self._size > question.size):
                self.truncated_by = "rows" if self.rows == question.rows else "bytes"
                break
            batch.append(line)
            self.rows += 1
            if len(batch) == _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch


def _negotiate_media(media: Sequence[str], possible: Sequence[str]) -> str:
    for candidate in media:
        if candidate in possible:
            return candidate
    if possible is GRAPH_MEDIA:
        raise NotAcceptableError("CONSTRUCT and DESCRIBE return triples, which are available as {types}", types=", ".join(possible))
    raise NotAcceptableError("SELECT and ASK return results, which are available as {types}", types=", ".join(possible))


def _with_line_end(body: bytes) -> bytes:
    return body if body.endswith(b"\n") else body + b"\n"


FORMATS = {
    RESULTS_JSON: ox.QueryResultsFormat.JSON,
    RESULTS_XML: ox.QueryResultsFormat.XML,
    CSV: ox.QueryResultsFormat.CSV,
    TSV: ox.QueryResultsFormat.TSV,
}
_ROW_SEPARATOR = {RESULTS_JSON: b","}
_TABLE_END = {RESULTS_JSON: b"]}}", RESULTS_XML: b"</results></sparql>"}


class ResultTable:
    """One table; `head` is its first line in TSV."""

    def __init__(self, head: str, media: str) -> None:
        self._head = head
        self._media = media
        self._end = _TABLE_END.get(media, b"")
        self._opening = self._serialize_rows([]).removesuffix(self._end)
        self._has_begun = False

    def rows(self, lines: Sequence[str]) -> bytes:
        """Some rows, which continue the previous ones."""
        body = self._serialize_rows(lines).removesuffix(self._end)
        if not self._has_begun:
            self._has_begun = True
            return body
        return _ROW_SEPARATOR.get(self._media, b"") + body.removeprefix(self._opening)

    def table_end(self) -> bytes:
        """The end of the table; the whole table if it has no rows."""
        end = self._end + b"\n" if self._end else b""
        return end if self._has_begun else self._opening + end

    def _serialize_rows(self, lines: Sequence[str]) -> bytes:
        table = (self._head + "".join(lines)).encode()
        results = ox.parse_query_results(input=table, format=ox.QueryResultsFormat.TSV)
        return cast(ox.QuerySolutions, results).serialize(format=FORMATS[self._media]) or b""
