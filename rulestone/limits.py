"""The limits of requests, for the command line, HTTP and the API description."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from corpus.errors import InputError, TooLargeError
from corpus.store.sparql.question import LIMITS as SPARQL

__all__ = [
    "BATCH_BYTES",
    "BATCH_HITS",
    "BATCH_LINES",
    "CITATIONS",
    "CONCEPTS",
    "HITS",
    "HITS_OFFSET",
    "NAME",
    "OFFSET",
    "QUERY",
    "REFERENCE",
    "SPARQL",
    "TEXT",
    "USES",
    "Range",
    "parse_int",
    "too_long_text",
]


T = TypeVar("T")


class Range(NamedTuple):
    """A range of whole numbers with a default."""

    least: int
    most: int
    usual: int


HITS = Range(1, 100, 10)
HITS_OFFSET = Range(0, 1000, 0)
BATCH_HITS = 10
SUGGESTIONS = Range(1, 20, 8)
USES = Range(1, 1000, 10)
"""Maximum number of uses of a term for each game and language."""
LINES = Range(1, 10000, 20)
"""Lines of a concordance."""
LINKS, FINDINGS = Range(1, 10000, 1000), Range(1, 10000, 200)
"""Maximum number of links of an alignment, and of findings of a translation, in one answer."""
CONCEPTS = Range(1, 1000, 100)
RULINGS = Range(1, 1000, 20)
OFFSET = Range(0, 10**9 - 1, 0)
QUERY = 1000
"""Characters of a question."""
REFERENCE, NAME = 300, 200
"""Maximum number of characters of a reference to a rule, and of a concept's name."""
TEXT, CITATIONS = 64 << 10, 200
"""Maximum number of bytes of UTF-8 of a text, and of citations in it, for one verification over HTTP."""
BATCH_LINES, BATCH_BYTES = 100, 256 << 10
"""Maximum number of lines of a batch over HTTP, and of its bytes."""
_DIGITS = 9


def parse_int(name: str, given: int | str | None, allowed: Range) -> int:
    """Parses a number, given as a value or as text; the default if it is missing.

    Raises InputError if it is not a number or out of range.
    """
    if given is None:
        return allowed.usual
    typed = str(given)
    if typed.isascii() and typed.isdigit() and len(typed) <= _DIGITS and allowed.least <= int(typed) <= allowed.most:
        return int(typed)
    raise InputError(
        "{name} {given!r}: expected a whole number from {least} to {most}",
        name=name,
        given=typed[:40],
        least=allowed.least,
        most=allowed.most,
    )


def page_of(items: Sequence[T], limit: int | None, offset: int | None, allowed: Range) -> Sequence[T]:
    """A page of a list; without a limit, everything from the offset on. Raises InputError for a number out of range."""
    first = parse_int("offset", offset, OFFSET)
    return items[first : None if limit is None else first + parse_int("limit", limit, allowed)]


def too_long_text() -> TooLargeError:
    """The error for a text of more than `TEXT` bytes."""
    return TooLargeError("the text has more than {most} KiB; send it in parts", most=TEXT >> 10)
