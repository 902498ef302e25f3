"""The language of an answer, as requested by a client or a terminal, and labels in the language of the terminal."""

from collections.abc import Mapping
from contextvars import ContextVar

from api.http.negotiation import weighted
from corpus.messages import Message
from rulestone.languages import DEFAULT, named_language

_TERMINAL = ContextVar("_TERMINAL", default=DEFAULT)


def accepted(header: str | None) -> str | None:
    """The first supported language in an Accept-Language header."""
    preferred = (named_language(tag) for tag, weight in weighted(header or "") if weight > 0)
    return next((lang for lang in preferred if lang), None)


def of_locale(environment: Mapping[str, str]) -> str:
    """The language of a terminal: that of the first locale variable that is set."""
    locales = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return named_language(next((locale for locale in locales if locale), "")) or DEFAULT


def set_terminal_language(lang: str) -> None:
    """Sets the language of labels, messages and errors on the terminal."""
    _TERMINAL.set(lang)


def terminal_language() -> str:
    """The language of labels, messages and errors on the terminal."""
    return _TERMINAL.get()


def gettext(text: str, /, **values: object) -> str:
    """A message of the catalogue with its values, in the language of the terminal."""
    return Message(text, values).in_language(terminal_language())
