"""Reading a file of cards, whatever kind it is of: all of it, or one line that says what is wrong."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from corpus.address import is_slug
from corpus.card import Card
from corpus.errors import InputError, RulestoneError
from ingest.cards import magic, table, yugioh
from ingest.cards.formats import EXPECTED, TABLES, YAML, Record, records
from ingest.cards.gather import Said, gathered
from ingest.cards.languages import told
from ingest.read.document import opened

Reader = Callable[[Record, str], Iterable[Said]]
MOST = 4 * 2**30
"""Bytes of a file of cards, which is read record by record; the largest known to us has every printing in every language."""
WHOLE = 64 * 2**20
"""Bytes of a file that is held whole, as YAML is."""
_LONGEST = 100_000
"""Characters of a name or a text."""
_READERS: Mapping[str, Reader] = {
    "scryfall": magic.scryfall,
    "atomic": magic.atomic,
    "ygojson": yugioh.ygojson,
    "yaml-yugi": yugioh.yaml_yugi,
}


def read_card_file(path: Path, game: str | None = None) -> list[Card]:
    """The cards in a file, as `read_cards`; of the file no more is held than a record. Raises EnvironmentFault too."""
    with opened(path, WHOLE if path.suffix.lower() in YAML else MOST) as file:
        return _cards(file, path.name, game)


def read_cards(data: bytes, name: str, game: str | None = None) -> list[Card]:
    """The cards in a file of that name; `game` overrules what it says. Raises InputError for a file that holds none."""
    return _cards(io.BytesIO(data), name, game)


def _cards(file: BinaryIO, name: str, game: str | None) -> list[Card]:
    try:
        cards = gathered(_said(file, Path(name).suffix.lower(), game))
    except InputError as fault:
        raise InputError("{file}: {reason}; nothing was added", file=name, reason=fault.message) from None
    if not cards:
        raise InputError("{file}: holds no cards; expected {expected}", file=name, expected=EXPECTED)
    return cards


def _said(file: BinaryIO, suffix: str, game: str | None) -> Iterator[Said]:
    """What each record says. Raises InputError with the number of a record that cannot be read."""
    for count, record in enumerate(records(file, suffix), 1):
        reader, whose = _reader(record, count) if suffix not in TABLES else (table.row, "")
        try:
            parts = [part._replace(game=game or part.game) for part in reader(record, game or whose)]
        except RulestoneError as fault:
            raise InputError("record {count}: {reason}", count=count, reason=fault.message) from None
        except (KeyError, TypeError, AttributeError, ValueError) as fault:
            raise InputError("record {count}: cannot be read ({fault!r})", count=count, fault=fault) from fault
        _check(parts, count)
        yield from parts


def _check(parts: Sequence[Said], count: int) -> None:
    for part in parts:
        if not all(isinstance(value, str) for value in part):
            raise InputError("record {count}: cannot be read ({fault!r})", count=count, fault=str(part.name)[:40])
        if not is_slug(part.game):
            raise InputError(
                "record {count}: {game!r} is no game; expected a slug of a-z, 0-9 and dashes", count=count, game=part.game[:40]
            )
        if len(part.name) > _LONGEST or len(part.text) > _LONGEST:
            raise InputError("record {count}: a name or text of more than {most} characters", count=count, most=_LONGEST)


def _reader(record: Record, count: int) -> tuple[Reader, str]:
    """What reads a record, and whose card it is."""
    for shape in told()["shape"]:
        if all(record.get(field) is not None for field in shape["has"]):
            return _READERS[shape["name"]], shape["game"]
    try:
        table.check_columns(list(record))
    except InputError:
        raise InputError("record {count}: is of no known kind; expected {expected}", count=count, expected=EXPECTED) from None
    return table.row, ""
