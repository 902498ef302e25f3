"""Cells of CSV and TSV tables that spreadsheets must not interpret as formulas."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "\0")
"""The first characters of cells that a spreadsheet may interpret as formulas (OWASP ASVS 5.0, 1.2.10)."""
_QUOTE = "'"
"""Marks a cell as text in a spreadsheet."""


def quoted(text: str) -> str:
    """A cell with a `'` before characters that could start a formula, and before such a `'`; `unquoted` reverses it."""
    return _QUOTE + text if text.lstrip(_QUOTE).startswith(_FORMULA) else text


def unquoted(cell: str) -> str:
    """The text of a cell that `quoted` returned; any other cell unchanged."""
    return cell[1:] if cell.startswith(_QUOTE) and cell.lstrip(_QUOTE).startswith(_FORMULA) else cell
