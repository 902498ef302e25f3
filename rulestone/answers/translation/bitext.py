"""A book in two languages as one file: which edition and languages are meant, and the format that is asked for."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from corpus.address import EditionKey
from corpus.catalogue import catalogue
from corpus.errors import InputError, NotFoundError
from corpus.messages import Message, message
from corpus.reference import game_named
from corpus.store.threads.order import oldest_first
from ontology.knowledge import Knowledge
from ontology.translation.align.sheet import Sheet, turned
from rulestone.version import version

if TYPE_CHECKING:
    from ontology.translation.bitext.units import Unit
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
    sheets: Sequence[Sheet] = (),
) -> Iterator[bytes]:
    """A document in TMX 1.4b or XLIFF 2.1, piece by piece.

    `book` is `game/book`, or a game of which one book is loaded in two languages; without it the only such book. Without an
    edition the newest in both languages, without a source language the book's own. Where no edition is loaded in both, two
    that a checked alignment (`sheets`) joins. Raises InputError, NotFoundError.
    """
    if kind not in KINDS:
        raise InputError("{given!r} is not a bitext format; expected {kinds}", given=kind[:40], kinds=", ".join(KINDS))
    described, sheet = chosen(knowledge, book, edition, languages, sheets)
    units = _units(knowledge, described, sheet, section)
    if kind == "tmx":
        from rulestone.formats.tmx import tmx

        return tmx(described, units)
    from rulestone.formats.xliff import xliff

    return xliff(described, units)


def _units(knowledge: Knowledge, described: "Bitext", sheet: Sheet | None, section: str | None) -> Iterator["Unit"]:
    from ontology.translation.bitext.joined import joined
    from ontology.translation.bitext.units import units

    if sheet:
        return joined(knowledge, sheet, described.source, described.target, section)
    return units(knowledge, described.key, described.source, described.target, section)


def chosen(
    knowledge: Knowledge,
    book: str | None,
    edition: str | None,
    languages: tuple[str | None, str | None],
    sheets: Sequence[Sheet] = (),
) -> "tuple[Bitext, Sheet | None]":
    """The edition and the languages that are meant, and the alignment if two editions are.

    Raises InputError, NotFoundError with what is loaded in two languages.
    """
    keys = _editions(knowledge, book, edition)
    wanted = [key for key in keys if {lang for lang in languages if lang} <= _languages(knowledge, key).keys()]
    if wanted:
        key = _one(knowledge, wanted)
        return _described(key, *_pair(knowledge, key, *languages)), None
    if sheet := next(_aligned(knowledge, book, edition, languages, sheets), None):
        return sheet
    asked = " ".join(part for part in (book, edition, "–".join(lang for lang in languages if lang)) if part)
    raise NotFoundError("{asked} is not loaded in two languages; these are: {there}", asked=asked, there=_there(knowledge))


def _one(knowledge: Knowledge, keys: Sequence[EditionKey]) -> EditionKey:
    """The newest of some editions. Raises InputError where they are of several books."""
    if len({(key.game, key.book) for key in keys}) > 1:
        raise InputError("several books are loaded in two languages; name one of {there}", there=_there(knowledge))
    return max(keys, key=oldest_first)


def _described(key: EditionKey, source: str, target: str, translated: EditionKey | None = None) -> "Bitext":
    from rulestone.formats.bitext import Bitext

    return Bitext(key, catalogue().book(key.game, key.book).title, source, target, version(), translated)


def _aligned(
    knowledge: Knowledge,
    book: str | None,
    edition: str | None,
    languages: tuple[str | None, str | None],
    sheets: Sequence[Sheet],
) -> "Iterator[tuple[Bitext, Sheet]]":
    """What checked alignments join so, either way round; the original first."""
    for sheet in sheets:
        ways = [way for way in (sheet, turned(sheet)) if {way.old, way.new} <= knowledge.manifest.editions.keys()]
        for way in sorted(ways, key=lambda way: not _is_original(knowledge, way.old)):
            meant = _is_meant(way.old, book) and edition in (None, way.old.edition, way.new.edition)
            pair = _pair_of(_languages(knowledge, way.old), _languages(knowledge, way.new), languages)
            if meant and pair:
                yield _described(way.old, *pair, way.new), way


def _is_original(knowledge: Knowledge, key: EditionKey) -> bool:
    return catalogue().book(key.game, key.book).original in _languages(knowledge, key)


def _pair_of(here: Iterable[str], there: Iterable[str], languages: tuple[str | None, str | None]) -> tuple[str, str] | None:
    """A language of each of two editions, as they are wanted; None where they have no such two."""
    source, target = languages
    pairs = ((first, other) for first in here for other in there if first != other)
    return next((pair for pair in pairs if source in (None, pair[0]) and target in (None, pair[1])), None)


def _editions(knowledge: Knowledge, book: str | None, edition: str | None) -> list[EditionKey]:
    """The editions in two languages that may be meant."""
    fits = (key for key in knowledge.manifest.editions if _is_meant(key, book))
    return [key for key in fits if edition in (None, key.edition) and len(_languages(knowledge, key)) >= _TWO]


def _is_meant(key: EditionKey, book: str | None) -> bool:
    game, _, slug = (book or "").partition("/")
    return (game_named(game) or game) in ("", key.game) and slug in ("", key.book)


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
