"""A book in two languages as one file: which edition and languages are meant, and the format that is asked for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.errors import InputError, NotFoundError
from corpus.messages import Message, message
from corpus.reference import game_named
from ontology.store.knowledge import Knowledge
from ontology.threads.order import oldest_first
from rulestone.version import version

if TYPE_CHECKING:
    from rulestone.formats.bitext import Bitext

KINDS = ("tmx", "xliff")
_TWO = 2


def bitext(
    knowledge: Knowledge,
    kind: str,
    book: str | None = None,
    edition: str | None = None,
    languages: tuple[str | None, str | None] = (None, None),
    section: str | None = None,
) -> Iterator[bytes]:
    """A document in TMX 1.4b or XLIFF 2.1, piece by piece.

    `book` is `game/book`, or a game of which one book is loaded in two languages; without it the only such book. Without an
    edition the newest in both languages, without a source language the book's own. Raises InputError, NotFoundError.
    """
    if kind not in KINDS:
        raise InputError("{given!r} is no format of bitext; expected {kinds}", given=kind[:40], kinds=", ".join(KINDS))
    described = chosen(knowledge, book, edition, languages)
    from ontology.bitext.units import units

    found = units(knowledge, described.key, described.source, described.target, section)
    if kind == "tmx":
        from rulestone.formats.tmx import tmx

        return tmx(described, found)
    from rulestone.formats.xliff import xliff

    return xliff(described, found)


def chosen(knowledge: Knowledge, book: str | None, edition: str | None, languages: tuple[str | None, str | None]) -> "Bitext":
    """The edition and the languages that are meant. Raises InputError, NotFoundError with what is loaded in two languages."""
    from rulestone.formats.bitext import Bitext

    keys = _editions(knowledge, book, edition)
    wanted = [key for key in keys if {lang for lang in languages if lang} <= _languages(knowledge, key).keys()]
    if not wanted:
        asked = " ".join(part for part in (book, edition, "–".join(lang for lang in languages if lang)) if part)
        raise NotFoundError("{asked} is not loaded in two languages; loaded so are {there}", asked=asked, there=_there(knowledge))
    books = {(key.game, key.book) for key in wanted}
    if len(books) > 1:
        raise InputError("several books are loaded in two languages; name one of {there}", there=_there(knowledge))
    key = max(wanted, key=oldest_first)
    source, target = _pair(knowledge, key, *languages)
    return Bitext(key, catalogue().book(key.game, key.book).title, source, target, version())


def _editions(knowledge: Knowledge, book: str | None, edition: str | None) -> list[EditionKey]:
    """The editions in two languages that may be meant."""
    game, _, slug = (book or "").partition("/")
    game = game_named(game) or game
    fits = (key for key in knowledge.manifest.editions if game in ("", key.game) and slug in ("", key.book))
    return [key for key in fits if edition in (None, key.edition) and len(_languages(knowledge, key)) >= _TWO]


def _languages(knowledge: Knowledge, key: EditionKey) -> dict[str, str]:
    return dict(knowledge.manifest.editions[key].languages)


def _pair(knowledge: Knowledge, key: EditionKey, source: str | None, target: str | None) -> tuple[str, str]:
    """Two languages of an edition; what is not named is the book's own one, else the first that is left."""
    there = sorted(_languages(knowledge, key), key=lambda lang: lang != catalogue().book(key.game, key.book).original)
    if source is not None and source == target:
        raise InputError("source and target are both {lang}; name two languages", lang=source)
    first = source or next(lang for lang in there if lang != target)
    return first, target or next(lang for lang in there if lang != first)


def _there(knowledge: Knowledge) -> str | Message:
    keys = sorted(_editions(knowledge, None, None), key=str)
    there = "; ".join(f"{key} {', '.join(_languages(knowledge, key))}" for key in keys)
    return there or message("none (rulestone add FILE adds a text)")
