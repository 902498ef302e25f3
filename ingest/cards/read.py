"""Reads files of cards; a file with an invalid record is refused with one line that names the record."""

import html
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from corpus.address import is_slug
from corpus.errors import InputError, RulestoneError
from corpus.model import Card
from ingest.cards.records import EXPECTED, TABLES, YAML, records
from ingest.cards.shapes import CardText, Record, atomic, card_formats, check_columns, row, scryfall, yaml_yugi, ygojson
from ingest.read.document import opened

_BRACKET = "(?:<rp>[^<>]{0,4}</rp>)?"
_RUBY = re.compile(f"<ruby>(?P<base>[^<>]{{0,80}}){_BRACKET}<rt>(?P<reading>[^<>]{{0,80}})</rt>{_BRACKET}</ruby>")
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,200}>")
_BREAK = re.compile(r"<(?:br|p|li|div)\b[^<>]{0,100}>", re.IGNORECASE)


def name_and_reading(name: str) -> tuple[str, ...]:
    """A name without markup; with ruby, the name and its reading."""
    written, read = _RUBY.sub(r"\g<base>", name), _RUBY.sub(r"\g<reading>", name)
    return tuple(dict.fromkeys(filter(None, (without_markup(spelling) for spelling in (written, read)))))


def without_markup(text: str) -> str:
    """A text without markup, with its line breaks."""
    broken = _BREAK.sub("\n", text)
    lines = html.unescape(_TAG.sub("", broken)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def merge_cards(said: Iterable[CardText]) -> list[Card]:
    """The cards in the records, in order; the first text in a language wins."""
    cards: dict[tuple[str, str], tuple[dict[str, dict[str, None]], dict[str, dict[str, None]]]] = {}
    for record in said:
        names, texts = cards.setdefault((record.game, record.id), ({}, {}))
        known = names.setdefault(record.lang, {})
        if record.name not in known:
            known.update(dict.fromkeys(name_and_reading(record.name)))
            if text := without_markup(record.text):
                texts.setdefault(record.lang, {})[text] = None
    return [
        Card(game, ident, _named(names), {lang: "\n".join(lines) for lang, lines in texts.items()})
        for (game, ident), (names, texts) in cards.items()
        if any(names.values())
    ]


def _named(names: dict[str, dict[str, None]]) -> dict[str, tuple[str, ...]]:
    return {lang: tuple(some) for lang, some in names.items() if some}


Reader = Callable[[Record, str], Iterable[CardText]]
MOST = 4 * 2**30
"""Maximum size in bytes of a file of cards, which is read record by record; the largest known file has every printing in every
language.
"""
WHOLE = 64 * 2**20
"""Maximum size in bytes of a file that is read into memory, such as YAML."""
_LONGEST = 100_000
"""Maximum number of characters of a name or a text."""
_READERS: Mapping[str, Reader] = {
    "scryfall": scryfall,
    "atomic": atomic,
    "ygojson": ygojson,
    "yaml-yugi": yaml_yugi,
}


def read_card_file(path: Path, game: str | None = None) -> list[Card]:
    """The cards in a file, as `read_cards`, with one record in memory at a time. Also raises EnvironmentFault."""
    with opened(path, WHOLE if path.suffix.lower() in YAML else MOST) as file:
        return _cards(file, path.name, game)


def read_cards(data: bytes, name: str, game: str | None = None) -> list[Card]:
    """The cards in a file with a name; `game` overrides the game that the file names.

    Raises InputError for a file without cards.
    """
    return _cards(io.BytesIO(data), name, game)


def _cards(file: BinaryIO, name: str, game: str | None) -> list[Card]:
    try:
        cards = merge_cards(_texts_of(file, Path(name).suffix.lower(), game))
    except InputError as fault:
        raise InputError("{file}: {reason}; nothing was added", file=name, reason=fault.message) from None
    if not cards:
        raise InputError("{file}: contains no cards; expected {expected}", file=name, expected=EXPECTED)
    return cards


def _texts_of(file: BinaryIO, suffix: str, game: str | None) -> Iterator[CardText]:
    """The facts of each record. Raises InputError with the number of an unreadable record."""
    for count, record in enumerate(records(file, suffix), 1):
        reader, whose = _reader(record, count) if suffix not in TABLES else (row, "")
        try:
            parts = [part._replace(game=game or part.game) for part in reader(record, game or whose)]
        except RulestoneError as fault:
            raise InputError("record {count}: {reason}", count=count, reason=fault.message) from None
        except (KeyError, TypeError, AttributeError, ValueError) as fault:
            raise InputError("record {count}: cannot be read ({fault!r})", count=count, fault=fault) from fault
        _check(parts, count)
        yield from parts


def _check(parts: Sequence[CardText], count: int) -> None:
    for part in parts:
        if not all(isinstance(value, str) for value in part):
            raise InputError("record {count}: cannot be read ({fault!r})", count=count, fault=str(part.name)[:40])
        if not is_slug(part.game):
            raise InputError(
                "record {count}: {game!r} is not a game; expected a slug of a-z, 0-9 and dashes", count=count, game=part.game[:40]
            )
        if len(part.name) > _LONGEST or len(part.text) > _LONGEST:
            raise InputError("record {count}: a name or text of more than {most} characters", count=count, most=_LONGEST)


def _reader(record: Record, count: int) -> tuple[Reader, str]:
    """The reader of a record, and the game of its card."""
    for shape in card_formats()["shape"]:
        if all(record.get(field) is not None for field in shape["has"]):
            return _READERS[shape["name"]], shape["game"]
    try:
        check_columns(list(record))
    except InputError:
        raise InputError("record {count}: unknown kind; expected {expected}", count=count, expected=EXPECTED) from None
    return row, ""
