"""The one order in which languages stand in for each other, wherever something is there in some of them only."""

from collections.abc import Iterable

_ORDER = ("en", "zh-Hans", "ja", "zh-Hant")
"""What comes next where the language asked for is missing."""
_KIN = {"zh-Hans": "zh-Hant", "zh-Hant": "zh-Hans"}
"""Who reads one can mostly read the other."""


def readable(lang: str) -> tuple[str, ...]:
    """The languages that a reader of one can mostly read: itself, and the other script of Chinese."""
    return tuple(dict.fromkeys((lang, _KIN.get(lang, lang))))


def fallback(asked: str) -> list[str]:
    """All languages, the one asked for first, then its kin, then the rest: en, zh-Hans, ja, zh-Hant."""
    return list(dict.fromkeys([*readable(asked), *_ORDER]))


def choose(asked: str, there: Iterable[str]) -> str | None:
    """The language to answer in among those that are there; None if none is."""
    found = set(there)
    return next((lang for lang in fallback(asked) if lang in found), None)
