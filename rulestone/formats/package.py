"""A translator's work package in XLIFF 2.1 (OASIS, 2018) or 1.2 (OASIS, 2008), and the finished work that comes back.

A unit is a passage to translate. Numbers, symbols and cited rules are placeholders. Notes contain the changes of the source, the
terms, and Rulestone's gloss, which is never a target, because a tool would treat it as the translation of the official sentence.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from corpus.errors import InputError
from ontology.translation.todo import TranslationState, TranslationTask
from rulestone.formats.bitext import Bitext
from rulestone.formats.xml import XML_SPACE, legal_text, stream_document

DIALECTS = ("2.1", "1.2")
"""Versions of XLIFF, the default first."""
_V2, _V1 = "urn:oasis:names:tc:xliff:document:2.0", "urn:oasis:names:tc:xliff:document:1.2"
_GLOSSARY = "urn:oasis:names:tc:xliff:glossary:2.0"
_EARLIER_CATEGORY = "translated-edition"
"""The category of the note that names the edition whose translation is continued."""
_PLACEHOLDER_TEXT = re.compile(
    r"\{[^{}\n]{1,14}\}"
    r"|(?<![0-9A-Za-z/.*])[+\-−–]?[0-9XY*]{1,2}/[+\-−–]?[0-9XY*]{1,2}(?![0-9A-Za-z/*])"
    r"|(?<![0-9A-Za-z.,-])[0-9]{1,4}(?:[.\-][0-9]{1,4}){0,4}[a-z]{0,2}(?![0-9A-Za-z])"
)
"""Words that a translation keeps: symbols, power and toughness, numbers of rules, figures."""


@dataclass(frozen=True, slots=True)
class TermHint:
    """A term of a unit: its names in both languages, and those that must not be used."""

    source: str
    target: str
    forbidden: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A task with its terms and notes."""

    task: TranslationTask
    terms: Sequence[TermHint] = ()
    gloss: str = ""

    def notes(self) -> Iterator[tuple[str, str]]:
        """The category and the words of each note."""
        yield "rule", f"{self.task.passage.locator} {self.task.passage.part}"
        if self.task.marked_change:
            yield "change", self.task.marked_change
        for term in self.terms:
            never = f" (not: {', '.join(term.forbidden)})" if term.forbidden else ""
            yield "term", f"{term.source} = {term.target}{never}"
        if self.gloss:
            yield "gloss", f"unofficial gloss by Rulestone, not a translation: {self.gloss}"


def package_pieces(bitext: Bitext, units: Iterable[WorkUnit], dialect: str) -> Iterator[bytes]:
    """The work package, piece by piece."""
    return (_package_2 if dialect == DIALECTS[0] else _package_1)(bitext, units)


def _package_2(bitext: Bitext, units: Iterable[WorkUnit]) -> Iterator[bytes]:
    names = {None: _V2, "gls": _GLOSSARY}
    root = etree.Element(f"{{{_V2}}}xliff", {"version": "2.1", "srcLang": bitext.source, "trgLang": bitext.target}, nsmap=names)
    file = etree.Element(f"{{{_V2}}}file", {"id": "rules", "original": bitext.key.iri}, nsmap=names)

    def parts() -> Iterator[Any]:
        if bitext.earlier:
            notes = etree.Element(f"{{{_V2}}}notes", nsmap=names)
            etree.SubElement(notes, f"{{{_V2}}}note", {"category": _EARLIER_CATEGORY}).text = bitext.earlier.edition
            yield notes
        for number, unit in enumerate(units, 1):
            yield _unit_2(number, unit, names)

    return stream_document(root, iter([(file, parts())]))


def _unit_2(number: int, unit: WorkUnit, names: Mapping[str | None, str]) -> Any:  # noqa: ANN401
    attributes = {"id": f"u{number}", "name": unit.task.passage.id, XML_SPACE: "preserve"}
    unit_element = etree.Element(f"{{{_V2}}}unit", attributes, nsmap=dict(names))
    if unit.terms:
        glossary = etree.SubElement(unit_element, f"{{{_GLOSSARY}}}glossary")
        for term in unit.terms:
            entry = etree.SubElement(glossary, f"{{{_GLOSSARY}}}glossEntry")
            etree.SubElement(entry, f"{{{_GLOSSARY}}}term").text = legal_text(term.source)
            etree.SubElement(entry, f"{{{_GLOSSARY}}}translation").text = legal_text(term.target)
    notes = etree.SubElement(unit_element, f"{{{_V2}}}notes")
    for category, words in unit.notes():
        etree.SubElement(notes, f"{{{_V2}}}note", {"category": category}).text = legal_text(words)
    state = {"id": "s1", "state": "initial", "subState": f"rulestone:{unit.task.task_state}"}
    segment = etree.SubElement(unit_element, f"{{{_V2}}}segment", state)

    def placeholder(parent: Any, name: str, words: str) -> Any:  # noqa: ANN401
        return etree.SubElement(parent, f"{{{_V2}}}ph", {"id": name, "equiv": words, "disp": words})

    _fill_unit(segment, _V2, unit.task, placeholder)
    return unit_element


def _package_1(bitext: Bitext, units: Iterable[WorkUnit]) -> Iterator[bytes]:
    root = etree.Element(f"{{{_V1}}}xliff", {"version": "1.2"}, nsmap={None: _V1})
    attributes = {"source-language": bitext.source, "target-language": bitext.target, "datatype": "plaintext"}
    file = etree.Element(f"{{{_V1}}}file", {"original": bitext.key.iri, **attributes}, nsmap={None: _V1})
    body = etree.Element(f"{{{_V1}}}body", nsmap={None: _V1})

    def parts() -> Iterator[Any]:
        if bitext.earlier:
            header = etree.Element(f"{{{_V1}}}header", nsmap={None: _V1})
            etree.SubElement(header, f"{{{_V1}}}note", {"from": _EARLIER_CATEGORY}).text = bitext.earlier.edition
            yield header
        yield body, (_unit_1(number, unit) for number, unit in enumerate(units, 1))

    return stream_document(root, iter([(file, parts())]))


def _unit_1(number: int, unit: WorkUnit) -> Any:  # noqa: ANN401
    attributes = {"id": f"u{number}", "resname": unit.task.passage.id, XML_SPACE: "preserve"}
    unit_element = etree.Element(f"{{{_V1}}}trans-unit", attributes, nsmap={None: _V1})

    def placeholder(parent: Any, name: str, words: str) -> Any:  # noqa: ANN401
        code = etree.SubElement(parent, f"{{{_V1}}}ph", {"id": name})
        code.text = words
        return code

    _fill_unit(unit_element, _V1, unit.task, placeholder)
    if (target := unit_element.find(f"{{{_V1}}}target")) is not None:
        target.set("state", unit.task.task_state.value)
    for category, words in unit.notes():
        etree.SubElement(unit_element, f"{{{_V1}}}note", {"from": category}).text = legal_text(words)
    return unit_element


def _fill_unit(parent: Any, space: str, task: TranslationTask, placeholder: Any) -> None:  # noqa: ANN401
    """The source and the prefilled target; a span that both have gets the same placeholder."""
    ids: dict[str, list[str]] = {}
    for number, match in enumerate(_PLACEHOLDER_TEXT.finditer(task.words), 1):
        ids.setdefault(match[0], []).append(f"p{number}")
    sides = [("source", task.words)]
    sides += [("target", task.prior)] if task.task_state is TranslationState.REVIEW else []
    for tag, words in sides:
        rest_of_ids = {placeholder_text: list(names) for placeholder_text, names in ids.items()}
        words_element, end, last = etree.SubElement(parent, f"{{{space}}}{tag}"), 0, None
        for match in _PLACEHOLDER_TEXT.finditer(words):
            if rest_of_ids.get(match[0]):
                _append_text(words_element, last, words[end : match.start()])
                last, end = placeholder(words_element, rest_of_ids[match[0]].pop(0), match[0]), match.end()
        _append_text(words_element, last, words[end:])


def _append_text(parent: Any, last: Any, words: str) -> None:  # noqa: ANN401
    if last is None:
        parent.text = legal_text(words)
    else:
        last.tail = legal_text(words)


@dataclass(frozen=True, slots=True)
class FinishedPackage:
    """The finished work: the IRI of its edition, its languages, and the units by name, each as source and target."""

    edition: str
    source: str
    target: str
    earlier: str | None
    units: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def read_finished(data: bytes, name: str) -> FinishedPackage:
    """The finished work in a file. Raises InputError if it is not XLIFF 2.x or 1.2 of an edition."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as fault:
        raise InputError("{file} is not valid XML: {fault}; correct the error there", file=name, fault=fault) from fault
    space = etree.QName(root).namespace
    file = root.find(f"{{{space}}}file") if space in (_V1, _V2) else None
    if file is None:
        raise InputError("{file} is not XLIFF 2.1 or 1.2; make one with: rulestone export xliff --todo", file=name)
    pieces: tuple[str, ...] = ()
    if space == _V2:
        languages = root.get("srcLang"), root.get("trgLang")
        kind, label, category, pieces = "unit", "name", "category", (f"{{{_V2}}}segment", f"{{{_V2}}}ignorable")
    else:
        languages = file.get("source-language"), file.get("target-language")
        kind, label, category = "trans-unit", "resname", "from"
    notes = (note for note in file.iter(f"{{{space}}}note") if note.get(category) == _EARLIER_CATEGORY)
    units = {
        unit.get(label, ""): _texts_of_pieces([*unit.iter(*pieces)] if pieces else [unit], space)
        for unit in file.iter(f"{{{space}}}{kind}")
    }
    source, target = (language or "" for language in languages)
    return FinishedPackage(file.get("original", ""), source, target, next((note.text for note in notes), None), units)


def _texts_of_pieces(pieces: Sequence[Any], space: str) -> tuple[str, str]:
    sources = [piece.find(f"{{{space}}}source") for piece in pieces]
    targets = [piece.find(f"{{{space}}}target") for piece in pieces]
    codes = {
        code.get("id"): _placeholder_text(code)
        for source in sources
        if source is not None
        for code in source.iter()
        if _placeholder_text(code)
    }
    source, target = ("".join(_plain_text(side, codes) for side in some if side is not None) for some in (sources, targets))
    return source, target


def _placeholder_text(element: Any) -> str:  # noqa: ANN401
    """The words that a placeholder represents; empty for other elements."""
    if etree.QName(element).localname not in ("ph", "x", "it", "bpt", "ept"):
        return ""
    words: str = element.get("equiv") or element.get("equiv-text") or element.text or ""
    return words


def _plain_text(element: Any, codes: Mapping[str, str]) -> str:  # noqa: ANN401
    """The words of an element, each placeholder replaced by the words that it represents in the source."""
    words = element.text or ""
    for inner in element:
        if isinstance(inner.tag, str):
            words += codes.get(inner.get("id")) or _placeholder_text(inner) or _plain_text(inner, codes)
        words += inner.tail or ""
    return words
