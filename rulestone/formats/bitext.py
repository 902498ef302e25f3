"""Bitext for translation tools: translation memories in TMX 1.4b (LISA, 2005) and documents in XLIFF 2.1 (OASIS, 2018)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lxml import etree

from corpus.address import EditionKey
from ontology.translation.bitext import BitextUnit, TranslatedPair
from rulestone.formats.xml import XML_SPACE, child, element, legal_text, stream_document

_DOCTYPE = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">'
_HEADER = {"segtype": "sentence", "o_tmf": "rulestone", "adminlang": "en", "datatype": "plaintext"}
_XLIFF_NS = "urn:oasis:names:tc:xliff:document:2.0"
"""XLIFF 2.1 keeps the namespace of 2.0."""
_METADATA_NS = "urn:oasis:names:tc:xliff:metadata:2.0"
_NAMESPACES = {None: _XLIFF_NS, "mda": _METADATA_NS}


@dataclass(frozen=True, slots=True)
class Bitext:
    """A book in two languages; `version` is that of Rulestone."""

    key: EditionKey
    title: str
    source: str
    target: str
    version: str
    earlier: EditionKey | None = None
    """The edition of the translation, if it is another one."""

    @property
    def document_properties(self) -> Mapping[str, str]:
        """The properties of the whole document."""
        head = {"edition": self.key.iri, "title": f"{self.title} {self.key.edition}", "origin": "rule texts added by the user"}
        return head | ({"translated-edition": self.earlier.iri} if self.earlier else {})

    def unit_properties(self, unit: BitextUnit, pair: TranslatedPair | None = None) -> Mapping[str, str]:
        """The properties of a unit, and of one pair of sentences in it."""
        passage = unit.passage
        properties = {"address": passage.rule, "game": self.key.game, "book": self.key.book, "edition": self.key.edition}
        properties |= {"number": passage.locator, "part": passage.part, "current": "yes" if passage.current else "no"}
        properties |= {"translated-address": unit.target_rule} if unit.target_rule else {}
        return properties | ({"confidence": str(pair.confidence)} if pair else {})


def tmx_pieces(bitext: Bitext, units: Iterable[BitextUnit]) -> Iterator[bytes]:
    """A translation memory, piece by piece. Address, edition, part, confidence and authorities are properties of every unit."""
    header = element("header", creationtool="Rulestone", creationtoolversion=bitext.version, srclang=bitext.source, **_HEADER)
    for name, value in bitext.document_properties.items():
        child(header, "prop", value, kind=f"x-{name}")
    pairs = (_tmx_pair(bitext, unit, pair, place) for unit in units for place, pair in enumerate(unit.pairs, 1))
    return stream_document(element("tmx", version="1.4"), iter([header, (element("body"), pairs)]), _DOCTYPE)


def _tmx_pair(bitext: Bitext, unit: BitextUnit, pair: TranslatedPair, place: int) -> Any:  # noqa: ANN401
    kind = "paragraph" if len(unit.pairs) == 1 else "sentence"
    unit_element = element("tu", tuid=_segment_id(unit, place), segtype=kind, datatype="plaintext")
    for name, value in bitext.unit_properties(unit, pair).items():
        child(unit_element, "prop", value, kind=f"x-{name}")
    for lang, words in ((bitext.source, pair.source), (bitext.target, pair.target)):
        variant = child(unit_element, "tuv", lang=lang)
        child(variant, "prop", unit.passage.authority[lang], kind="x-authority")
        child(variant, "seg", words)
    return unit_element


def xliff_pieces(bitext: Bitext, units: Iterable[BitextUnit]) -> Iterator[bytes]:
    """A document, piece by piece: a rule, example or note is a unit, its sentences are segments.

    The metadata of a unit are its address, edition and authorities, and the confidence of every segment.
    """
    file = etree.Element(
        f"{{{_XLIFF_NS}}}file", {"id": "rules", "original": bitext.document_properties["edition"]}, nsmap=_NAMESPACES
    )
    parts = (_xliff_unit(bitext, number, unit) for number, unit in enumerate(units, 1))
    attributes = {"version": "2.1", "srcLang": bitext.source, "trgLang": bitext.target}
    return stream_document(etree.Element(f"{{{_XLIFF_NS}}}xliff", attributes, nsmap=_NAMESPACES), iter([(file, parts)]))


def _xliff_unit(bitext: Bitext, number: int, unit: BitextUnit) -> Any:  # noqa: ANN401
    unit_element = etree.Element(
        f"{{{_XLIFF_NS}}}unit", {"id": f"u{number}", "name": unit.passage.id, XML_SPACE: "preserve"}, nsmap=_NAMESPACES
    )
    _metadata(unit_element, bitext, unit)
    for place, pair in enumerate(unit.pairs, 1):
        if any(pair.before):
            _words(etree.SubElement(unit_element, f"{{{_XLIFF_NS}}}ignorable"), *pair.before)
        segment = etree.SubElement(unit_element, f"{{{_XLIFF_NS}}}segment", {"id": f"s{place}", "state": "translated"})
        _words(segment, pair.source, pair.target)
    return unit_element


def _words(parent: Any, source: str, target: str) -> None:  # noqa: ANN401
    for tag, words in (("source", source), ("target", target)):
        etree.SubElement(parent, f"{{{_XLIFF_NS}}}{tag}").text = legal_text(words)


def _metadata(parent: Any, bitext: Bitext, unit: BitextUnit) -> None:  # noqa: ANN401
    metadata = etree.SubElement(parent, f"{{{_METADATA_NS}}}metadata")
    rows = [("rule", name, value) for name, value in bitext.unit_properties(unit).items()]
    rows += [("authority", lang, unit.passage.authority[lang]) for lang in (bitext.source, bitext.target)]
    rows += [("confidence", _segment_id(unit, place), str(pair.confidence)) for place, pair in enumerate(unit.pairs, 1)]
    groups: dict[str, Any] = {}
    for category, kind, value in rows:
        if category not in groups:
            groups[category] = etree.SubElement(metadata, f"{{{_METADATA_NS}}}metaGroup", {"category": category})
        etree.SubElement(groups[category], f"{{{_METADATA_NS}}}meta", {"type": kind}).text = legal_text(value)


def _segment_id(unit: BitextUnit, place: int) -> str:
    """An id for one pair of a unit, unique in the book."""
    passage = unit.passage
    whole = f"{passage.rule}#{passage.part}-{passage.nth}"
    return whole if len(unit.pairs) == 1 else f"{whole}.{place}"
