"""Tables as spreadsheets write them: the separator of a CSV file, and cells that must not be interpreted as formulas."""

import csv
from collections.abc import Callable

_FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "\0")
"""The first characters of cells that a spreadsheet may interpret as formulas (OWASP ASVS 5.0, 1.2.10)."""
_QUOTE = "'"
"""Marks a cell as text in a spreadsheet."""


def quote_cell(text: str) -> str:
    """A cell with a `'` before characters that could start a formula, and before such a `'`; `unquote_cell` reverses it."""
    return _QUOTE + text if text.lstrip(_QUOTE).startswith(_FORMULA_STARTS) else text


def unquote_cell(cell: str) -> str:
    """The text of a cell that `quote_cell` returned; any other cell unchanged."""
    return cell[1:] if cell.startswith(_QUOTE) and cell.lstrip(_QUOTE).startswith(_FORMULA_STARTS) else cell


DELIMITERS = {",": ",", ";": ";", "\t": "TAB"}
"""The separators of columns, as errors show them. Excel writes semicolons where the comma is the decimal mark."""


def delimiter_of(text: str, is_column: Callable[[str], bool]) -> str:
    """The separator by which the first line of a table has the most known columns; of equal ones, that which it contains most."""
    first = text.partition("\n")[0]

    def fit(delimiter: str) -> tuple[int, int]:
        head = next(csv.reader([first], delimiter=delimiter), [])
        return sum(is_column(cell.strip()) for cell in head), first.count(delimiter)

    return max(DELIMITERS, key=fit)
