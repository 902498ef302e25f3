"""Sentences for users: written once, in English, and told in the asker's language (gettext, `data/locale/LANG.po`).

The English sentence is the key of the catalogue, as gettext has it; `{name}` marks a value. `pybabel extract` finds the sentences
by the calls that make them: `Message`, `NotFoundError`, `InputError`, `EnvironmentFault`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

SOURCE = "en"
"""The language that sentences are written in."""


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence and its values, not yet in any language. A value may be a message itself."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def said(self, lang: str = SOURCE) -> str:
        """The sentence on one line, in a language; in English where the catalogue lacks it."""
        text = _translations(lang).get(self.text) or self.text
        if self.values:
            text = text.format_map({name: _told(value, lang) for name, value in self.values.items()})
        return " ".join(text.split())

    def __str__(self) -> str:
        return self.said()


def message(text: str, /, **values: object) -> Message:
    """A sentence with its values."""
    return Message(text, values)


def _told(value: object, lang: str) -> object:
    return value.said(lang) if isinstance(value, Message) else value


@cache
def _translations(lang: str) -> Mapping[str, str]:
    """English sentence → its translation; empty where there is no catalogue for the language."""
    if lang == SOURCE:
        return {}
    file = files("corpus").joinpath("data", "locale", f"{lang}.po")
    if not file.is_file():
        return {}
    from babel.messages.pofile import read_po

    with file.open("rb") as lines:
        entries = read_po(lines, locale=lang.replace("-", "_"))
    return {str(entry.id): str(entry.string) for entry in entries if entry.id and entry.string and not entry.fuzzy}
