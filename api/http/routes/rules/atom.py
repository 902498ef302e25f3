"""The feed of editions as Atom (RFC 4287)."""

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from corpus.contract import AddedEdition, Feed

MEDIA = "application/atom+xml"
_ATOM = "http://www.w3.org/2005/Atom"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_UNKNOWN = "1970-01-01"
"""The day of an edition without a date: Atom wants one."""


def atom(body: "Feed", address: str) -> bytes:
    """The feed as XML. It depends on the editions alone: no clock is read.

    `address` is its path on this server, without a host: that is what a client says it is.
    """
    ET.register_namespace("", _ATOM)
    feed = ET.Element(f"{{{_ATOM}}}feed")
    entries = body["editions"]
    _say(feed, "id", "https://w3id.org/rulestone/feed")
    _say(feed, "title", "Rulestone: editions")
    _say(feed, "updated", max((_when(entry) for entry in entries), default=f"{_UNKNOWN}T00:00:00Z"))
    ET.SubElement(feed, f"{{{_ATOM}}}link", rel="self", href=address, type=MEDIA)
    _say(ET.SubElement(feed, f"{{{_ATOM}}}author"), "name", "Rulestone")
    for entry in entries:
        _entry(feed, entry)
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(feed, encoding="unicode").encode()


def _entry(feed: ET.Element, edition: "AddedEdition") -> None:
    entry = ET.SubElement(feed, f"{{{_ATOM}}}entry")
    _say(entry, "id", edition["iri"])
    _say(entry, "title", f"{edition['title']} {edition['edition']} ({', '.join(edition['languages'])})")
    _say(entry, "updated", _when(edition))
    ET.SubElement(entry, f"{{{_ATOM}}}link", rel="alternate", href=edition["iri"])
    since = f"{edition['since']} → {edition['edition']}: {edition['summary']}" if edition["since"] else edition["edition"]
    _say(entry, "summary", since)


def _when(edition: "AddedEdition") -> str:
    return f"{edition['edition'] if _DATE.fullmatch(edition['edition']) else _UNKNOWN}T00:00:00Z"


def _say(parent: ET.Element, name: str, words: str) -> None:
    ET.SubElement(parent, f"{{{_ATOM}}}{name}").text = "".join(character for character in words if character.isprintable())
