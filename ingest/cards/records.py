"""The records in a file of cards: JSON, JSON Lines, YAML, or a table with a header row.

Bulk files have hundreds of megabytes: all but YAML are streamed record by record.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO

from corpus.errors import InputError
from corpus.messages import message
from ingest.cards.shapes import Record, check_columns

TABLES = {".csv": ",", ".tsv": "\t"}
YAML = (".yaml", ".yml")
LONGEST = 16 * 2**20
"""Maximum number of bytes in a line of JSON Lines."""
EXPECTED = message("MTGJSON AtomicCards, Scryfall's bulk files, YGOJSON, YAML Yugi, or a table game,id,ja,zh-Hans,en,text")


def records(file: BinaryIO, suffix: str) -> Iterator[Record]:
    """The records of a file, by its kind. Raises InputError if it is not of that kind."""
    if suffix in TABLES:
        yield from _rows(file, TABLES[suffix])
    elif suffix in YAML:
        yield from _from_yaml(file.read())
    elif suffix in (".jsonl", ".ndjson"):
        yield from _objects(value for line in filter(bytes.strip, _lines(file)) for value in _listed(_parsed(line)))
    else:
        yield from _objects(parsed(file))


def _objects(values: Iterable[object]) -> Iterator[Record]:
    for count, value in enumerate(values, 1):
        if not isinstance(value, Mapping):
            raise InputError("record {count}: not an object; expected {expected}", count=count, expected=EXPECTED)
        yield value


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST):
        if len(line) == LONGEST:
            raise InputError(
                "has a line of more than {most:,} bytes; write one record per line, or name the file .json", most=LONGEST
            )
        yield line


def _parsed(line: bytes) -> object:
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
            yield from _objects(_listed(body))
    except (yaml.YAMLError, RecursionError) as fault:
        raise InputError("is not valid YAML ({fault})", fault=" ".join(str(fault).split())[:120]) from None


def _listed(body: object) -> Iterator[object]:
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
                yield _row(columns, line, rows.line_num)
    except csv.Error as fault:
        raise InputError("line {count}: not a table ({fault})", count=rows.line_num, fault=fault) from None
    except UnicodeDecodeError as fault:
        raise InputError("is not UTF-8 text ({fault}); save it as UTF-8", fault=fault.reason) from None
    finally:
        text.detach()  # the caller closes the file


def _row(columns: Sequence[str], line: Sequence[str], count: int) -> Record:
    if len(line) != len(columns):
        raise InputError("line {count}: has {found} cells, not {expected}", count=count, found=len(line), expected=len(columns))
    return dict(zip(columns, line, strict=True))


_MARK = b"\xef\xbb\xbf"
DEPTH = 10_000
"""Maximum number of open brackets, including those in strings: a file with deeper nesting is not a file of cards, and would
exhaust memory.
"""


class _Counted:
    """A file that raises InputError when too many brackets are open."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._open = 0

    def read(self, size: int) -> bytes:
        """The next bytes. Raises InputError if they are nested too deeply."""
        piece = self._file.read(size)
        self._open += piece.count(b"[") + piece.count(b"{") - piece.count(b"]") - piece.count(b"}")
        if self._open > DEPTH:
            raise InputError("has more than {most} nested levels", most=DEPTH)
        return piece


def parsed(file: BinaryIO) -> Iterator[object]:
    """The values in a file from its beginning. Raises InputError if it is not valid JSON."""
    import ijson

    first = len(_MARK) if file.read(len(_MARK)) == _MARK else 0
    try:
        inside = _inside(file, first)
        counted = _from(file, first)
        if inside == "named":
            for _, value in ijson.kvitems(counted, "data"):
                yield from value if isinstance(value, list) else (value,)
        else:
            yield from ijson.items(counted, {"listed": "item", "listed under data": "data.item"}.get(inside, ""))
    except ijson.JSONError as fault:
        raise InputError("is not valid JSON ({fault})", fault=" ".join(str(fault).split())[:120]) from None


def _from(file: BinaryIO, first: int) -> _Counted:
    file.seek(first)
    return _Counted(file)


def _inside(file: BinaryIO, first: int) -> str:
    """The path of the objects, from the beginning of the file up to `data`."""
    import ijson

    for prefix, event, _ in ijson.parse(_from(file, first)):
        if not prefix and event != "start_map" and event != "map_key":
            return "listed" if event == "start_array" else "alone"
        if prefix == "data" and event in ("start_map", "start_array"):
            return "named" if event == "start_map" else "listed under data"
    return "alone"
