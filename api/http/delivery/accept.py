"""What a client would rather have: Accept and Accept-Language (RFC 9110, section 12)."""

from collections.abc import Sequence


def weighted(header: str) -> list[tuple[str, float]]:
    """The values of such a header in lower case with their weights, the heaviest first.

    A weight that is no number counts as 0: what a client did not say is not answered.
    """
    offers = []
    for part in header.lower().split(","):
        value, *parameters = (word.strip() for word in part.split(";"))
        weights = [word[2:] for word in parameters if word.startswith("q=")]
        if value:
            offers.append((value, _weight(weights[0]) if weights else 1.0))
    return sorted(offers, key=lambda pair: -pair[1])


def _weight(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return 0.0


def best_media(header: str | None, offers: Sequence[str]) -> str | None:
    """The offered media type that an Accept header likes best; None if it takes none of them.

    The more specific range decides about a type; among equals the first offer wins.
    """
    ranges = dict(reversed(weighted(header or "*/*")))
    liked = [(_quality(offer, ranges), offer) for offer in offers]
    quality, offer = max(liked, key=lambda pair: pair[0])
    return offer if quality > 0 else None


def welcome(header: str | None, offers: Sequence[str]) -> list[str]:
    """The offered media types that an Accept header takes, the best first; among equals the order is that of the offers."""
    ranges = dict(reversed(weighted(header or "*/*")))
    liked = {offer: _quality(offer, ranges) for offer in offers}
    return sorted((offer for offer in offers if liked[offer] > 0), key=lambda offer: -liked[offer])


def _quality(offer: str, ranges: dict[str, float]) -> float:
    whole = offer.split("/")[0] + "/*"
    return next((ranges[name] for name in (offer, whole, "*/*") if name in ranges), 0.0)
