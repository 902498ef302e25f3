"""Resources: rules and editions under addresses of their own, `rule://mtg/cr/2024-06-07/400.7`."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from corpus.address import iri_of
from corpus.contract import EditionSummary
from corpus.errors import NotFoundError
from rulestone import Library

SCHEME = "rule://"
EDITIONS = f"{SCHEME}editions"
TEMPLATE = f"{SCHEME}{{game}}/{{book}}/{{edition}}/{{locator}}"


def address(edition: EditionSummary) -> str:
    """Where an edition is read."""
    return f"{SCHEME}{edition['game']}/{edition['book']}/{edition['edition']}"


def read(library: Library, uri: str) -> Mapping[str, Any]:
    """What is at an address: a rule, an edition, or all editions. Raises NotFoundError."""
    if not uri.startswith(SCHEME):
        raise NotFoundError("there is no resource {uri}; expected {template} or {editions}", **_known(uri))
    if uri == EDITIONS:
        return library.editions()
    path = unquote(uri.removeprefix(SCHEME))
    edition = next((summary for summary in library.editions()["editions"] if address(summary) == f"{SCHEME}{path}"), None)
    if edition is not None:
        return edition
    if path.count("/") < 3:
        raise NotFoundError("there is no resource {uri}; expected {template} or {editions}", **_known(uri))
    return library.rules(iri_of(path))


def _known(uri: str) -> dict[str, str]:
    return {"uri": uri[:100], "template": TEMPLATE, "editions": EDITIONS}
