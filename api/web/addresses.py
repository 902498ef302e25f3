"""Where things are on this server."""

from urllib.parse import quote, urlencode

from corpus.address import CONCEPT, ID

_SAFE = "/~.-_@:"


def local(iri: str) -> str:
    """The path of a rule, an edition or a concept here: `/id/mtg/cr/2025-02-07/400.7`."""
    return f"/id/{quote(iri.removeprefix(ID), safe=_SAFE)}" if iri.startswith(ID) else "#"


def is_concept(iri: str) -> bool:
    """Whether it is a concept's."""
    return iri.startswith(CONCEPT)


def part(kind: str, iri: str) -> str:
    """The path of a piece of a page about something: `/part/section/mtg/cr/…`."""
    return f"/part/{kind}/{quote(iri.removeprefix(ID), safe=_SAFE)}"


def read(iri: str) -> str:
    """Where a part of a book is read from beginning to end: `/read/mtg/cr/2025-02-07/400`."""
    return f"/read/{quote(iri.removeprefix(ID), safe=_SAFE)}"


def asking(path: str, /, **given: object) -> str:
    """A path with a query, without what is None or empty."""
    query = urlencode([(name, str(value)) for name, value in given.items() if value not in (None, "")])
    return f"{path}?{query}" if query else path


def is_local(path: str) -> bool:
    """Whether a path leads to this server and nowhere else, whatever a browser makes of it."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
