"""Termbases in TBX: ISO 30042:2019 (TBX-Basic, data categories as attributes), and that of 2008, which most tools still read."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from corpus.address import CONCEPT
from corpus.catalogue import catalogue
from ontology.translation.termbase.entries import Entry, Term
from rulestone.formats.who import WHO
from rulestone.formats.xml import below, document, element

NS = "urn:iso:std:iso:30042:ed-2"
_SCHEMA = "https://raw.githubusercontent.com/LTAC-Global/TBX-Basic_dialect/master/DCA/"
_MODELS = (
    (f"{_SCHEMA}TBXcoreStructV03_TBX-Basic_integrated.rng", "http://relaxng.org/ns/structure/1.0"),
    (f"{_SCHEMA}TBX-Basic_DCA.sch", "http://purl.oclc.org/dsdl/schematron"),
)
_XCS = "http://www.lisa.org/fileadmin/standards/tbx_basic/TBXBasicXCSV02.xcs"


@dataclass(frozen=True, slots=True)
class _Dialect:
    """What the two dialects call the same."""

    entry: str
    language: str
    term: str


_OF_2019, _OF_2008 = _Dialect("conceptEntry", "langSec", "termSec"), _Dialect("termEntry", "langSet", "tig")


def tbx(entries: Sequence[Entry], title: str) -> bytes:
    """TBX of 2019."""
    root = etree.Element("tbx", {"type": "TBX-Basic", "style": "dca"})
    root.set("{http://www.w3.org/XML/1998/namespace}lang", "en")
    _fill(root, "tbxHeader", title, entries, _OF_2019)
    named = etree.ElementTree(_in_namespace(root))
    for href, kind in _MODELS:
        model = f'href="{href}" type="application/xml" schematypens="{kind}"'
        named.getroot().addprevious(etree.ProcessingInstruction("xml-model", model))
    return document(named)


def tbx_2008(entries: Sequence[Entry], title: str) -> bytes:
    """TBX of 2008 (martif)."""
    root = element("martif", kind="TBX", lang="en")
    header = _fill(root, "martifHeader", title, entries, _OF_2008)
    below(below(header, "encodingDesc"), "p", _XCS, kind="XCSURI")
    return document(root)


def _in_namespace(root: Any) -> Any:  # noqa: ANN401
    """The same elements under the namespace of the standard, which is the default one."""
    made = etree.Element(f"{{{NS}}}{root.tag}", dict(root.attrib), nsmap={None: NS})
    made.extend(list(root))
    for iterdescendant in made.iterdescendants():
        iterdescendant.tag = f"{{{NS}}}{iterdescendant.tag}"
    return made


def _fill(root: Any, header: str, title: str, entries: Iterable[Entry], dialect: _Dialect) -> Any:  # noqa: ANN401
    head = below(root, header)
    file = below(head, "fileDesc")
    below(below(file, "titleStmt"), "title", title)
    below(below(file, "sourceDesc"), "p", "Rulestone. Definitions and notes are unofficial; each term says who prints it.")
    body = below(below(root, "text"), "body")
    for entry in entries:
        _entry(body, entry, dialect)
    return head


def _entry(body: Any, entry: Entry, dialect: _Dialect) -> None:  # noqa: ANN401
    made = below(body, dialect.entry, ident=entry_id(entry.concept))
    below(made, "descrip", f"{_game(entry.game)}; {entry.kind}", kind="subjectField")
    for friend in entry.false_friends:
        below(made, "note", friend)
    below(made, "xref", "concept", kind="externalCrossReference", target=entry.concept)
    for rule in entry.defined_by:
        below(made, "xref", "defining rule", kind="externalCrossReference", target=rule)
    for lang in dict.fromkeys(term.lang for term in entry.terms):
        section = below(made, dialect.language, lang=lang)
        if definition := entry.definition.get(lang):
            group = below(section, "descripGrp")
            below(group, "descrip", definition, kind="definition")
            below(group, "admin", WHO["ours"], kind="source")
        for term in entry.terms:
            if term.lang == lang:
                _term(below(section, dialect.term), term)


def _term(made: Any, term: Term) -> None:  # noqa: ANN401
    below(made, "term", term.text)
    below(made, "termNote", f"{term.status.value}Term-admn-sts", kind="administrativeStatus")
    if term.slang:
        below(made, "note", "slang: what players say at the table")
    below(made, "admin", ", ".join(filter(None, (WHO.get(term.authority, term.authority), term.source))), kind="source")
    if term.example and term.example.words:
        group = below(made, "descripGrp")
        below(group, "descrip", term.example.words, kind="context")
        below(group, "admin", term.example.rule, kind="source")
    elif term.example:
        below(made, "xref", "example of use", kind="externalCrossReference", target=term.example.rule)


def entry_id(concept: str) -> str:
    """A name for a concept that XML takes as one: `c-mtg-graveyard`."""
    plain = concept.removeprefix(CONCEPT)
    return "c-" + "".join(character if character.isalnum() or character in "-_." else "-" for character in plain)


def _game(slug: str) -> str:
    game = catalogue().games.get(slug)
    return game.names.get("en", slug) if game else slug


DIALECTS: dict[str, Callable[[Sequence[Entry], str], bytes]] = {"2019": tbx, "2008": tbx_2008}
