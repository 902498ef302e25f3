"""A glossary of whatever kind: told by what the file begins with, not by its name."""

from corpus.errors import InputError
from ingest.glossary import markup, table
from ingest.glossary.row import GlossaryRow

LARGEST = 16 << 20
"""Bytes of a glossary."""


def read(data: bytes, name: str, languages: tuple[str | None, str | None] = (None, None)) -> list[GlossaryRow]:
    """The rows of a glossary; `languages` are those of source and target where the file does not say them.

    Raises InputError for a file that is too large, no UTF-8 text, no glossary, or empty.
    """
    if len(data) > LARGEST:
        raise InputError("{file} has more than {megabytes} MB; give it in parts", file=name, megabytes=LARGEST >> 20)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        rows = markup.read(data, name, languages)
    else:
        rows = table.read(_text(data, name), name, languages)
    if not rows:
        raise InputError("{file} has no terms; expected a row or entry for each", file=name)
    return rows


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("{file} is not UTF-8 text (byte {place}); save it as UTF-8", file=name, place=fault.start) from fault
