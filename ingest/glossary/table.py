"""Glossaries as tables, CSV or TSV: a column a language, or `source` and `target` as Weblate writes them.

Of several terms in one cell the first is the preferred one.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from corpus.errors import InputError
from corpus.spreadsheet import unquoted
from ingest.glossary.row import GlossaryRow, GlossaryTerm
from ingest.glossary.words import column, language, words

_ADDED = {"": "preferred", "also": "admitted", "avoid": "deprecated"}
"""What stands behind the language in the head of a column → the status of its terms."""


def read(text: str, name: str, languages: tuple[str | None, str | None]) -> list[GlossaryRow]:
    """The rows of a table; `languages` are those of `source` and `target`. Raises InputError where no column is a language."""
    dialect = "excel-tab" if "\t" in text.partition("\n")[0] else "excel"
    rows = [[unquoted(cell) for cell in row] for row in csv.reader(StringIO(text), dialect, strict=False)]
    head = [cell.strip() for cell in rows[0]] if rows else []
    columns = _columns(head, languages)
    if len({lang for _, lang, _ in columns}) <= 1:
        raise InputError(
            "{file} has no columns of two languages; expected a head such as en,ja or source,target (with --source and --target)",
            file=name,
        )
    others = {kind: place for place, cell in enumerate(head) if (kind := column(cell)) in ("concept", "note")}
    return list(_rows(rows[1:], columns, others))


def _columns(head: Sequence[str], languages: tuple[str | None, str | None]) -> list[tuple[int, str, str]]:
    """Place, language and status of every column of terms."""
    columns = []
    for place, cell in enumerate(head):
        lang, _, added = cell.partition(" ") if cell.lower().endswith((" also", " avoid")) else (cell, "", "")
        named = language(lang) or dict(zip(("source", "target"), languages, strict=True)).get(column(cell) or "")
        if named:
            columns.append((place, named, _ADDED[added.lower()]))
    return columns


def _rows(
    rows: Sequence[Sequence[str]], columns: Sequence[tuple[int, str, str]], others: Mapping[str, int]
) -> Iterator[GlossaryRow]:
    for line, cells in enumerate(rows, 2):
        terms: dict[str, list[GlossaryTerm]] = {}
        for place, lang, status in columns:
            for number, text in enumerate(_several(cells, place)):
                later = "admitted" if number and status == "preferred" else status
                terms.setdefault(lang, []).append(GlossaryTerm(text, later))
        if terms:
            yield GlossaryRow(line, terms, _cell(cells, others.get("concept")), _cell(cells, others.get("note")))


def _several(cells: Sequence[str], place: int) -> Iterator[str]:
    whole = cells[place] if place < len(cells) else ""
    return (word.strip() for word in whole.split(words()["separator"]) if word.strip())


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""
