"""Reads files of cards: their names and texts in each language.

The formats are MTGJSON, Scryfall, YGOJSON, YAML Yugi and LorcanaJSON, and a table with a header row. Bulk files have hundreds of
megabytes: all but YAML are streamed record by record. A file with an invalid record is refused with one line that names the
record.
"""

import csv
import html
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

from corpus.address import is_slug
from corpus.data_files import read_toml
from corpus.errors import InputError, RulestoneError
from corpus.messages import message
from corpus.model import Card
from corpus.reference import catalogue_game
from ingest.read.document import displayable_name, open_limited
from ingest.read.limits import ReadLimits
from ingest.read.sandbox import run_sandboxed

T = TypeVar("T")
_KANA, _HAN = re.compile("[\u3041-\u309f\u30a1-\u30fa]"), re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


def language(name: object) -> str | None:
    """The tag of a language named in files of cards; None for an unsupported one."""
    tag: str | None = read_toml("ingest", "cards.toml")["languages"].get(name) if isinstance(name, str) else None
    return tag


def guess_language(text: str) -> str:
    """The language of a text without a language tag, by its script."""
    if _KANA.search(text):
        return "ja"
    return "zh-Hans" if _HAN.search(text) else "en"


class CardText(NamedTuple):
    """The facts of one record about a card in one language."""

    game: str
    id: str
    lang: str
    name: str
    text: str


Record = Mapping[str, Any]
_FACE_SEPARATOR = " // "


def scryfall(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a Scryfall card: its Oracle name and text, and the printed name and text in its language."""
    faces: Sequence[Record] = record.get("card_faces") or ()
    ident = record.get("oracle_id") or next((face["oracle_id"] for face in faces if face.get("oracle_id")), record["name"])
    lang = language(record.get("lang", "en"))
    for part in (*faces, record) if not faces or _FACE_SEPARATOR not in record["name"] else (record, *faces):
        yield CardText(game, ident, "en", part["name"], _text(part, "oracle_text"))
        if lang not in (None, "en"):
            yield CardText(game, ident, str(lang), _text(part, "printed_name"), _text(part, "printed_text"))


def atomic(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a face in AtomicCards, in English and its foreign data."""
    ident = (record.get("identifiers") or {}).get("scryfallOracleId") or record["name"]
    if record.get("faceName"):
        yield CardText(game, ident, "en", record["name"], "")
    yield CardText(game, ident, "en", _text(record, "faceName") or record["name"], _text(record, "text"))
    for foreign in record.get("foreignData") or ():
        if lang := language(foreign.get("language")):
            if foreign.get("faceName"):
                yield CardText(game, ident, lang, _text(foreign, "name"), "")
            yield CardText(game, ident, lang, _text(foreign, "faceName") or _text(foreign, "name"), _text(foreign, "text"))


def _text(record: Record, field: str) -> str:
    value = record.get(field)
    return value if isinstance(value, str) else ""


def ygojson(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a YGOJSON card in each language."""
    for tag, own in record["text"].items():
        if lang := language(tag):
            text = "\n".join(own[part] for part in ("pendulumEffect", "effect") if own.get(part))
            yield CardText(game, str(record["id"]), lang, own["name"], text)


def yaml_yugi(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a YAML Yugi card in each language."""
    ident = record.get("password") or record.get("konami_id") or record["name"]["en"]
    texts, pendulum = record.get("text") or {}, record.get("pendulum_effect") or {}
    for tag, name in record["name"].items():
        lang = language(tag)
        if lang and name:
            text = "\n".join(part for part in (pendulum.get(tag), texts.get(tag)) if part)
            yield CardText(game, str(ident), lang, name, text)


def lorcana_json(record: Record, game: str) -> Iterator[CardText]:
    """The facts of a LorcanaJSON printing, whose card is known by its full name: the other printings have the same."""
    yield CardText(game, record["fullName"], "en", record["fullName"], _text(record, "fullText"))


GAME, IDENT, TEXT = "game", "id", "text"
_NAME_SEPARATOR = "|"
"""Separates several names in one cell."""


def check_columns(columns: list[str]) -> None:
    """Raises InputError for unknown or repeated columns, or if there is no name column."""
    unknown = [name for name in columns if name not in (GAME, IDENT, TEXT) and not _text_of_column(name) and not language(name)]
    if unknown:
        raise InputError("column {name!r} is unknown; expected game, id, ja, zh-Hans, zh-Hant, en, text", name=unknown[0][:40])
    if len(set(columns)) < len(columns):
        raise InputError("a column occurs twice: {columns}", columns=", ".join(columns)[:80])
    if not any(map(language, columns)):
        raise InputError("no column holds names; expected one of ja, zh-Hans, zh-Hant, en")


def text_row(record: Mapping[str, Any], game: str) -> Iterator[CardText]:
    """The facts of a row about a card in each language. Raises InputError for a row without a game or a name."""
    names = {lang: _cell(record, column).split(_NAME_SEPARATOR) for column in record if (lang := language(column))}
    first = next((name.strip() for some in names.values() for name in some if name.strip()), "")
    if not first:
        raise InputError("has no name")
    game_name = _cell(record, GAME)
    whose = (catalogue_game(game_name) or game_name.lower()) if game_name else game
    if not whose:
        raise InputError("names no game; give it in a column `game`, or with --game")
    ident = _cell(record, IDENT) or first
    texts = _row_texts(record)
    for lang, some in names.items():
        for name in filter(None, (name.strip() for name in some)):
            yield CardText(whose, ident, lang, name, texts.pop(lang, ""))
    for lang, text in texts.items():
        yield CardText(whose, ident, lang, "", text)


def _text_of_column(column: str) -> str | None:
    """The language of a text column: `text-ja`."""
    kind, _, tag = column.partition("-")
    return language(tag) if kind == TEXT else None


def _row_texts(record: Mapping[str, Any]) -> dict[str, str]:
    texts = {lang: _cell(record, column) for column in record if (lang := _text_of_column(column))}
    if text_without_language := _cell(record, TEXT):
        texts.setdefault(guess_language(text_without_language), text_without_language)
    return {lang: text for lang, text in texts.items() if text}


def _cell(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    return " ".join(value.split()) if field != TEXT and isinstance(value, str) else str(value).strip() if value is not None else ""


TABLE_DELIMITERS = {".csv": ",", ".tsv": "\t"}
YAML_SUFFIXES = (".yaml", ".yml")
MAX_RECORD_BYTES = 16 * 2**20
"""Maximum number of bytes in a record: a line of JSON Lines, or a value in JSON with what stands before it."""
EXPECTED_FORMATS = message(
    "MTGJSON AtomicCards, Scryfall's bulk files, YGOJSON, YAML Yugi, LorcanaJSON, or a table game,id,ja,zh-Hans,en,text"
)


def records(file: BinaryIO, suffix: str) -> Iterator[Record]:
    """The records of a file, by its kind. Raises InputError if it is not of that kind."""
    if suffix in TABLE_DELIMITERS:
        yield from _rows(file, TABLE_DELIMITERS[suffix])
    elif suffix in YAML_SUFFIXES:
        yield from _from_yaml(file.read())
    elif suffix in (".jsonl", ".ndjson"):
        yield from _objects(value for line in filter(bytes.strip, _lines(file)) for value in _objects_in(_parse_line(line)))
    else:
        yield from _objects(parse_json(file))


def _objects(values: Iterable[object]) -> Iterator[Record]:
    for count, value in enumerate(values, 1):
        if not isinstance(value, Mapping):
            raise InputError("record {count}: not an object; expected {expected}", count=count, expected=EXPECTED_FORMATS)
        yield value


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(MAX_RECORD_BYTES):
        if len(line) == MAX_RECORD_BYTES:
            raise InputError(
                "has a line of more than {most:,} bytes; write one record per line, or name the file .json", most=MAX_RECORD_BYTES
            )
        yield line


def _parse_line(line: bytes) -> object:
    import orjson

    try:
        return orjson.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as fault:
        raise InputError("is not valid JSON ({fault})", fault=fault) from None


def _from_yaml(data: bytes) -> Iterator[Record]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if b"\n&" in data or b": &" in data or b"- &" in data:  # a few bytes of anchors can expand without limit
        raise InputError("is YAML with anchors; save it without them, or as JSON")
    try:
        for body in yaml.load_all(data, Loader=loader):
            yield from _objects(_objects_in(body))
    except (yaml.YAMLError, RecursionError) as fault:
        raise InputError("is not valid YAML ({fault})", fault=" ".join(str(fault).split())[:120]) from None


def _objects_in(body: object) -> Iterator[object]:
    """The objects in a document: in a list, under `data` as in MTGJSON, or a single one."""
    inside = body.get("data") if isinstance(body, Mapping) else body
    if isinstance(body, Mapping) and isinstance(inside, Mapping):
        for value in inside.values():
            yield from value if isinstance(value, list) else (value,)
    elif isinstance(inside, list):
        yield from inside
    else:
        yield body


def _rows(file: BinaryIO, delimiter: str) -> Iterator[Record]:
    wide = file.read(2) in (b"\xff\xfe", b"\xfe\xff")
    file.seek(0)
    text = io.TextIOWrapper(file, "utf-16" if wide else "utf-8-sig", newline="")
    rows = csv.reader(text, delimiter=delimiter, strict=True)
    try:
        columns = [name.strip() for name in next(rows, [])]
        check_columns(columns)
        for line in rows:
            if any(cell.strip() for cell in line):
                yield _table_row(columns, line, rows.line_num)
    except csv.Error as fault:
        raise InputError("line {count}: not a table ({fault})", count=rows.line_num, fault=fault) from None
    except UnicodeDecodeError as fault:
        raise InputError("is not UTF-8 text ({fault}); save it as UTF-8", fault=fault.reason) from None
    finally:
        text.detach()  # the caller closes the file


def _table_row(columns: Sequence[str], line: Sequence[str], count: int) -> Record:
    if len(line) != len(columns):
        raise InputError("line {count}: {found} cells instead of {expected}", count=count, found=len(line), expected=len(columns))
    return dict(zip(columns, line, strict=True))


_LIST_PATHS = {"listed": "item", "listed under data": "data.item", "listed under cards": "cards.item"}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MAX_DEPTH = 10_000
"""Maximum number of open brackets, including those in strings: a file with deeper nesting is not a file of cards, and would
exhaust memory.
"""


class _CountedFile:
    """A file that raises InputError when too many brackets are open, or when too many bytes are read without a record."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._open = 0
        self._without_record = 0

    def records(self, values: Iterable[T]) -> Iterator[T]:
        """The records that are built of the bytes read."""
        for value in values:
            self._without_record = 0
            yield value

    def read(self, size: int) -> bytes:
        """The next bytes. Raises InputError if they are nested too deeply, or if the record has too many."""
        piece = self._file.read(size)
        self._without_record += len(piece)
        if self._without_record > MAX_RECORD_BYTES:
            raise InputError("has a record of more than {most:,} bytes; split it into one for each card", most=MAX_RECORD_BYTES)
        self._open += piece.count(b"[") + piece.count(b"{") - piece.count(b"]") - piece.count(b"}")
        if self._open > MAX_DEPTH:
            raise InputError("has more than {most} nested levels", most=MAX_DEPTH)
        return piece


def parse_json(file: BinaryIO) -> Iterator[object]:
    """The values in a file from its beginning. Raises InputError if it is not valid JSON."""
    import ijson

    first = len(_BYTE_ORDER_MARK) if file.read(len(_BYTE_ORDER_MARK)) == _BYTE_ORDER_MARK else 0
    try:
        inside = _object_path(file, first)
        rest = _rest_of_file(file, first)
        if inside == "named":
            for _, value in rest.records(ijson.kvitems(rest, "data")):
                yield from value if isinstance(value, list) else (value,)
        else:
            yield from rest.records(ijson.items(rest, _LIST_PATHS.get(inside, "")))
    except ijson.JSONError as fault:
        raise InputError("is not valid JSON ({fault})", fault=" ".join(str(fault).split())[:120]) from None


def _rest_of_file(file: BinaryIO, first: int) -> _CountedFile:
    file.seek(first)
    return _CountedFile(file)


def _object_path(file: BinaryIO, first: int) -> str:
    """The path of the objects, from the beginning of the file up to `data` or `cards`."""
    import ijson

    for prefix, event, _ in ijson.parse(_rest_of_file(file, first)):
        if not prefix and event != "start_map" and event != "map_key":
            return "listed" if event == "start_array" else "alone"
        if prefix == "cards" and event == "start_array":
            return "listed under cards"
        if prefix == "data" and event in ("start_map", "start_array"):
            return "named" if event == "start_map" else "listed under data"
    return "alone"


_RUBY_BRACKET = "(?:<rp>[^<>]{0,4}</rp>)?"
_RUBY = re.compile(f"<ruby>(?P<base>[^<>]{{0,80}}){_RUBY_BRACKET}<rt>(?P<reading>[^<>]{{0,80}})</rt>{_RUBY_BRACKET}</ruby>")
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,200}>")
_BREAK = re.compile(r"<(?:br|p|li|div)\b[^<>]{0,100}>", re.IGNORECASE)


def name_and_reading(name: str) -> tuple[str, ...]:
    """A name without markup; with ruby, the name and its reading."""
    spelling_of_base, reading = _RUBY.sub(r"\g<base>", name), _RUBY.sub(r"\g<reading>", name)
    return tuple(dict.fromkeys(filter(None, (without_markup(spelling) for spelling in (spelling_of_base, reading)))))


def without_markup(text: str) -> str:
    """A text without markup, with its line breaks."""
    with_line_breaks = _BREAK.sub("\n", text)
    lines = html.unescape(_TAG.sub("", with_line_breaks)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def merge_cards(card_texts: Iterable[CardText]) -> list[Card]:
    """The cards in the records, in order; the first text in a language wins."""
    cards: dict[tuple[str, str], tuple[dict[str, dict[str, None]], dict[str, dict[str, None]]]] = {}
    for record in card_texts:
        names, texts = cards.setdefault((record.game, record.id), ({}, {}))
        names_of_lang = names.setdefault(record.lang, {})
        if record.name not in names_of_lang:
            names_of_lang.update(dict.fromkeys(name_and_reading(record.name)))
            if text := without_markup(record.text):
                texts.setdefault(record.lang, {})[text] = None
    return [
        Card(game, ident, _names_by_language(names), {lang: "\n".join(lines) for lang, lines in texts.items()})
        for (game, ident), (names, texts) in cards.items()
        if any(names.values())
    ]


def _names_by_language(names: dict[str, dict[str, None]]) -> dict[str, tuple[str, ...]]:
    return {lang: tuple(some) for lang, some in names.items() if some}


Reader = Callable[[Record, str], Iterable[CardText]]
MAX_FILE_BYTES = 4 * 2**30
"""Maximum size in bytes of a file of cards, which is read record by record; the largest known file has every printing in every
language.
"""
MAX_UNSTREAMED_BYTES = 64 * 2**20
"""Maximum size in bytes of a file that is read into memory, such as YAML."""
_MAX_TEXT_LENGTH = 100_000
"""Maximum number of characters of a name or a text."""
_READERS: Mapping[str, Reader] = {
    "scryfall": scryfall,
    "atomic": atomic,
    "ygojson": ygojson,
    "yaml-yugi": yaml_yugi,
    "lorcana-json": lorcana_json,
}


CARD_LIMITS = ReadLimits(seconds=900, wait=1800, memory=2 * 2**30)
"""Limits of reading a file of cards; Scryfall's 145 MB of oracle cards take 3 s, and memory for the cards alone."""


def read_card_file(path: Path, game: str | None = None) -> list[Card]:
    """The cards in a file, read in a sandboxed process unless the file is small; `game` overrides the game that the file names.

    Raises InputError for a file without cards, EnvironmentFault for one that cannot be read.
    """
    if path.is_file() and path.stat().st_size <= CARD_LIMITS.here and path.suffix.lower() not in YAML_SUFFIXES:
        return parse_card_file(path, game)
    return run_sandboxed(partial(parse_card_file, path, game), displayable_name(path), CARD_LIMITS)


def parse_card_file(path: Path, game: str | None = None) -> list[Card]:
    """The same in this process, with one record in memory at a time."""
    suffix = path.suffix.lower()
    with open_limited(path, MAX_UNSTREAMED_BYTES if suffix in YAML_SUFFIXES else MAX_FILE_BYTES) as file:
        try:
            cards = merge_cards(_card_texts(file, suffix, game))
        except InputError as fault:
            raise InputError("{file}: {reason}; nothing was added", file=path.name, reason=fault.message) from None
    if not cards:
        raise InputError("{file}: contains no cards; expected {expected}", file=path.name, expected=EXPECTED_FORMATS)
    return cards


def holds_cards(data: bytes, suffix: str) -> bool:
    """Whether the first record in the bytes of a file is a card in one of the formats."""
    try:
        record = next(records(io.BytesIO(data), suffix), None)
        return record is not None and (suffix in TABLE_DELIMITERS or bool(_record_reader(record, 1)))
    except InputError:
        return False


def _card_texts(file: BinaryIO, suffix: str, game: str | None) -> Iterator[CardText]:
    """The facts of each record. Raises InputError with the number of an unreadable record."""
    for count, record in enumerate(records(file, suffix), 1):
        reader, whose = _record_reader(record, count) if suffix not in TABLE_DELIMITERS else (text_row, "")
        try:
            parts = [part._replace(game=game or part.game) for part in reader(record, game or whose)]
        except RulestoneError as fault:
            raise InputError("record {count}: {reason}", count=count, reason=fault.message) from None
        except (KeyError, TypeError, AttributeError, ValueError) as fault:
            raise InputError("record {count}: cannot be read ({fault!r})", count=count, fault=fault) from fault
        _check_size(parts, count)
        yield from parts


def _check_size(parts: Sequence[CardText], count: int) -> None:
    for part in parts:
        if not all(isinstance(value, str) for value in part):
            raise InputError("record {count}: cannot be read ({fault!r})", count=count, fault=str(part.name)[:40])
        if not is_slug(part.game):
            raise InputError(
                "record {count}: {game!r} is not a game; expected a slug of a-z, 0-9 and hyphens", count=count, game=part.game[:40]
            )
        if len(part.name) > _MAX_TEXT_LENGTH or len(part.text) > _MAX_TEXT_LENGTH:
            raise InputError("record {count}: a name or text of more than {most} characters", count=count, most=_MAX_TEXT_LENGTH)


def _record_reader(record: Record, count: int) -> tuple[Reader, str]:
    """The reader of a record, and the game of its card."""
    for shape in read_toml("ingest", "cards.toml")["shape"]:
        if all(record.get(field) is not None for field in shape["has"]):
            return _READERS[shape["name"]], shape["game"]
    try:
        check_columns(list(record))
    except InputError:
        raise InputError("record {count}: unknown kind; expected {expected}", count=count, expected=EXPECTED_FORMATS) from None
    return text_row, ""
