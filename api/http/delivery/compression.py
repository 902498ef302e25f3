"""Answers in fewer bytes: Brotli or gzip, as a client takes them (RFC 9110, section 12.5.3)."""

import gzip

import brotli

from api.http.delivery.accept import weighted

LEAST = 1024
"""Bytes below which nothing is gained."""
IDENTITY = "identity"
CODINGS = {"br": "-br", "gzip": "-gzip"}
"""Codings by preference, and what each adds to an entity tag: other bytes need another tag."""


def chosen(header: str | None) -> str:
    """The coding that an Accept-Encoding header likes best, Brotli before gzip; `identity` where it takes neither."""
    liked = dict(reversed(weighted(header or "")))
    weights = {coding: liked.get(coding, liked.get("*", 0.0)) for coding in CODINGS}
    best = max(CODINGS, key=lambda coding: weights[coding])
    return best if weights[best] > 0 else IDENTITY


def compressed(data: bytes, coding: str, *, often: bool) -> bytes:
    """Bytes in a coding; those that are sent often are worth more work."""
    if coding == "br":
        body: bytes = brotli.compress(data, quality=9 if often else 4)
        return body
    return gzip.compress(data, 9 if often else 5, mtime=0)
