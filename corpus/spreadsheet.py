"""Cells of CSV and TSV tables that people open in a spreadsheet: none is a formula there, and each can be read back."""

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n", "\0")
"""What a cell begins with that a spreadsheet may take for a formula (OWASP ASVS 5.0, 1.2.10)."""
_QUOTE = "'"
"""Says to a spreadsheet that a cell is text."""


def quoted(text: str) -> str:
    """A cell with a `'` before what a spreadsheet may take for a formula, and before such a `'`: `unquoted` gives it back."""
    return _QUOTE + text if text.lstrip(_QUOTE).startswith(_FORMULA) else text


def unquoted(cell: str) -> str:
    """The text of a cell that `quoted` gave; any other cell as it is."""
    return cell[1:] if cell.startswith(_QUOTE) and cell.lstrip(_QUOTE).startswith(_FORMULA) else cell
