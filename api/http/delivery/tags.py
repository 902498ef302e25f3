"""Entity tags (RFC 9110, section 8.8.3): other bytes have another tag, so each coding of an answer has its own."""

from api.http.delivery.compression import CODINGS


def suffixed(tag: str, coding: str) -> str:
    """The tag of an answer in a coding."""
    return f'{tag[:-1]}{CODINGS.get(coding, "")}"'


def has(header: str | None, tag: str) -> bool:
    """Whether a client has an answer already, in whatever coding (RFC 9110, section 13.1.2)."""
    known = {"*", tag, *(suffixed(tag, coding) for coding in CODINGS)}
    return header is not None and any(given.strip().removeprefix("W/") in known for given in header.split(","))
