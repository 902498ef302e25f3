"""Reads glossaries in TBX, Qt Linguist's .ts, JSON, CSV and TSV as rows of terms; the format is recognised by the content."""

import csv
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, NamedTuple

from corpus.data_files import read_toml
from corpus.errors import InputError
from corpus.spreadsheet import DELIMITERS, delimiter_of, unquote_cell
from ingest.read.document import decode
from ontology.translation.glossary import ADMITTED, FORBIDDEN, PREFERRED, STATUSES, GlossaryRow, GlossaryTerm


def column_words() -> Mapping[str, Any]:
    """The words in the columns of glossaries."""
    words: Mapping[str, Any] = read_toml("ingest", "glossaries.toml")
    return words


def language(name: str) -> str | None:
    """The language named by a column, an attribute or an option."""
    plain = name.strip().lower()
    return next((lang for lang, names in column_words()["languages"].items() if plain in names), None)


def parse_status(name: str) -> str | None:
    """The status for a word."""
    plain = name.strip().lower()
    return next((status for status, names in column_words()["status"].items() if plain in names), None)


def column_kind(name: str) -> str | None:
    """The kind of a column without terms: `concept`, `note`, `source` or `target`."""
    plain = name.strip().lower()
    return next((heading for heading in ("concept", "note", "source", "target") if plain in column_words()[heading]), None)


_ENTRIES, _LANGUAGES, _TERMS = ("conceptEntry", "termEntry"), ("langSec", "langSet"), ("termSec", "tig", "ntig")
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


class Glossary(NamedTuple):
    """The rows of a glossary, and how many of its entries have terms in each language that is not read."""

    rows: list[GlossaryRow]
    other_languages: Counter[str]


def _read_xml(data: bytes, name: str, languages: tuple[str | None, str | None]) -> Glossary:
    """The rows of a file. Raises InputError if it is not XML, or neither TBX nor .ts."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as fault:
        raise InputError("{file} is not valid XML: {fault}; correct the error there", file=name, fault=fault) from fault
    kind = _name(root)
    if kind in ("tbx", "martif"):
        return Glossary(list(_rows_of_tbx(root)), _other_languages(root))
    if kind == "TS":
        return Glossary(list(_rows_of_qt(root, name, languages)), Counter())
    raise InputError("{file} is unsupported XML ({kind}); expected TBX or Qt's .ts", file=name, kind=kind)


def _rows_of_tbx(root: Any) -> Iterator[GlossaryRow]:  # noqa: ANN401
    for entry in _elements_named(root, _ENTRIES):
        terms: dict[str, list[GlossaryTerm]] = {}
        for section in _elements_named(entry, _LANGUAGES):
            lang = language(section.get(_XML_LANG) or "")
            for term in _elements_named(section, _TERMS) if lang else ():
                text = next((part.text for part in _elements_named(term, ("term",)) if part.text), "").strip()
                if text and lang:
                    terms.setdefault(lang, []).append(_term(text, term))
        targets = (element.get("target") or "" for element in _elements_named(entry, ("xref",)))
        concept = next((target for target in targets if "/id/concept/" in target), "")
        notes = (element.text for element in _elements_named(entry, ("note",)) if element.text and not parse_status(element.text))
        if terms:
            yield GlossaryRow(entry.sourceline or 0, terms, concept, next(notes, ""))


def _other_languages(root: Any) -> Counter[str]:  # noqa: ANN401
    """Each language of a TBX that is not read, and the number of entries with terms in it."""
    unknown_languages: Counter[str] = Counter()
    for entry in _elements_named(root, _ENTRIES):
        tags = {section.get(_XML_LANG) or "?" for section in _elements_named(entry, _LANGUAGES)}
        unknown_languages.update(tag for tag in tags if language(tag) is None)
    return unknown_languages


def _term(text: str, term: Any) -> GlossaryTerm:  # noqa: ANN401
    notes = [element.text or "" for element in _elements_named(term, ("note",)) if not parse_status(element.text or "")]
    responsible = [element for element in _elements_named(term, ("transacNote",)) if element.get("type") == "responsibility"]
    by, date = (next((element.text or "" for element in some), "") for some in (responsible, _elements_named(term, ("date",))))
    status, unknown = _term_status(term)
    return GlossaryTerm(text, status, "; ".join(notes) if by else "", by, date, unknown)


def _term_status(term: Any) -> tuple[str, str]:  # noqa: ANN401
    """The status of a term, and the one given if it is unknown; a note may forbid it, which ISO 12620 has no status for.

    A term without a status is preferred; one with an unknown status is only admitted.
    """
    status_words = [
        element.text or "" for element in _elements_named(term, ("termNote",)) if element.get("type") == "administrativeStatus"
    ]
    notes = [element.text or "" for element in _elements_named(term, ("note",))]
    statuses = [status for word in (*notes, *status_words) if (status := parse_status(word))]
    if FORBIDDEN in statuses:
        return FORBIDDEN, ""
    unknown = next((word.strip() for word in status_words if word.strip() and parse_status(word) is None), "")
    return (
        (ADMITTED, unknown)
        if unknown
        else (next((status for word in status_words if (status := parse_status(word))), PREFERRED), "")
    )


def _rows_of_qt(root: Any, name: str, languages: tuple[str | None, str | None]) -> Iterator[GlossaryRow]:  # noqa: ANN401
    source = languages[0] or language((root.get("sourcelanguage") or "en").replace("_", "-"))
    target = languages[1] or language((root.get("language") or "").replace("_", "-"))
    if not source or not target:
        raise InputError("{file} does not state its languages; give --source and --target", file=name)
    for message in _elements_named(root, ("message",)):
        texts = [
            next((element.text or "" for element in _elements_named(message, (tag,))), "").strip()
            for tag in ("source", "translation")
        ]
        if all(texts):
            terms = {lang: [GlossaryTerm(text, "preferred")] for lang, text in zip((source, target), texts, strict=True)}
            yield GlossaryRow(message.sourceline or 0, terms)


def _elements_named(parent: Any, names: tuple[str, ...]) -> Iterator[Any]:  # noqa: ANN401
    return (element for element in parent.iter() if isinstance(element.tag, str) and _name(element) in names)


def _name(element: Any) -> str:  # noqa: ANN401
    return str(element.tag).rpartition("}")[2]


_STATUS_SUFFIXES = {"": "preferred", "also": "admitted", "avoid": "deprecated", "never": "forbidden"}
"""Suffix of a column header after the language → the status of its terms."""


def _read_table(text: str, name: str, languages: tuple[str | None, str | None]) -> list[GlossaryRow]:
    """The rows of a table; `languages` are those of `source` and `target`. Raises InputError if no column is a language."""
    delimiter = delimiter_of(text, lambda cell: bool(_term_columns([cell], languages) or column_kind(cell)))
    rows = [[unquote_cell(cell) for cell in row] for row in csv.reader(StringIO(text), delimiter=delimiter, strict=False)]
    head = [cell.strip() for cell in rows[0]] if rows else []
    columns = _term_columns(head, languages)
    if len({lang for _, lang, _ in columns}) <= 1:
        raise InputError(
            "{file} has no columns of two languages (separator: {separator}); expected a header such as en,ja or source,target "
            "(with --source and --target)",
            file=name,
            separator=DELIMITERS[delimiter],
        )
    others = {kind: place for place, cell in enumerate(head) if (kind := column_kind(cell)) in ("concept", "note")}
    statuses = [place for place, cell in enumerate(head) if cell.lower() in column_words()["status_column"]]
    others |= {"status": statuses[0]} if statuses else {}
    return list(_rows(rows[1:], columns, others))


def _term_columns(head: Sequence[str], languages: tuple[str | None, str | None]) -> list[tuple[int, str, str]]:
    """Place, language and status of every column of terms."""
    columns = []
    for place, cell in enumerate(head):
        lang, _, suffix = cell.partition(" ") if cell.lower().endswith((" also", " avoid", " never")) else (cell, "", "")
        column_lang = language(lang) or dict(zip(("source", "target"), languages, strict=True)).get(column_kind(cell) or "")
        if column_lang:
            columns.append((place, column_lang, _STATUS_SUFFIXES[suffix.lower()]))
    return columns


def _rows(
    rows: Sequence[Sequence[str]], columns: Sequence[tuple[int, str, str]], others: Mapping[str, int]
) -> Iterator[GlossaryRow]:
    """The rows below a header; a column of statuses is about the names in the last language."""
    target = max((place for place, _, status in columns if status == PREFERRED), default=-1)
    for line, cells in enumerate(rows, 2):
        terms: dict[str, list[GlossaryTerm]] = {}
        status_word = _cell(cells, others.get("status"))
        for place, lang, status in columns:
            own_status, unknown = (parse_status(status_word), status_word) if status_word and place == target else (status, "")
            for number, text in enumerate(_split_cell(cells, place)):
                later = ADMITTED if number and own_status == PREFERRED else own_status
                terms.setdefault(lang, []).append(GlossaryTerm(text, later or ADMITTED, given_status="" if later else unknown))
        if terms:
            yield GlossaryRow(line, terms, _cell(cells, others.get("concept")), _cell(cells, others.get("note")))


def _split_cell(cells: Sequence[str], place: int) -> Iterator[str]:
    whole = cells[place] if place < len(cells) else ""
    return (word.strip() for word in whole.split(column_words()["separator"]) if word.strip())


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""


MAX_BYTES = 16 << 20
"""Bytes of a glossary."""


def _read_json(text: str, name: str, keys: Mapping[str, str]) -> list[GlossaryRow]:
    """The rows of a list of objects, or of an object whose values are such lists. `keys`: language, `concept` or `note` → key."""
    try:
        data = json.loads(text)
    except ValueError as fault:
        raise InputError("{file} is not valid JSON: {fault}; correct the error there", file=name, fault=fault) from fault
    lists = [data] if isinstance(data, list) else list(data.values())
    objects = [item for some in lists if isinstance(some, list) for item in some if isinstance(item, dict)]
    names = list(dict.fromkeys(key for item in objects for key in item))
    if {"concept", "lang", "decision"} <= set(names):
        return [row for number, item in enumerate(objects, 1) for row in _rows_of_record(number, item)]
    columns = {key: column for key in names if (column := language(key) or column_kind(key))}
    columns |= {key: language(kind) or column_kind(kind) or "" for kind, key in keys.items()}
    if len([key for key in columns if key in names and columns[key] in column_words()["languages"]]) <= 1 or "" in columns.values():
        raise InputError(
            "{file}: use --map to name the key of each language, e.g. --map en=KEY,zh=KEY; its keys: {keys}",
            file=name,
            keys=", ".join(names[:20]) or "-",
        )
    return list(_rows_of_objects(objects, columns))


def _rows_of_objects(objects: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> Iterator[GlossaryRow]:
    for number, item in enumerate(objects, 1):
        terms: dict[str, list[GlossaryTerm]] = {}
        others: dict[str, str] = {}
        for key, kind in columns.items():
            value = item.get(key) or ()
            several = [
                text.strip() for text in ([value] if isinstance(value, str) else value) if isinstance(text, str) and text.strip()
            ]
            if kind in column_words()["languages"]:
                terms[kind] = [GlossaryTerm(text, "admitted" if later else "preferred") for later, text in enumerate(several)]
            else:
                others[kind] = "; ".join(several)
        if len([lang for lang in terms if terms[lang]]) > 1:
            yield GlossaryRow(number, terms, others.get("concept", ""), others.get("note", ""))


def _rows_of_record(number: int, record: Mapping[str, Any]) -> Iterator[GlossaryRow]:
    """The row of a record that `terms list --json` writes."""
    lang = language(str(record["lang"]))
    statuses = (([record.get("decision")], PREFERRED), *((record.get(name), name) for name in STATUSES[1:]))
    note, by, date = (str(record.get(name) or "") for name in ("note", "by", "date"))
    texts = [(text, status) for some, status in statuses for text in some or () if isinstance(text, str)]
    if lang and texts:
        terms = [GlossaryTerm(text, status, note, by, date) for text, status in texts]
        yield GlossaryRow(number, {lang: terms}, str(record["concept"]))


def read(
    data: bytes, name: str, languages: tuple[str | None, str | None] = (None, None), keys: Mapping[str, str] | None = None
) -> Glossary:
    """The rows of a glossary; `languages` are those of source and target if the file does not name them.

    `keys` are the keys of a JSON list: language, `concept` or `note` → key.

    Texts are read in the encodings that `add` reads. Raises InputError for a file that is too large, empty, or neither text nor a
    glossary.
    """
    if len(data) > MAX_BYTES:
        raise InputError("{file} has more than {megabytes} MB; split it", file=name, megabytes=MAX_BYTES >> 20)
    is_xml = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"
    text = decode(data, name)[0] if data.strip() and not is_xml else ""
    start = text.lstrip()[:1]
    if is_xml or start == "<":
        glossary = _read_xml(data, name, languages)
    elif start in ("[", "{"):
        glossary = Glossary(_read_json(text, name, keys or {}), Counter())
    else:
        glossary = Glossary(_read_table(text, name, languages), Counter())
    if not glossary.rows and glossary.other_languages:
        raise InputError(
            "{file} has terms only in {languages}; expected ja, zh-Hans, zh-Hant or en",
            file=name,
            languages=", ".join(sorted(glossary.other_languages))[:80],
        )
    if not glossary.rows:
        raise InputError("{file} has no terms; expected a row or entry for each", file=name)
    return glossary
