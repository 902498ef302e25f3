"""Glossaries in XML: TBX of 2019 and 2008, and Qt Linguist's .ts, in which Cockatrice keeps its translations."""

from collections.abc import Iterator
from typing import Any

from corpus.errors import InputError
from ingest.glossary.row import GlossaryRow, GlossaryTerm
from ingest.glossary.words import language, status

_ENTRIES, _LANGUAGES, _TERMS = ("conceptEntry", "termEntry"), ("langSec", "langSet"), ("termSec", "tig", "ntig")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read(data: bytes, name: str, languages: tuple[str | None, str | None]) -> list[GlossaryRow]:
    """The rows of a file. Raises InputError for what is no XML, or neither TBX nor .ts."""
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
