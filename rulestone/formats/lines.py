"""The lines of a concordance as a table: CSV (RFC 4180) or TSV."""

import csv
from io import StringIO
from typing import TYPE_CHECKING

from corpus.spreadsheet import quoted

if TYPE_CHECKING:
    from corpus.contract import Concordance, ConcordanceLine

_HEAD = (
    "game", "book", "edition", "locator", "part", "lang", "before", "match", "after",
    "beside", "counterparts", "confidence", "authority", "address",
)  # fmt: skip


def as_table(body: "Concordance", kind: str) -> bytes:
    """A head and a row for each line, in UTF-8; no cell is a formula. CSV has a byte order mark, which spreadsheets need."""
    text = StringIO()
    writer = csv.writer(text, "excel" if kind == "csv" else "excel-tab")
    writer.writerow(_HEAD)
    writer.writerows(map(quoted, _row(line)) for line in body["lines"])
    return text.getvalue().encode("utf-8-sig" if kind == "csv" else "utf-8")


def _row(line: "ConcordanceLine") -> list[str]:
    beside = line["beside"]
    words = beside["text"] if beside else ""
    marked = [words[counterpart["start"] : counterpart["end"]] for counterpart in beside["counterparts"]] if beside else []
    place = [line["game"], line["book"], line["edition"], line["locator"], line["part"], line["lang"]]
    sure = str(beside["confidence"]) if beside else ""
    return [*place, line["before"], line["match"], line["after"], words, " | ".join(marked), sure, line["authority"], line["rule"]]
