"""The languages of texts and answers: their tags, which are one language in two scripts, and which stands in for which."""

from collections.abc import Iterable

LANGUAGES = ("ja", "zh-Hans", "zh-Hant", "en")
"""BCP 47 tags of the languages that a text can have, in canonical case."""
_FALLBACK = ("en", "zh-Hans", "ja", "zh-Hant")
"""What comes next where the language asked for is missing."""
_OTHER_SCRIPT = {"zh-Hans": "zh-Hant", "zh-Hant": "zh-Hans"}
_LABELLED = {"zh-Hant": "zh-Hans"}


def canonical(tag: str) -> str:
    """A language tag as this project writes it; the graph engine lowers their case."""
    return next((lang for lang in LANGUAGES if lang.lower() == tag.lower()), tag)


def language_of(tag: str) -> str:
    """The language of a tag, whatever its script: `zh` for zh-Hans and zh-Hant."""
    return tag.split("-", 1)[0]


def readable(lang: str) -> tuple[str, ...]:
    """The languages that a reader of one can mostly read: itself, and the other script of Chinese."""
    return tuple(dict.fromkeys((lang, _OTHER_SCRIPT.get(lang, lang))))


def label_language(tag: str) -> str:
    """The language whose labels serve a text: characters of both Chinese scripts are compared in their simplified form."""
    return _LABELLED.get(tag, tag)


def fallback(asked: str) -> list[str]:
    """All languages: the one asked for, the same in its other script, then the rest: en, zh-Hans, ja, zh-Hant."""
    return list(dict.fromkeys([*readable(asked), *_FALLBACK]))


def choose(asked: str, there: Iterable[str]) -> str | None:
    """The language to answer in among those that are there; None if none is."""
    available = set(there)
    return next((lang for lang in fallback(asked) if lang in available), None)
