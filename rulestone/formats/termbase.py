"""Terms for other tools: termbases in TBX (ISO 30042:2019, and that of 2008), SKOS-XL, CSV and XLSX; concordances as tables."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
from lxml import etree

from corpus.address import CONCEPT, RDF_TYPE, RS, SKOS, XL, scheme_iri
from corpus.spreadsheet import quote_cell
from ontology.translation.termbase import TermbaseEntry, TermbaseTerm, TermStatus, games_of_entries
from rulestone.formats.xml import child, document_bytes, element

if TYPE_CHECKING:
    from corpus.contract import Concordance, ConcordanceLine, RenderingCount

_SOURCE_LABELS = {
    "official": "publisher's book",
    "translation": "recognised translation",
    "community": "community",
    "editorial": "editors of a wiki",
    "curator": "curator",
    "ours": "Rulestone",
}
"""Authority → the source of a term, in words for a translator."""


# TBX


Names = Mapping[str, str]
"""Game → its name."""
FORBIDDEN_NOTE = "must not be used"
"""The note of a forbidden term; ISO 12620 has no status for it."""


@dataclass(frozen=True, slots=True)
class _Dialect:
    """The names of elements that differ between the two dialects."""

    entry: str
    language: str
    term: str


_OF_2019, _OF_2008 = _Dialect("conceptEntry", "langSec", "termSec"), _Dialect("termEntry", "langSet", "tig")
_TBX = "urn:iso:std:iso:30042:ed-2"
_SCHEMA = "https://raw.githubusercontent.com/LTAC-Global/TBX-Basic_dialect/master/DCA/"
_MODELS = (
    (f"{_SCHEMA}TBXcoreStructV03_TBX-Basic_integrated.rng", "http://relaxng.org/ns/structure/1.0"),
    (f"{_SCHEMA}TBX-Basic_DCA.sch", "http://purl.oclc.org/dsdl/schematron"),
)
_XCS_URL = "http://www.lisa.org/fileadmin/standards/tbx_basic/TBXBasicXCSV02.xcs"


def tbx_document(entries: Sequence[TermbaseEntry], names: Names) -> bytes:
    """TBX-Basic of 2019, with data categories as attributes."""
    root = etree.Element("tbx", {"type": "TBX-Basic", "style": "dca"})
    root.set("{http://www.w3.org/XML/1998/namespace}lang", "en")
    _fill_header(root, "tbxHeader", names, entries, _OF_2019)
    tree = etree.ElementTree(_in_namespace(root))
    for href, kind in _MODELS:
        model = f'href="{href}" type="application/xml" schematypens="{kind}"'
        tree.getroot().addprevious(etree.ProcessingInstruction("xml-model", model))
    return document_bytes(tree)


def tbx_2008_document(entries: Sequence[TermbaseEntry], names: Names) -> bytes:
    """TBX of 2008 (martif), which most tools still read."""
    root = element("martif", kind="TBX", lang="en")
    header = _fill_header(root, "martifHeader", names, entries, _OF_2008)
    child(child(header, "encodingDesc"), "p", _XCS_URL, kind="XCSURI")
    return document_bytes(root)


def _in_namespace(root: Any) -> Any:  # noqa: ANN401
    """The same elements in the namespace of the standard, as the default one."""
    new_root = etree.Element(f"{{{_TBX}}}{root.tag}", dict(root.attrib), nsmap={None: _TBX})
    new_root.extend(list(root))
    for descendant in new_root.iterdescendants():
        descendant.tag = f"{{{_TBX}}}{descendant.tag}"
    return new_root


def _fill_header(root: Any, header: str, names: Names, entries: Sequence[TermbaseEntry], dialect: _Dialect) -> Any:  # noqa: ANN401
    head = child(root, header)
    file = child(head, "fileDesc")
    child(child(file, "titleStmt"), "title", f"Terms of {', '.join(names[game] for game in games_of_entries(entries))}")
    child(child(file, "sourceDesc"), "p", "Rulestone. Definitions and notes are unofficial; each term says who prints it.")
    body = child(child(root, "text"), "body")
    for entry in entries:
        _tbx_entry(body, entry, names[entry.game], dialect)
    return head


def _tbx_entry(body: Any, entry: TermbaseEntry, name: str, dialect: _Dialect) -> None:  # noqa: ANN401
    entry_element = child(body, dialect.entry, ident=_entry_id(entry.concept))
    child(entry_element, "descrip", f"{name}; {entry.kind}", kind="subjectField")
    for friend in entry.false_friends:
        child(entry_element, "note", friend)
    child(entry_element, "xref", "concept", kind="externalCrossReference", target=entry.concept)
    for rule in entry.defined_by:
        child(entry_element, "xref", "defining rule", kind="externalCrossReference", target=rule)
    for lang in dict.fromkeys(term.lang for term in entry.terms):
        section = child(entry_element, dialect.language, lang=lang)
        if definition := entry.definition.get(lang):
            group = child(section, "descripGrp")
            child(group, "descrip", definition, kind="definition")
            child(group, "admin", _SOURCE_LABELS["ours"], kind="source")
        for term in entry.terms:
            if term.lang == lang:
                _tbx_term(child(section, dialect.term), term)


def _tbx_term(parent: Any, term: TermbaseTerm) -> None:  # noqa: ANN401
    child(parent, "term", term.text)
    child(parent, "termNote", f"{term.status.value}Term-admn-sts", kind="administrativeStatus")
    if term.slang:
        child(parent, "note", "slang: what players say at the table")
    if decision := term.decision:
        for note in filter(None, (FORBIDDEN_NOTE if term.is_forbidden else "", decision.note)):
            child(parent, "note", note)
    child(parent, "admin", ", ".join(filter(None, (_source(term), term.source))), kind="source")
    if term.example and term.example.words:
        group = child(parent, "descripGrp")
        child(group, "descrip", term.example.words, kind="context")
        child(group, "admin", term.example.rule, kind="source")
    elif term.example:
        child(parent, "xref", "example of use", kind="externalCrossReference", target=term.example.rule)
    if decision := term.decision:
        if decision.evidence and (term.example is None or term.example.rule != decision.evidence):
            child(parent, "xref", "evidence", kind="externalCrossReference", target=decision.evidence)
        group = child(parent, "transacGrp")
        child(group, "transac", "modification", kind="transactionType")
        child(group, "transacNote", decision.by, kind="responsibility")
        if decision.date:
            child(group, "date", decision.date)


def _entry_id(concept: str) -> str:
    """An XML name for a concept: `c-mtg-graveyard`."""
    plain = concept.removeprefix(CONCEPT)
    return "c-" + "".join(character if character.isalnum() or character in "-_." else "-" for character in plain)


def _source(term: TermbaseTerm) -> str:
    return _SOURCE_LABELS.get(term.authority, term.authority)


# SKOS-XL


_LEXINFO = "http://www.lexinfo.net/ontology/3.0/lexinfo#"
_DCTERMS = "http://purl.org/dc/terms/"
_PREFIXES = {"rs": RS, "skos": SKOS, "skosxl": XL, "lexinfo": _LEXINFO, "dcterms": _DCTERMS}
_LABEL_PROPERTIES = {TermStatus.PREFERRED: "prefLabel", TermStatus.ADMITTED: "altLabel", TermStatus.DEPRECATED: "hiddenLabel"}


def skos_document(game: str, entries: Iterable[TermbaseEntry], names: Names) -> bytes:
    """A game's concepts in Turtle, UTF-8.

    Each label is a resource with its status (ISO 12620, under LexInfo's names) and source.
    """
    triples = sorted({*_skos_scheme(game, names[game]), *(triple for entry in entries for triple in _skos_entry(entry))}, key=str)
    return ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=_PREFIXES) or b""


def _skos_scheme(game: str, name: str) -> Iterator[ox.Triple]:
    scheme = ox.NamedNode(scheme_iri(game))
    yield ox.Triple(scheme, ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{SKOS}ConceptScheme"))
    yield ox.Triple(scheme, ox.NamedNode(f"{_DCTERMS}title"), ox.Literal(name))


def _skos_entry(entry: TermbaseEntry) -> Iterator[ox.Triple]:
    concept = ox.NamedNode(entry.concept)
    yield ox.Triple(concept, ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{SKOS}Concept"))
    yield ox.Triple(concept, ox.NamedNode(f"{SKOS}inScheme"), ox.NamedNode(scheme_iri(entry.game)))
    yield ox.Triple(concept, ox.NamedNode(f"{_DCTERMS}type"), ox.Literal(entry.kind))
    for lang, definition in entry.definition.items():
        yield ox.Triple(concept, ox.NamedNode(f"{SKOS}definition"), ox.Literal(definition, language=lang))
    for rule in entry.defined_by:
        yield ox.Triple(concept, ox.NamedNode(f"{RS}definedBy"), ox.NamedNode(rule))
    for friend in entry.false_friends:
        yield ox.Triple(concept, ox.NamedNode(f"{SKOS}editorialNote"), ox.Literal(friend))
    for term in entry.terms:
        yield from _skos_label(concept, term)


def _skos_label(concept: ox.NamedNode, term: TermbaseTerm) -> Iterator[ox.Triple]:
    name = _LABEL_PROPERTIES[term.status]
    words = ox.Literal(term.text, language=term.lang)
    label = ox.NamedNode(f"{concept.value}#{term.lang}-{blake2b(term.text.encode(), digest_size=5).hexdigest()}")
    yield ox.Triple(concept, ox.NamedNode(f"{SKOS}{name}"), words)
    yield ox.Triple(concept, ox.NamedNode(f"{XL}{name}"), label)
    yield ox.Triple(label, ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{XL}Label"))
    yield ox.Triple(label, ox.NamedNode(f"{XL}literalForm"), words)
    status = ox.NamedNode(f"{_LEXINFO}{term.status.value}Term")
    yield ox.Triple(label, ox.NamedNode(f"{_LEXINFO}normativeAuthorization"), status)
    yield ox.Triple(label, ox.NamedNode(f"{_DCTERMS}provenance"), ox.Literal(_source(term)))
    if term.source:
        yield ox.Triple(label, ox.NamedNode(f"{_DCTERMS}source"), ox.Literal(term.source))
    if use := term.example:
        example = ox.Literal(use.words, language=term.lang) if use.words else ox.NamedNode(use.rule)
        yield ox.Triple(label, ox.NamedNode(f"{SKOS}example"), example)


# Tables


_SEPARATOR = " | "
"""Separates several values in one cell."""
_COLUMN_WIDTHS = {"concept": 28, "definition": 50, "false friends": 50, "note": 40}
_DEFAULT_WIDTH = 18
"""Width of the other columns, in characters."""


def csv_bytes(entries: Iterable[TermbaseEntry], languages: Sequence[str]) -> bytes:
    """CSV (RFC 4180) in UTF-8 with a byte order mark, without which spreadsheets do not recognise UTF-8; no cell is a formula."""
    text = StringIO()
    csv.writer(text).writerows(map(quote_cell, row) for row in _rows(entries, languages))
    return text.getvalue().encode("utf-8-sig")


def xlsx_bytes(entries: Iterable[TermbaseEntry], languages: Sequence[str]) -> bytes:
    """An Excel workbook of one sheet, its header row frozen and filtered; every cell is text, even if it begins like a formula."""
    from openpyxl import Workbook  # imports numpy
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.utils import get_column_letter

    rows = [*_rows(entries, languages)]
    header = rows[0]
    book = Workbook(write_only=True)  # the cells of a whole sheet are large, and only the cyclic collector frees them
    sheet = book.create_sheet("terms")
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(header))}{len(rows)}"
    for column, name in enumerate(header, 1):
        sheet.column_dimensions[get_column_letter(column)].width = _COLUMN_WIDTHS.get(name, _DEFAULT_WIDTH)

    def text_cell(words: str) -> WriteOnlyCell:
        cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", words) or None)
        cell.data_type = "s"
        return cell

    for row in rows:
        sheet.append([*map(text_cell, row)])
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def _rows(entries: Iterable[TermbaseEntry], languages: Sequence[str]) -> Iterator[list[str]]:
    """The header row and a row for every concept.

    For each language: the preferred term, its status and source, other admitted terms, deprecated terms, forbidden terms.
    """
    suffixes = ("", " status", " also", " avoid", " never")
    names = [f"{lang}{suffix}" for lang in languages for suffix in suffixes]
    yield ["concept", "game", "kind", *names, "definition", "defined by", "example", "false friends", "note"]
    for entry in entries:
        cells = [cell for lang in languages for cell in _language_cells([term for term in entry.terms if term.lang == lang])]
        definition = next((entry.definition[lang] for lang in languages if lang in entry.definition), "")
        examples = [term.example for term in entry.terms if term.example]
        rules = _SEPARATOR.join(dict.fromkeys(example.rule for example in examples))
        quotes = _SEPARATOR.join(dict.fromkeys(example.words for example in examples if example.words))
        rest = [definition, _SEPARATOR.join(entry.defined_by), rules, _SEPARATOR.join(entry.false_friends), quotes]
        yield [entry.concept, entry.game, entry.kind, *cells, *rest]


def _language_cells(terms: Sequence[TermbaseTerm]) -> Iterator[str]:
    preferred_terms = [term for term in terms if term.status is TermStatus.PREFERRED]
    yield _SEPARATOR.join(term.text for term in preferred_terms)
    yield _SEPARATOR.join(f"{term.status.value}: {_source(term)}" for term in preferred_terms)
    for status in (TermStatus.ADMITTED, TermStatus.DEPRECATED):
        yield _SEPARATOR.join(term.text for term in terms if term.status is status and not term.is_forbidden)
    yield _SEPARATOR.join(term.text for term in terms if term.is_forbidden)


_CONCORDANCE_COLUMNS = (
    "game", "book", "edition", "locator", "part", "lang", "before", "match", "after",
    "beside", "counterparts", "confidence", "authority", "address",
)  # fmt: skip


def concordance_table(body: "Concordance", kind: str) -> bytes:
    """A header and a row for each line, as `csv` or `tsv`; see `_table`."""
    return _table(kind, _CONCORDANCE_COLUMNS, map(_concordance_row, body["lines"]))


_RENDERING_COLUMNS = ("game", "book", "edition", "lang", "beside", "rendering", "sort", "count", "share", "rules")


def renderings_table(body: "Concordance", kind: str) -> bytes:
    """A header and a row for each rendering, as `csv` or `tsv`; see `_table`."""
    return _table(kind, _RENDERING_COLUMNS, map(_rendering_row, body["renderings"]))


def _table(kind: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A header and rows as `csv` or `tsv` in UTF-8; no cell is a formula. CSV has a byte order mark."""
    text = StringIO()
    writer = csv.writer(text, "excel" if kind == "csv" else "excel-tab")
    writer.writerow(columns)
    writer.writerows(map(quote_cell, row) for row in rows)
    return text.getvalue().encode("utf-8-sig" if kind == "csv" else "utf-8")


def _rendering_row(row: "RenderingCount") -> list[str]:
    place = [row["game"], row["book"], row["edition"], row["lang"], row["beside"]]
    return [*place, row["text"] or "", row["sort"] or "", str(row["count"]), f"{row['share']:g}", _SEPARATOR.join(row["rules"])]


def _concordance_row(line: "ConcordanceLine") -> list[str]:
    beside = line["beside"]
    words = beside["text"] if beside else ""
    translations = [words[counterpart["start"] : counterpart["end"]] for counterpart in beside["counterparts"]] if beside else []
    place = [line["game"], line["book"], line["edition"], line["locator"], line["part"], line["lang"]]
    context = [line["before"], line["match"], line["after"], words, " | ".join(translations)]
    return [*place, *context, str(beside["confidence"]) if beside else "", line["authority"], line["rule"]]
