"""The language that a client or a terminal would rather be answered in."""

from collections.abc import Mapping

from api.http.delivery.accept import weighted
from rulestone.languages import DEFAULT, named_language


def accepted(header: str | None) -> str | None:
    """The first language of ours in an Accept-Language header."""
    liked = (named_language(tag) for tag, weight in weighted(header or "") if weight > 0)
    return next((lang for lang in liked if lang), None)


def of_locale(environment: Mapping[str, str]) -> str:
    """The language of a terminal: that of the first locale variable that is set."""
    locales = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return named_language(next((locale for locale in locales if locale), "")) or DEFAULT
