"""Bitext in XLIFF 2.1 (OASIS, 2018): a rule, example or note a unit, its sentences the segments; proof in the metadata module."""

from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

from ontology.translation.bitext.units import Unit
from rulestone.formats.bitext import Bitext, segment_id
from rulestone.formats.xml import SPACE, legal, streamed

NS = "urn:oasis:names:tc:xliff:document:2.0"
"""XLIFF 2.1 keeps the namespace of 2.0."""
META = "urn:oasis:names:tc:xliff:metadata:2.0"
_NAMES = {None: NS, "mda": META}


def xliff(bitext: Bitext, units: Iterable[Unit]) -> Iterator[bytes]:
    """A document, piece by piece. Every unit has its address, edition and authorities, every segment its confidence."""
    file = etree.Element(f"{{{NS}}}file", {"id": "rules", "original": bitext.about["edition"]}, nsmap=_NAMES)
    parts = (_unit(bitext, number, unit) for number, unit in enumerate(units, 1))
    root = etree.Element(f"{{{NS}}}xliff", {"version": "2.1", "srcLang": bitext.source, "trgLang": bitext.target}, nsmap=_NAMES)
    return streamed(root, iter([(file, parts)]))


def _unit(bitext: Bitext, number: int, unit: Unit) -> Any:  # noqa: ANN401
    made = etree.Element(f"{{{NS}}}unit", {"id": f"u{number}", "name": unit.passage.id, SPACE: "preserve"}, nsmap=_NAMES)
    _metadata(made, bitext, unit)
    for place, pair in enumerate(unit.pairs, 1):
        if any(pair.before):
            _words(etree.SubElement(made, f"{{{NS}}}ignorable"), *pair.before)
        segment = etree.SubElement(made, f"{{{NS}}}segment", {"id": f"s{place}", "state": "translated"})
        _words(segment, pair.source, pair.target)
    return made


def _words(parent: Any, source: str, target: str) -> None:  # noqa: ANN401
    for tag, words in (("source", source), ("target", target)):
        etree.SubElement(parent, f"{{{NS}}}{tag}").text = legal(words)


def _metadata(made: Any, bitext: Bitext, unit: Unit) -> None:  # noqa: ANN401
    metadata = etree.SubElement(made, f"{{{META}}}metadata")
    rows = [("rule", name, value) for name, value in bitext.properties(unit).items()]
    rows += [("authority", lang, unit.passage.authority[lang]) for lang in (bitext.source, bitext.target)]
    rows += [("confidence", segment_id(unit, place), str(pair.confidence)) for place, pair in enumerate(unit.pairs, 1)]
    groups: dict[str, Any] = {}
    for category, kind, value in rows:
        if category not in groups:
            groups[category] = etree.SubElement(metadata, f"{{{META}}}metaGroup", {"category": category})
        etree.SubElement(groups[category], f"{{{META}}}meta", {"type": kind}).text = legal(value)
