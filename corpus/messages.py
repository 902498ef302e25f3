"""Sentences for users: written once, in English, and shown in the language asked for (gettext, `data/locale/`).

The English sentence is the key of the catalogue, as gettext has it; `{name}` marks a value. `pybabel extract` finds the sentences
by the calls that make them: `Message`, `NotFoundError`, `InputError`, `EnvironmentFault`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol, runtime_checkable

SOURCE = "en"
"""The language that sentences are written in."""


@runtime_checkable
class Said(Protocol):
    """Anything with a wording in each language: a message, the name of a game."""

    def said(self, lang: str) -> str:
        """Its wording in a language."""


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence and its values, not yet in any language. A value may be a message itself, or anything else that is `Said`."""

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
    return value.said(lang) if isinstance(value, Said) else value


@cache
def _translations(lang: str) -> Mapping[str, str]:
    """English sentence → its translation; empty where there is no catalogue for the language."""
    if lang == SOURCE:
        return {}
    name = lang.replace("-", "_")
    file = Path(__file__).parent / "data" / "locale" / f"{name}.po"
    if not file.is_file():
        return {}
    from babel.messages.pofile import read_po

    with file.open("rb") as lines:
        entries = read_po(lines, locale=name)
    return {str(entry.id): str(entry.string) for entry in entries if entry.id and entry.string and not entry.fuzzy}
