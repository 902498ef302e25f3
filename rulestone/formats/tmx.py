"""Translation memories in TMX 1.4b (LISA, 2005): for OmegaT, Trados, memoQ, Weblate and whatever else translates."""

from collections.abc import Iterable, Iterator
from typing import Any

from ontology.translation.bitext.units import Pair, Unit
from rulestone.formats.bitext import Bitext, segment_id
from rulestone.formats.xml import below, element, streamed

DOCTYPE = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">'
_HEADER = {"segtype": "sentence", "o_tmf": "rulestone", "adminlang": "en", "datatype": "plaintext"}


def tmx(bitext: Bitext, units: Iterable[Unit]) -> Iterator[bytes]:
    """A document, piece by piece. Every unit has address, edition, part, confidence and authorities as properties."""
    body = element("body"), (part for unit in units for part in _units(bitext, unit))
    return streamed(element("tmx", version="1.4"), iter([_header(bitext), body]), DOCTYPE)


def _header(bitext: Bitext) -> Any:  # noqa: ANN401
    header = element("header", creationtool="Rulestone", creationtoolversion=bitext.version, srclang=bitext.source, **_HEADER)
    for name, value in bitext.about.items():
        below(header, "prop", value, kind=f"x-{name}")
    return header


def _units(bitext: Bitext, unit: Unit) -> Iterator[Any]:
    for place, pair in enumerate(unit.pairs, 1):
        yield _unit(bitext, unit, pair, place)


def _unit(bitext: Bitext, unit: Unit, pair: Pair, place: int) -> Any:  # noqa: ANN401
    whole = len(unit.pairs) == 1
    made = element("tu", tuid=segment_id(unit, place), segtype="paragraph" if whole else "sentence", datatype="plaintext")
    for name, value in bitext.properties(unit, pair).items():
        below(made, "prop", value, kind=f"x-{name}")
    for lang, words in ((bitext.source, pair.source), (bitext.target, pair.target)):
        variant = below(made, "tuv", lang=lang)
        below(variant, "prop", unit.passage.authority[lang], kind="x-authority")
        below(variant, "seg", words)
    return made
