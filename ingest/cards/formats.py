"""The records in a file of cards: JSON, JSON Lines, YAML, or a table with a line of column names."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corpus.errors import InputError
from corpus.messages import message
from ingest.cards import table

Record = Mapping[str, Any]
TABLES = {".csv": ",", ".tsv": "\t"}
EXPECTED = message("MTGJSON AtomicCards, Scryfall's bulk files, YGOJSON, YAML Yugi, or a table game,id,ja,zh-Hans,en,text")


def records(data: bytes, suffix: str) -> Iterator[Record]:
    """The records of a file, by its kind. Raises InputError for what is not of that kind."""
    if suffix in TABLES:
        yield from _rows(_decoded(data), TABLES[suffix])
    elif suffix in (".yaml", ".yml"):
        yield from _from_yaml(data)
    elif suffix in (".jsonl", ".ndjson"):
        for line in filter(bytes.strip, data.split(b"\n")):
            yield from _objects(_parsed(line))
    else:
        yield from _objects(_parsed(data))


def _objects(body: object) -> Iterator[Record]:
    """The objects in what was parsed: in a list, by name under `data` as MTGJSON has them, or one alone."""
    if isinstance(body, Mapping) and isinstance(body.get("data"), Mapping | list):
        inside = body["data"]
        yield from _listed(inside if isinstance(inside, list) else _flat(inside.values()))
    else:
        yield from _listed(body if isinstance(body, list) else [body])


def _flat(values: Iterable[object]) -> Iterator[object]:
    for value in values:
        yield from value if isinstance(value, list) else (value,)


def _listed(values: Iterable[object]) -> Iterator[Record]:
    for count, value in enumerate(values, 1):
        if not isinstance(value, Mapping):
            raise InputError("record {count}: is no object; expected {expected}", count=count, expected=EXPECTED)
        yield value


def _parsed(data: bytes) -> object:
    import orjson

    try:
        return orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as fault:
        raise InputError("is no JSON ({fault})", fault=fault) from None


def _from_yaml(data: bytes) -> Iterator[Record]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if b"\n&" in data or b": &" in data or b"- &" in data:  # few bytes of anchors unfold to any number
        raise InputError("is YAML with anchors; save it without them, or as JSON")
    try:
        for body in yaml.load_all(data, Loader=loader):
            yield from _objects(body)
    except (yaml.YAMLError, RecursionError) as fault:
        raise InputError("is no YAML ({fault})", fault=" ".join(str(fault).split())[:120]) from None


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("is no UTF-8 text ({fault}); save it as UTF-8", fault=fault.reason) from None


def _rows(text: str, delimiter: str) -> Iterator[Record]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [name.strip() for name in next(rows, [])]
        table.check_columns(columns)
        for line in rows:
            if any(cell.strip() for cell in line):
                yield _row(columns, line, rows.line_num)
    except csv.Error as fault:
        raise InputError("line {count}: is no table ({fault})", count=rows.line_num, fault=fault) from None


def _row(columns: Sequence[str], line: Sequence[str], count: int) -> Record:
    if len(line) != len(columns):
        raise InputError("line {count}: has {found} cells, not {expected}", count=count, found=len(line), expected=len(columns))
    return dict(zip(columns, line, strict=True))
