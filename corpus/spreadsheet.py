"""Cells of CSV and TSV tables that spreadsheets must not interpret as formulas."""

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
