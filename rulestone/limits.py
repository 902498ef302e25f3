"""The limits of requests, for the command line, HTTP and the API description."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from corpus.errors import InputError, TooLargeError
from corpus.store.sparql.question import SPARQL_LIMITS

__all__ = [
    "BATCH_BYTES",
    "BATCH_HIT_LIMIT",
    "BATCH_LINES",
    "CARD_NAMES",
    "CITATIONS",
    "CONCEPT_LIMITS",
    "HIT_LIMITS",
    "HIT_OFFSETS",
    "MAX_QUERY_LENGTH",
    "MAX_REFS",
    "NAME",
    "OFFSETS",
    "REFERENCE",
    "SPARQL_LIMITS",
    "TEXT",
    "USE_LIMITS",
    "Range",
    "parse_int",
    "text_too_long_error",
]


T = TypeVar("T")


class Range(NamedTuple):
    """A range of whole numbers with a default."""

    least: int
    most: int
    usual: int


HIT_LIMITS = Range(1, 100, 10)
HIT_OFFSETS = Range(0, 1000, 0)
BATCH_HIT_LIMIT = 10
BATCH_HIT_LIMITS = Range(1, BATCH_HIT_LIMIT, BATCH_HIT_LIMIT)
SUGGESTION_LIMITS = Range(1, 20, 8)
USE_LIMITS = Range(0, 1000, 10)
"""Maximum number of uses of a term for each game and language."""
LINE_LIMITS = Range(1, 10000, 20)
"""Lines of a concordance."""
LINKS, FINDINGS = Range(1, 10000, 1000), Range(1, 10000, 200)
"""Maximum number of links of an alignment, and of findings of a translation, in one answer."""
SECTION_TOKENS = Range(200, 20_000, 4_000)
"""Approximate size of the rules of a section in tokens of a language model."""
OUTLINE_DEPTHS = Range(1, 9, 2)
CONCEPT_LIMITS = Range(1, 1000, 100)
RULING_LIMITS = Range(1, 1000, 20)
OFFSETS = Range(0, 10**9 - 1, 0)
MAX_QUERY_LENGTH = 1000
"""Characters of a question."""
REFERENCE, NAME = 300, 200
"""Maximum number of characters of a reference to a rule, and of a concept's name."""
TEXT, CITATIONS = 64 << 10, 200
"""Maximum number of bytes of UTF-8 of a text, and of citations in it, for one verification over HTTP."""
MAX_REFS = 200
"""Maximum number of references in a list of rules that a client has read."""
CARD_NAMES = 50
"""Maximum number of names of cards in one question."""
BATCH_LINES, BATCH_BYTES = 100, 256 << 10
"""Maximum number of lines of a batch over HTTP, and of its bytes."""
_MAX_DIGITS = 9


def parse_int(name: str, value: int | str | None, bounds: Range) -> int:
    """Parses a number, given as a value or as text; the default if it is missing.

    Raises InputError if it is not a number or out of range.
    """
    if value is None:
        return bounds.usual
    digits = str(value)
    if digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS and bounds.least <= int(digits) <= bounds.most:
        return int(digits)
    raise InputError(
        "{name} {given!r}: expected a whole number from {least} to {most}",
        name=name,
        given=digits[:40],
        least=bounds.least,
        most=bounds.most,
    )


def page_of(items: Sequence[T], limit: int | None, offset: int | None, bounds: Range) -> Sequence[T]:
    """A page of a list; without a limit, everything from the offset on. Raises InputError for a number out of range."""
    first = parse_int("offset", offset, OFFSETS)
    return items[first : None if limit is None else first + parse_int("limit", limit, bounds)]


def text_too_long_error() -> TooLargeError:
    """The error for a text of more than `TEXT` bytes."""
    return TooLargeError("the text has more than {most} KiB; send it in parts", most=TEXT >> 10)
