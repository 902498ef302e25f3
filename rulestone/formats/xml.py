"""Elements of XML, made by lxml: what is special in XML is escaped, what cannot stand in it is left out."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any

from lxml import etree

LANG = "{http://www.w3.org/XML/1998/namespace}lang"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PIECE = 1 << 16
"""Bytes that are gathered before they are handed on."""


def element(tag: str, text: str | None = None, **attributes: str) -> Any:  # noqa: ANN401
    """An element with words; `lang` is `xml:lang`, and `o_tmf` is `o-tmf`."""
    made = etree.Element(tag, _named(attributes))
    made.text = legal(text) if text is not None else None
    return made


def below(parent: Any, tag: str, text: str | None = None, **attributes: str) -> Any:  # noqa: ANN401
    """The same as the last child of another."""
    made = element(tag, text, **attributes)
    parent.append(made)
    return made


def legal(text: str) -> str:
    """A text without what XML 1.0 cannot have."""
    return _ILLEGAL.sub("", text)


def document(root: Any, doctype: str | None = None) -> bytes:  # noqa: ANN401
    """A whole document in UTF-8."""
    made: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True, doctype=doctype)
    return made


def streamed(root: Any, parts: Iterator[Any], doctype: str | None = None) -> Iterator[bytes]:  # noqa: ANN401
    """A document piece by piece, for what is too large to be held as a tree: a root element, empty, and what stands in it.

    A part is an element, or a pair of an element and the parts inside it.
    """
    buffer = BytesIO()
    with etree.xmlfile(buffer, encoding="UTF-8") as file:
        file.write_declaration()
        if doctype:
            file.write_doctype(doctype)
        with file.element(root.tag, dict(root.attrib), nsmap=root.nsmap):
            file.write("\n")
            yield from _written(file, buffer, parts)
    yield buffer.getvalue()


def _written(file: Any, buffer: BytesIO, parts: Iterator[Any]) -> Iterator[bytes]:  # noqa: ANN401
    for part in parts:
        if isinstance(part, tuple):
            outer, inner = part
            with file.element(outer.tag, dict(outer.attrib), nsmap=outer.nsmap):
                file.write("\n")
                yield from _written(file, buffer, inner)
            file.write("\n")
        else:
            file.write(part, pretty_print=True)
        if buffer.tell() > _PIECE:
            file.flush()
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()


def _named(attributes: Mapping[str, str]) -> dict[str, str]:
    return {_NAMES.get(name, name): legal(value) for name, value in attributes.items()}


_NAMES = {"lang": LANG, "o_tmf": "o-tmf", "kind": "type", "ident": "id"}
"""Attributes whose names are none in Python."""
