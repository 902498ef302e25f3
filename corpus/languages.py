"""The languages of texts and answers: their tags, scripts and fallbacks."""

from collections.abc import Iterable, Mapping

LANGUAGE_NAMES: Mapping[str, str] = {"ja": "日本語", "zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "English"}
"""The name of each language in that language."""
LANGUAGES = tuple(LANGUAGE_NAMES)
"""BCP 47 tags of the languages that texts may be in, in canonical case."""
_FALLBACK_ORDER = ("en", "zh-Hans", "ja", "zh-Hant")
"""Fallback order of languages."""
_OTHER_SCRIPT = {"zh-Hans": "zh-Hant", "zh-Hant": "zh-Hans"}
_LABEL_LANGUAGES = {"zh-Hant": "zh-Hans"}


def canonical_tag(tag: str) -> str:
    """A language tag in canonical case; the graph engine returns tags in lower case."""
    return next((lang for lang in LANGUAGES if lang.lower() == tag.lower()), tag)


def language_of(tag: str) -> str:
    """The language of a tag without its script: `zh` for zh-Hans and zh-Hant."""
    return tag.split("-", 1)[0]


def readable(lang: str) -> tuple[str, ...]:
    """The languages that a reader of one language can mostly read: that one, and the other Chinese script."""
    return tuple(dict.fromkeys((lang, _OTHER_SCRIPT.get(lang, lang))))


def label_language(tag: str) -> str:
    """The language of the labels for a text: Chinese is compared in simplified characters."""
    return _LABEL_LANGUAGES.get(tag, tag)


def fallback_order(lang: str) -> list[str]:
    """All languages in fallback order: the preferred one, its other script, then en, zh-Hans, ja, zh-Hant."""
    return list(dict.fromkeys([*readable(lang), *_FALLBACK_ORDER]))


def choose(requested: str, available: Iterable[str]) -> str | None:
    """The first available language in fallback order; None if there is none."""
    languages = set(available)
    return next((lang for lang in fallback_order(requested) if lang in languages), None)
