"""What a citation can turn out to be."""

from enum import StrEnum


class Status(StrEnum):
    """In the order of precedence: of several that fit the first is told."""

    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    UNCHECKED = "unchecked"
    MISQUOTED = "misquoted"
    REUSED = "reused"
    MOVED = "moved"
    EDITED = "edited"
    VERIFIED = "verified"
