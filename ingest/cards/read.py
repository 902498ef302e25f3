"""Reading a file of cards, whatever kind it is of: all of it, or one line that says what is wrong."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from corpus.address import is_slug
from corpus.card import Card
from corpus.errors import InputError, RulestoneError
from ingest.cards import magic, table, yugioh
from ingest.cards.formats import EXPECTED, TABLES, Record, records
from ingest.cards.gather import Said, gathered
from ingest.cards.languages import told
from ingest.read.document import file_bytes

Reader = Callable[[Record, str], Iterable[Said]]
MOST = 512 * 2**20
"""Bytes of a file of cards; the largest known to us with all languages has 150,000,000."""
_LONGEST = 100_000
"""Characters of a name or a text."""
_READERS: Mapping[str, Reader] = {
    "scryfall": magic.scryfall,
    "atomic": magic.atomic,
    "ygojson": yugioh.ygojson,
    "yaml-yugi": yugioh.yaml_yugi,
}


def card_bytes(path: Path) -> bytes:
    """The bytes of a file. Raises InputError and EnvironmentFault as `file_bytes` does."""
    return file_bytes(path, MOST)


def read_cards(data: bytes, name: str, game: str | None = None) -> list[Card]:
    """The cards in a file of that name; `game` overrules what it says. Raises InputError for a file that holds none."""
    try:
        cards = gathered(_said(data, Path(name).suffix.lower(), game))
    except InputError as fault:
        raise InputError("{file}: {reason}; nothing was added", file=name, reason=fault.message) from None
    if not cards:
        raise InputError("{file}: holds no cards; expected {expected}", file=name, expected=EXPECTED)
    return cards


def _said(data: bytes, suffix: str, game: str | None) -> Iterator[Said]:
    """What each record says. Raises InputError with the number of a record that cannot be read."""
    for count, record in enumerate(records(data, suffix), 1):
        reader, whose = _reader(record, count) if suffix not in TABLES else (table.row, "")
        try:
            found = [one._replace(game=game or one.game) for one in reader(record, game or whose)]
        except RulestoneError as fault:
            raise InputError("record {count}: {reason}", count=count, reason=fault.message) from None
        except (KeyError, TypeError, AttributeError, ValueError) as fault:
            raise InputError("record {count}: cannot be read ({fault!r})", count=count, fault=fault) from fault
        _check(found, count)
        yield from found


def _check(found: Sequence[Said], count: int) -> None:
    for one in found:
        if not all(isinstance(value, str) for value in one):
            raise InputError("record {count}: cannot be read ({fault!r})", count=count, fault=str(one.name)[:40])
        if not is_slug(one.game):
            raise InputError(
                "record {count}: {game!r} is no game; expected a slug of a-z, 0-9 and dashes", count=count, game=one.game[:40]
            )
        if len(one.name) > _LONGEST or len(one.text) > _LONGEST:
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
