"""The editions and texts that a request names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.address import ID, EditionKey
from corpus.chronology import oldest_first
from corpus.errors import InputError, NotFoundError
from corpus.reference import game_by_name
from corpus.store.home.manifest import titles_of
from rulestone.languages import parse_language

if TYPE_CHECKING:
    from ontology.knowledge import Knowledge

_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


@dataclass(frozen=True, slots=True)
class TextName:
    """An edition in one of its languages."""

    key: EditionKey
    lang: str

    @property
    def reference(self) -> str:
        """The name that `align` takes."""
        return f"{self.key}:{self.lang}"


def parse_text(knowledge: "Knowledge", ref: str) -> TextName:
    """The text named by `GAME[/BOOK][/EDITION][:LANG]`; the default is the newest edition and its only language.

    Raises InputError if it names no text or several, NotFoundError if the edition or language is not loaded.
    """
    path, _, lang = ref.strip().removeprefix(ID).partition(":")
    key = parse_edition(knowledge, path)
    return TextName(key, _language(knowledge, key, lang))


def parse_loaded_game(knowledge: "Knowledge", name: str) -> str:
    """The slug of a game by any of its names, also one on the titles of its loaded books; an unknown name counts as a slug."""
    return game_by_name(name, titles_of(knowledge.manifest)) or name.lower()


def parse_edition(knowledge: "Knowledge", path: str, *, loaded_only: bool = True) -> EditionKey:
    """The edition named by `GAME[/BOOK][/EDITION]`, by default the newest; without `loaded_only` also one of the digest alone.

    Raises as `parse_text`.
    """
    name, *rest = [part for part in path.split("/") if part] or [""]
    game = parse_loaded_game(knowledge, name)
    entries = [entry for entry in knowledge.manifest.editions.values() if entry.languages or not loaded_only]
    keys_of_game = [entry.key for entry in entries if entry.game == game]
    books = sorted({key.book for key in keys_of_game})
    if rest and rest[0] in books:
        books = [rest.pop(0)]
    if len(books) != 1 or len(rest) > 1:
        expected = ", ".join(sorted({f"{entry.game}/{entry.book}" for entry in entries}))
        raise InputError(
            "{path!r} is not a loaded book; expected game/book or game/book/edition of {known}",
            path=path[:80],
            known=expected or "-",
        )
    keys = sorted((key for key in keys_of_game if key.book == books[0]), key=oldest_first)
    return edition_in_force(keys, rest[0]) if rest else keys[-1]


def language_of_text(knowledge: "Knowledge", key: EditionKey, tag: str) -> str:
    """A loaded language of an edition. Raises InputError for an unknown language, NotFoundError for one that is not loaded."""
    lang, there = parse_language(tag), knowledge.manifest.editions[key].languages
    if lang is None:
        raise InputError("{given!r} is not a supported language; expected ja, zh (= zh-Hans), zh-Hant or en", given=tag[:40])
    if lang not in there:
        raise NotFoundError(
            "{edition} is not loaded in {lang}; loaded languages: {known}", edition=key, lang=lang, known=", ".join(there)
        )
    return lang


def _language(knowledge: "Knowledge", key: EditionKey, tag: str) -> str:
    there = list(knowledge.manifest.editions[key].languages)
    if tag:
        return language_of_text(knowledge, key, tag)
    if len(there) == 1:
        return there[0]
    raise InputError(
        "{edition} is loaded in {known}; name one, e.g. {example}", edition=key, known=", ".join(there), example=f"{key}:{there[0]}"
    )


def edition_in_force(keys: Sequence[EditionKey], name: str) -> EditionKey:
    """The edition with a name, or the newest one on a date. Raises NotFoundError with the loaded ones."""
    text = name.strip().lower()
    exact = [key for key in keys if key.edition == text]
    until_date = [key for key in keys if _DATE.fullmatch(text) and _DATE.fullmatch(key.edition) and key.edition <= f"{text}~"]
    if exact or until_date:
        return (exact or until_date)[-1]
    raise NotFoundError(
        "no edition {named!r} of {book} is loaded; loaded editions: {editions}",
        named=name[:40],
        book=f"{keys[0].game}/{keys[0].book}",
        editions=", ".join(key.edition for key in keys),
    )
