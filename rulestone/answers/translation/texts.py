"""A text by its name: an edition of a book in a language, as `align` and `drift` are asked for it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.address import ID, EditionKey
from corpus.age import oldest_first
from corpus.catalogue import catalogue
from corpus.errors import InputError, NotFoundError
from corpus.reference import game_named
from ontology.knowledge import Knowledge
from rulestone.answers.changes import edition_in_force
from rulestone.languages import named_language

if TYPE_CHECKING:
    from corpus.contract import AlignedText


@dataclass(frozen=True, slots=True)
class Text:
    """An edition in one of its languages."""

    key: EditionKey
    lang: str

    @property
    def ref(self) -> str:
        """As it can be asked for."""
        return f"{self.key}:{self.lang}"


def text_body(text: Text) -> "AlignedText":
    """A text as bodies have it."""
    return {"ref": text.ref, "game": text.key.game, "book": text.key.book, "edition": text.key.edition, "lang": text.lang}


def text_named(knowledge: Knowledge, ref: str) -> Text:
    """The text that `GAME[/BOOK][/EDITION][:LANG]` names: the newest edition, and its one language, where these are left out.

    Raises InputError for what names none or several, NotFoundError for an edition or language that is not loaded.
    """
    path, _, lang = ref.strip().removeprefix(ID).partition(":")
    key = edition_named(knowledge, path)
    return Text(key, _language(knowledge, key, lang))


def edition_named(knowledge: Knowledge, path: str) -> EditionKey:
    """The edition that `GAME[/BOOK][/EDITION]` names, the newest without one. Raises as `text_named`."""
    name, *rest = [part for part in path.split("/") if part] or [""]
    game = game_named(name) or name.lower()
    loaded = [entry.key for entry in knowledge.manifest.editions.values() if entry.languages and entry.game == game]
    books = sorted({key.book for key in loaded})
    if rest and rest[0] in books:
        books = [rest.pop(0)]
    if len(books) != 1 or len(rest) > 1:
        known = ", ".join(
            sorted({f"{entry.game}/{entry.book}" for entry in knowledge.manifest.editions.values() if entry.languages})
        )
        raise InputError(
            "{path!r} is not a loaded book; expected game/book or game/book/edition of {known}", path=path[:80], known=known or "-"
        )
    keys = sorted((key for key in loaded if key.book == books[0]), key=oldest_first)
    return edition_in_force(keys, rest[0]) if rest else keys[-1]


def language_in(knowledge: Knowledge, key: EditionKey, tag: str) -> str:
    """A language that an edition has words in. Raises InputError for none of ours, NotFoundError for one that is not loaded."""
    lang, there = named_language(tag), knowledge.manifest.editions[key].languages
    if lang is None:
        raise InputError("{given!r} is not a supported language; expected ja, zh (= zh-Hans), zh-Hant or en", given=tag[:40])
    if lang not in there:
        raise NotFoundError("{edition} is not loaded in {lang}; loaded are {known}", edition=key, lang=lang, known=", ".join(there))
    return lang


def original_of(knowledge: Knowledge, key: EditionKey) -> str | None:
    """The language that a book is written in; None where that is not loaded."""
    original = catalogue().book(key.game, key.book).original
    return original if original in knowledge.manifest.editions[key].languages else None


def _language(knowledge: Knowledge, key: EditionKey, tag: str) -> str:
    there = list(knowledge.manifest.editions[key].languages)
    if tag:
        return language_in(knowledge, key, tag)
    if len(there) == 1:
        return there[0]
    raise InputError(
        "{edition} is loaded in {known}; name one, e.g. {example}", edition=key, known=", ".join(there), example=f"{key}:{there[0]}"
    )
