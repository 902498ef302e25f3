"""Content negotiation (RFC 9110, section 12): Accept, Accept-Language and Accept-Encoding."""

from collections.abc import Sequence

IDENTITY = "identity"
CODINGS = ("br", "gzip")
"""Content codings in the server's order of preference."""
MAX_HEADER_LENGTH = 1000
"""Number of characters of a header that are read; browsers send at most 200."""


def shorten_header(header: str) -> str:
    """A header without the values that begin or end beyond the maximum length, which no preference is long enough to need."""
    return header if len(header) <= MAX_HEADER_LENGTH else header[:MAX_HEADER_LENGTH].rpartition(",")[0]


def weighted_values(header: str) -> list[tuple[str, float]]:
    """The values of a header in lower case with their weights, the heaviest first. A weight that is not a number counts as 0."""
    values = []
    for part in shorten_header(header).lower().split(","):
        value, *parameters = (word.strip() for word in part.split(";"))
        weights = [word[2:] for word in parameters if word.startswith("q=")]
        if value:
            values.append((value, _parse_weight(weights[0]) if weights else 1.0))
    return sorted(values, key=lambda pair: -pair[1])


def _parse_weight(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return 0.0


def acceptable_media(header: str | None, offers: Sequence[str]) -> list[str]:
    """The offered media types that an Accept header allows, the preferred first; equal ones in the order of the offers.

    The more specific range applies to a type.
    """
    ranges = dict(reversed(weighted_values(header or "*/*")))

    def offer_quality(offer: str) -> float:
        specific_first = (offer, offer.partition("/")[0] + "/*", "*/*")
        return next((ranges[name] for name in specific_first if name in ranges), 0.0)

    return sorted((offer for offer in offers if offer_quality(offer) > 0), key=offer_quality, reverse=True)


def best_media(header: str | None, offers: Sequence[str]) -> str | None:
    """The offered media type that an Accept header prefers; None if it allows none of them."""
    return next(iter(acceptable_media(header, offers)), None)


def best_coding(header: str | None) -> str:
    """The content coding that an Accept-Encoding header prefers, Brotli before gzip; `identity` if it allows neither."""
    weights = dict(reversed(weighted_values(header or "")))
    best = max(CODINGS, key=lambda coding: weights.get(coding, weights.get("*", 0.0)))
    return best if weights.get(best, weights.get("*", 0.0)) > 0 else IDENTITY
