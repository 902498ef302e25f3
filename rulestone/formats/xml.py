"""XML with lxml: elements whose text is escaped and legal, and documents that are written piece by piece."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from lxml import etree

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_ATTRIBUTES = {"lang": XML_LANG, "o_tmf": "o-tmf", "kind": "type", "ident": "id"}
"""Attributes whose names are not valid identifiers in Python, or shadow others."""
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PIECE_BYTES = 1 << 16
"""Minimum number of bytes of a piece of a document."""


def element(tag: str, text: str | None = None, **attributes: str) -> Any:  # noqa: ANN401
    """An element; `lang` is `xml:lang`, `o_tmf` is `o-tmf`, `kind` is `type` and `ident` is `id`."""
    new_element = etree.Element(tag, {_ATTRIBUTES.get(name, name): legal_text(value) for name, value in attributes.items()})
    new_element.text = legal_text(text) if text is not None else None
    return new_element


def child(parent: Any, tag: str, text: str | None = None, **attributes: str) -> Any:  # noqa: ANN401
    """Appends such an element to another, and returns it."""
    new_child = element(tag, text, **attributes)
    parent.append(new_child)
    return new_child


def legal_text(text: str) -> str:
    """A text without the characters that XML 1.0 excludes."""
    return _ILLEGAL.sub("", text)


def document_bytes(root: Any, doctype: str | None = None) -> bytes:  # noqa: ANN401
    """A whole document in UTF-8."""
    document: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True, doctype=doctype)
    return document


def stream_document(root: Any, parts: Iterator[Any], doctype: str | None = None) -> Iterator[bytes]:  # noqa: ANN401
    """A document piece by piece, for one that is too large for a tree: an empty root element, and the parts inside it.

    A part is an element, or a pair of an element and the parts inside it.
    """
    buffer = BytesIO()
    with etree.xmlfile(buffer, encoding="UTF-8") as file:
        file.write_declaration()
        if doctype:
            file.write_doctype(doctype)
        with file.element(root.tag, dict(root.attrib), nsmap=root.nsmap):
            file.write("\n")
            yield from _pieces(file, buffer, parts)
    yield buffer.getvalue()


def _pieces(file: Any, buffer: BytesIO, parts: Iterator[Any]) -> Iterator[bytes]:  # noqa: ANN401
    for part in parts:
        if isinstance(part, tuple):
            outer, inner = part
            with file.element(outer.tag, dict(outer.attrib), nsmap=outer.nsmap):
                file.write("\n")
                yield from _pieces(file, buffer, inner)
            file.write("\n")
        else:
            file.write(part, pretty_print=True)
        if buffer.tell() > _PIECE_BYTES:
            file.flush()
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
