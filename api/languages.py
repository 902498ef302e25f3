"""The language of an answer, as requested by a client or a terminal, and labels in the language of the terminal."""

from collections.abc import Mapping
from contextvars import ContextVar

from api.http.negotiation import weighted_values
from corpus.messages import Message, plural
from rulestone.languages import DEFAULT_LANGUAGE, parse_language

_TERMINAL_LANGUAGE = ContextVar("_TERMINAL", default=DEFAULT_LANGUAGE)


def accepted_language(header: str | None) -> str | None:
    """The first supported language in an Accept-Language header."""
    langs = (parse_language(tag) for tag, weight in weighted_values(header or "") if weight > 0)
    return next((lang for lang in langs if lang), None)


def locale_language(environment: Mapping[str, str]) -> str:
    """The language of a terminal: that of the first locale variable that is set."""
    locales = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return parse_language(next((locale for locale in locales if locale), "")) or DEFAULT_LANGUAGE


def set_terminal_language(lang: str) -> None:
    """Sets the language of labels, messages and errors on the terminal."""
    _TERMINAL_LANGUAGE.set(lang)


def terminal_language() -> str:
    """The language of labels, messages and errors on the terminal."""
    return _TERMINAL_LANGUAGE.get()


def ngettext(singular: str, many: str, /, count: int, **values: object) -> str:
    """A message about a number of things, in the language of the terminal; `singular` is for 1."""
    return plural(singular, many, count, **values).in_language(terminal_language())


def gettext(text: str, /, **values: object) -> str:
    """A message of the catalogue with its values, in the language of the terminal."""
    return Message(text, values).in_language(terminal_language())
