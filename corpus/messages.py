"""Messages for users: written in English, and translated by gettext catalogues (`data/locale/`).

The English message is the key of its translation; `{name}` is replaced by a value. `pybabel extract` finds messages by these calls:
`Message`, `message`, `plural` and the errors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Protocol, runtime_checkable

SOURCE_LANGUAGE = "en"
"""The language of the messages in the code."""


@runtime_checkable
class Localisable(Protocol):
    """Anything with a text in each language: a message, the name of a game."""

    def in_language(self, lang: str) -> str:
        """Its text in a language."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its values, to be shown in any language; values may be `Localisable` themselves."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def in_language(self, lang: str = SOURCE_LANGUAGE) -> str:
        """The sentence on one line, in a language; in English if the catalogue has no translation."""
        text = _translations(lang).get(self.text) or self.text
        if self.values:
            values = self.values.items()
            text = text.format_map(
                {name: value.in_language(lang) if isinstance(value, Localisable) else value for name, value in values}
            )
        return " ".join(text.split())

    def __str__(self) -> str:
        return self.in_language()


def message(text: str, /, **values: object) -> Message:
    """A sentence with its values."""
    return Message(text, values)


def plural(singular: str, plural: str, /, count: int, **values: object) -> Message:
    """A sentence about a number of things, with `{count}` and other values; `singular` is for 1."""
    return Message(singular if count == 1 else plural, {"count": count, **values})


@cache
def _translations(lang: str) -> Mapping[str, str]:
    """English sentence → its translation; empty if there is no catalogue for the language."""
    if lang == SOURCE_LANGUAGE:
        return {}
    name = lang.replace("-", "_")
    file = Path(__file__).parent / "data" / "locale" / f"{name}.po"
    if not file.is_file():
        return {}
    from babel.messages.pofile import read_po

    with file.open("rb") as lines:
        entries = read_po(lines, locale=name)
    return {
        sentence: translation
        for entry in entries
        if entry.id and not entry.fuzzy
        for sentence, translation in product(_forms(entry.id), _forms(entry.string)[-1:])
        if translation
    }


def _forms(text: str | Sequence[str] | None) -> Sequence[str]:
    """The forms of a sentence by number; the languages of the catalogues have one form for all numbers."""
    return tuple(text) if text and not isinstance(text, str) else (str(text or ""),)
