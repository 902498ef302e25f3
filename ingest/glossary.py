"""Glossaries in TBX, Qt Linguist's .ts, CSV and TSV as rows of terms; the format is recognised by content, not by name."""

import csv
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import StringIO
from typing import Any

from corpus.errors import InputError
from corpus.spreadsheet import unquoted

STATUSES = ("preferred", "admitted", "deprecated")


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A name and its status."""

    text: str
    status: str  # one of STATUSES


@dataclass(frozen=True, slots=True)
class GlossaryRow:
    """Terms of several languages for one thing; `line` is its line in the file, `concept` its IRI or `game/slug` if given."""

    line: int
    terms: Mapping[str, Sequence[GlossaryTerm]]
    concept: str = ""
    note: str = ""


@cache
def words() -> Mapping[str, Any]:
    """The whole file."""
    return tomllib.loads(files("ingest").joinpath("data/glossaries.toml").read_text(encoding="utf-8"))


def language(name: str) -> str | None:
    """The language named by a column, an attribute or an option."""
    plain = name.strip().lower()
    return next((lang for lang, names in words()["languages"].items() if plain in names), None)


def status(name: str) -> str | None:
    """The status for a word."""
    plain = name.strip().lower()
    return next((known for known, names in words()["status"].items() if plain in names), None)


def column(name: str) -> str | None:
    """The kind of a column without terms: `concept`, `note`, `source` or `target`."""
    plain = name.strip().lower()
    return next((heading for heading in ("concept", "note", "source", "target") if plain in words()[heading]), None)


_ENTRIES, _LANGUAGES, _TERMS = ("conceptEntry", "termEntry"), ("langSec", "langSet"), ("termSec", "tig", "ntig")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def _read_xml(data: bytes, name: str, languages: tuple[str | None, str | None]) -> list[GlossaryRow]:
    """The rows of a file. Raises InputError if it is not XML, or neither TBX nor .ts."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as fault:
        raise InputError("{file} is no XML: {fault}; correct that place", file=name, fault=fault) from fault
    kind = _name(root)
    if kind in ("tbx", "martif"):
        return list(_of_tbx(root))
    if kind == "TS":
        return list(_of_qt(root, name, languages))
    raise InputError("{file} is XML of a kind that is not read ({kind}); expected TBX or Qt's .ts", file=name, kind=kind)


def _of_tbx(root: Any) -> Iterator[GlossaryRow]:  # noqa: ANN401
    for entry in _all(root, _ENTRIES):
        terms: dict[str, list[GlossaryTerm]] = {}
        for section in _all(entry, _LANGUAGES):
            lang = language(section.get(_LANG) or "")
            for term in _all(section, _TERMS) if lang else ():
                text = next((part.text for part in _all(term, ("term",)) if part.text), "").strip()
                if text and lang:
                    terms.setdefault(lang, []).append(GlossaryTerm(text, _status(term)))
        concept = next(
            (element.get("target") for element in _all(entry, ("xref",)) if "/id/concept/" in (element.get("target") or "")), ""
        )
        note = next((element.text for element in _all(entry, ("note",)) if element.text), "")
        if terms:
            yield GlossaryRow(entry.sourceline or 0, terms, concept or "", note or "")


def _status(term: Any) -> str:  # noqa: ANN401
    said = (element.text or "" for element in _all(term, ("termNote",)) if element.get("type") == "administrativeStatus")
    return next((known for word in said if (known := status(word))), "preferred")


def _of_qt(root: Any, name: str, languages: tuple[str | None, str | None]) -> Iterator[GlossaryRow]:  # noqa: ANN401
    source = languages[0] or language((root.get("sourcelanguage") or "en").replace("_", "-"))
    target = languages[1] or language((root.get("language") or "").replace("_", "-"))
    if not source or not target:
        raise InputError("{file} does not say its languages; give --source and --target", file=name)
    for message in _all(root, ("message",)):
        texts = [next((element.text or "" for element in _all(message, (tag,))), "").strip() for tag in ("source", "translation")]
        if all(texts):
            terms = {lang: [GlossaryTerm(text, "preferred")] for lang, text in zip((source, target), texts, strict=True)}
            yield GlossaryRow(message.sourceline or 0, terms)


def _all(parent: Any, names: tuple[str, ...]) -> Iterator[Any]:  # noqa: ANN401
    return (element for element in parent.iter() if isinstance(element.tag, str) and _name(element) in names)


def _name(element: Any) -> str:  # noqa: ANN401
    return str(element.tag).rpartition("}")[2]


_ADDED = {"": "preferred", "also": "admitted", "avoid": "deprecated"}
"""Suffix after the language in a column header → the status of its terms."""


def _read_table(text: str, name: str, languages: tuple[str | None, str | None]) -> list[GlossaryRow]:
    """The rows of a table; `languages` are those of `source` and `target`. Raises InputError if no column is a language."""
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


LARGEST = 16 << 20
"""Bytes of a glossary."""


def read(data: bytes, name: str, languages: tuple[str | None, str | None] = (None, None)) -> list[GlossaryRow]:
    """The rows of a glossary; `languages` are those of source and target if the file does not name them.

    Raises InputError for a file that is too large, not UTF-8, not a glossary, or empty.
    """
    if len(data) > LARGEST:
        raise InputError("{file} has more than {megabytes} MB; give it in parts", file=name, megabytes=LARGEST >> 20)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<":
        rows = _read_xml(data, name, languages)
    else:
        rows = _read_table(_text(data, name), name, languages)
    if not rows:
        raise InputError("{file} has no terms; expected a row or entry for each", file=name)
    return rows


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("{file} is not UTF-8 text (byte {place}); save it as UTF-8", file=name, place=fault.start) from fault
