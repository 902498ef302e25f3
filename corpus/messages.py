"""Messages for users: written in English, and translated by gettext catalogues (`data/locale/`).

The English message is the key of its translation; `{name}` is replaced by a value. `pybabel extract` finds messages by these calls:
`Message`, `message` and the errors.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol, runtime_checkable

SOURCE = "en"
"""The language of the messages in the code."""


@runtime_checkable
class Localised(Protocol):
    """Anything with a text in each language: a message, the name of a game."""

    def in_language(self, lang: str) -> str:
        """Its text in a language."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its values, to be shown in any language; values may be `Localised` themselves."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def in_language(self, lang: str = SOURCE) -> str:
        """The sentence on one line, in a language; in English if the catalogue has no translation."""
        text = _translations(lang).get(self.text) or self.text
        if self.values:
            values = self.values.items()
            text = text.format_map(
                {name: value.in_language(lang) if isinstance(value, Localised) else value for name, value in values}
            )
        return " ".join(text.split())

    def __str__(self) -> str:
        return self.in_language()


def message(text: str, /, **values: object) -> Message:
    """A sentence with its values."""
    return Message(text, values)


@cache
def _translations(lang: str) -> Mapping[str, str]:
    """English sentence → its translation; empty if there is no catalogue for the language."""
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
