"""Writes solutions, passed in batches of TSV lines, in an accepted media type.

The engine converts the lines to every type; this module only concatenates its tables.
"""

from collections.abc import Sequence
from typing import cast

import pyoxigraph as ox

from corpus.media import CSV, RESULTS_JSON, RESULTS_XML, TSV

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
