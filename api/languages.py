"""In which language to answer: what is asked, what is there, and what comes next best."""

import re
from collections.abc import Mapping

from api.http.accept import weighted
from corpus.errors import InputError
from corpus.languages import LANGUAGES, choose, fallback

__all__ = ["DEFAULT", "accepted", "asked_for", "canonical", "choose", "fallback", "of_locale"]

DEFAULT = "en"
_TRADITIONAL = {"hant", "tw", "hk", "mo"}


def canonical(tag: str) -> str | None:
    """The language that a BCP 47 tag or a locale's name (`zh_TW.UTF-8`) means; None for one we do not speak."""
    language, *parts = re.split(r"[.@]", tag.strip().lower())[0].replace("_", "-").split("-")
    if language == "zh":
        return "zh-Hant" if _TRADITIONAL & set(parts) and "hans" not in parts else "zh-Hans"
    return language if language in LANGUAGES else None


def asked_for(tag: str | None, option: str) -> str | None:
    """The language named by an option; None if none is. Raises InputError for one we do not speak."""
    if tag is None:
        return None
    if lang := canonical(tag):
        return lang
    raise InputError(f"{option} {tag[:40]!r}: expected ja, zh (= zh-Hans), zh-Hant or en")


def accepted(header: str | None) -> str | None:
    """The first language we speak in an Accept-Language header."""
    liked = (canonical(tag) for tag, weight in weighted(header or "") if weight > 0)
    return next((lang for lang in liked if lang), None)


def of_locale(environment: Mapping[str, str]) -> str:
    """The language of a terminal: that of the first locale variable that is set."""
    locales = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return canonical(next((locale for locale in locales if locale), "")) or DEFAULT
