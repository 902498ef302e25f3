"""Termbases as tables: one row a concept, columns for each language; CSV (RFC 4180) and XLSX."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO, StringIO

from corpus.spreadsheet import quoted
from ontology.translation.termbase.entries import Entry, Status, Term
from rulestone.formats.who import WHO

SEPARATOR = " | "
"""Stands between several values of one cell."""
_WIDTHS = {"concept": 28, "definition": 50, "false friends": 50, "note": 40}
_USUAL = 18


def rows(entries: Iterable[Entry], languages: Sequence[str]) -> Iterator[list[str]]:
    """The head and a row for every concept.

    Of each language: the preferred term, its status and who says so, what else may be said, what is not to be written.
    """
    names = [name for lang in languages for name in (lang, f"{lang} status", f"{lang} also", f"{lang} avoid")]
    yield ["concept", "game", "kind", *names, "definition", "defined by", "example", "false friends", "note"]
    for entry in entries:
        cells = [cell for lang in languages for cell in _language([term for term in entry.terms if term.lang == lang])]
        yield [entry.concept, entry.game, entry.kind, *cells, *_rest(entry, languages)]


def _language(terms: Sequence[Term]) -> Iterator[str]:
    preferred = [term for term in terms if term.status is Status.PREFERRED]
    yield SEPARATOR.join(term.text for term in preferred)
    yield SEPARATOR.join(f"{term.status.value}: {WHO.get(term.authority, term.authority)}" for term in preferred)
    for status in (Status.ADMITTED, Status.DEPRECATED):
        yield SEPARATOR.join(term.text for term in terms if term.status is status)


def _rest(entry: Entry, languages: Sequence[str]) -> Iterator[str]:
    yield next((entry.definition[lang] for lang in languages if lang in entry.definition), "")
    yield SEPARATOR.join(entry.defined_by)
    examples = [term.example for term in entry.terms if term.example]
    yield SEPARATOR.join(dict.fromkeys(example.rule for example in examples))
    yield SEPARATOR.join(entry.false_friends)
    yield SEPARATOR.join(dict.fromkeys(example.words for example in examples if example.words))


def as_csv(entries: Iterable[Entry], languages: Sequence[str]) -> bytes:
    """CSV in UTF-8 with a byte order mark, which spreadsheets need to see that it is UTF-8; no cell is a formula."""
    text = StringIO()
    csv.writer(text).writerows(map(quoted, row) for row in rows(entries, languages))
    return text.getvalue().encode("utf-8-sig")


def as_xlsx(entries: Iterable[Entry], languages: Sequence[str]) -> bytes:
    """An Excel workbook of one sheet, its head frozen and filtered; every cell is text, whatever it begins with."""
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet = book.active
    sheet.title = "terms"
    for number, row in enumerate(rows(entries, languages), 1):
        for column, cell in enumerate(row, 1):
            made = sheet.cell(number, column)
            made.value = ILLEGAL_CHARACTERS_RE.sub("", cell) or None
            made.data_type = "s"
        if number == 1:
            for column, name in enumerate(row, 1):
                sheet.column_dimensions[get_column_letter(column)].width = _WIDTHS.get(name, _USUAL)
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions
    file = BytesIO()
    book.save(file)
    return file.getvalue()
