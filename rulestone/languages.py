"""Resolves language tags as people, terminals and browsers write them."""

import re

from corpus.errors import InputError
from corpus.languages import LANGUAGES

DEFAULT_LANGUAGE = "en"
_TRADITIONAL_SUBTAGS = {"hant", "tw", "hk", "mo"}


def parse_language(tag: str) -> str | None:
    """The language of a BCP 47 tag or a locale's name (`zh_TW.UTF-8`); None for an unsupported one."""
    name, *parts = re.split(r"[.@]", tag.strip().lower())[0].replace("_", "-").split("-")
    if name == "zh":
        return "zh-Hant" if _TRADITIONAL_SUBTAGS & set(parts) and "hans" not in parts else "zh-Hans"
    return name if name in LANGUAGES else None


def language_option(tag: str | None, option: str) -> str | None:
    """The language that an option names; None if the option is not set. Raises InputError for an unsupported one."""
    if tag is None:
        return None
    if lang := parse_language(tag):
        return lang
    raise InputError("{option} {given!r}: expected ja, zh (= zh-Hans), zh-Hant or en", option=option, given=tag[:40])
