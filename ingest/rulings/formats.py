"""The formats of files of rulings as plain nested values: JSON, JSON Lines, YAML, separated values, and running text.

Numbers and dates stay as strings. A repeated name in an object keeps both values. In running text, Markdown or plain, a record
starts at a question label or at a heading that is a question.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from corpus.errors import InputError
from ingest.rulings.vocabulary import FIELD_ROLES, has_mark, role_certainty, without_markup

Node = Any
"""A dictionary, a list, a text, or None."""
MAX_DEPTH = 64
"""Maximum number of nesting levels."""
MAX_NODES = 4_000_000
"""Maximum number of values: aliases in YAML can expand to billions."""
_DELIMITERS = ",\t;|"
_SAMPLE_ROWS = 50


class RepeatedValues(list[Any]):
    """The different values that an object has under one name."""


def json_tree(text: str, name: str) -> Node:
    """One JSON document, or one per line. Raises InputError with the line of an error."""
    try:
        return _json(text, name)
    except json.JSONDecodeError as fault:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) > 1 and _is_complete_json(lines[0][1]):
            return [_json_line(line, number, name) for number, line in lines]
        raise InputError(
            "{file}: is not valid JSON (line {line}, column {column}: {reason})",
            file=name,
            line=fault.lineno,
            column=fault.colno,
            reason=fault.msg,
        ) from None


def _json(text: str, name: str) -> Node:
    try:
        return _plain_tree(
            json.loads(text, object_pairs_hook=_object_from_pairs, parse_float=str, parse_int=str, parse_constant=str), name
        )
    except RecursionError:
        raise _too_deep(name) from None


def _is_complete_json(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _json_line(line: str, number: int, name: str) -> Node:
    try:
        return _json(line, name)
    except ValueError as fault:
        raise InputError("{file}: line {line} is not valid JSON ({reason})", file=name, line=number, reason=fault) from None


def _object_from_pairs(pairs: Iterable[tuple[str, Node]]) -> dict[str, Node]:
    fields: dict[str, Node] = {}
    for key, value in pairs:
        fields[key] = merge_repeated(fields[key], value) if key in fields else value
    return fields


def merge_repeated(values: Node, other: Node) -> Node:
    """The value of a repeated name: lists and objects merged, equal values once."""
    if values == other or other in (None, ""):
        return values
    if values in (None, ""):
        return other
    if isinstance(values, list) and isinstance(other, list):
        return type(values)([*values, *other])
    if isinstance(values, dict) and isinstance(other, dict):
        return _object_from_pairs([*values.items(), *other.items()])
    return RepeatedValues([*(values if isinstance(values, RepeatedValues) else [values]), other])


def yaml_tree(text: str, name: str) -> Node:
    """A YAML document, or a list if there are several. Raises InputError with the line of an error."""
    import yaml

    try:
        documents = [_plain_tree(document, name) for document in yaml.load_all(text, Loader=_loader()) if document is not None]
    except yaml.MarkedYAMLError as fault:
        line = fault.problem_mark.line + 1 if fault.problem_mark else 1
        raise InputError("{file}: line {line} is not valid YAML ({reason})", file=name, line=line, reason=fault.problem) from None
    except yaml.YAMLError as fault:
        raise InputError("{file}: is not valid YAML ({reason})", file=name, reason=str(fault).splitlines()[0]) from None
    except RecursionError:
        raise _too_deep(name) from None
    return documents[0] if len(documents) == 1 else documents


@cache
def _loader() -> type[Any]:
    """A YAML loader that reads plain strings and keeps both values of a repeated name."""
    import yaml

    base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    class Loader(base):  # type: ignore[misc]
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[str, Node]:  # noqa: ANN401
            keys = [self.construct_object(key, deep=True) for key, _ in node.value]
            if lists := [key for key in keys if not isinstance(key, str)]:
                raise yaml.constructor.ConstructorError(None, None, f"a name that is no text: {lists[0]}", node.start_mark)
            return _object_from_pairs(zip(keys, (self.construct_object(value, deep=True) for _, value in node.value), strict=True))

    return Loader


def read_table(text: str, name: str, delimiter: str | None = None) -> Node:
    """Rows of separated values as objects. Raises InputError for a row with more values than the header has names."""
    csv.field_size_limit(1 << 20)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or _delimiter(text), strict=True))
    except csv.Error as fault:
        raise InputError("{file}: not a table of separated values ({reason})", file=name, reason=fault) from None
    return rows_as_objects([row for row in rows if any(cell.strip() for cell in row)], name)


def rows_as_objects(rows: Sequence[Sequence[str]], name: str) -> list[Node]:
    """The rows of a table as objects, by the names in its first row, or by position if it has none."""
    if not rows:
        return []
    first, header = 1, [f"column {chr(97 + at % 26) * (1 + at // 26)}" for at in range(max(map(len, rows)))]
    if _is_header(rows):
        first, header = 2, [cell.strip().lstrip("\ufeff") for cell in rows[0]]
    for number, row in enumerate(rows[first - 1 :], first):
        if any(cell.strip() for cell in row[len(header) :]):
            raise InputError(
                "{file}: values in row {row}: {count}; columns in the header: {names}",
                file=name,
                row=number,
                count=len(row),
                names=len(header),
            )
    return [
        _object_from_pairs((key, value.strip()) for key, value in zip(header, row, strict=False) if key)
        for row in rows[first - 1 :]
    ]


def _is_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is a header: short names, some of them known, or none of them repeated below."""
    cells = [cell.strip() for cell in rows[0]]
    if max(map(len, cells), default=0) > 40 or any(cell.endswith(("?", "？", "。", ".")) for cell in cells):
        return False
    has_role_names = any(role_certainty(role, cell) >= 0.5 for cell in cells for role in FIELD_ROLES)
    longest = max((len(cell) for row in rows[1:] for cell in row), default=0)
    return has_role_names or (longest > 3 * max(map(len, cells)) and all(cells))


def _delimiter(text: str) -> str:
    """The separator that splits the first rows most evenly."""
    sample = text[:200_000]

    def column_evenness(delimiter: str) -> tuple[float, int]:
        try:
            rows = [row for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row][:_SAMPLE_ROWS]
        except csv.Error:
            return 0.0, 0
        widths = [len(row) for row in rows]
        usual = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual) / len(widths) if usual > 1 else 0.0), usual

    return max(_DELIMITERS, key=column_evenness)


def _plain_tree(node: Node, name: str) -> Node:
    """A tree of dictionaries, lists and texts. Raises InputError for one too deep or too large."""
    budget = [MAX_NODES]

    def plain_copy(node: Node, depth: int) -> Node:
        budget[0] -= 1
        if depth > MAX_DEPTH:
            raise _too_deep(name)
        if budget[0] < 0:
            raise InputError("{file}: has more than {most:,} values; split it", file=name, most=MAX_NODES)
        if isinstance(node, dict):
            return {_text(key): plain_copy(value, depth + 1) for key, value in node.items()}
        if isinstance(node, list):
            return type(node)(plain_copy(value, depth + 1) for value in node)
        return None if node is None else _text(node)

    return plain_copy(node, 0)


def _text(value: object) -> str:
    words = str(value).lower() if isinstance(value, bool) else str(value)
    if words.isascii() or not any("\ud800" <= character <= "\udfff" for character in words):
        return words
    return words.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _too_deep(name: str) -> InputError:
    return InputError("{file}: has more than {most} nested levels", file=name, most=MAX_DEPTH)


_MD_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r"\s{0,3}(=+|-+)\s*$")
_BULLET = re.compile(r"^\s{0,12}(?:[-*+>]\s+|\d{1,4}[.)]\s+)*(?=\S)")
_BOLD = re.compile(r"^\s*(?:\*\*|__)(.{1,500}?)(?:\*\*|__)\s*[:：]?\s*$")
_FIELD_LINE = re.compile(r"^\s*(?:[-*+]\s+)?(?:\*\*|__)?([^\s:：*_][^:：*]{0,30}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s*(\S.{0,200})$")
_QUESTION_END = re.compile(r"[?？]\s*$|(?:ですか|ますか|せんか|吗|嗎|呢)[。.]?\s*$")
_FIELD_ROLES = tuple(role for role in FIELD_ROLES if role not in ("question", "answer"))
_MIN, _SHARE = 2, 0.5
"""Thresholds for a file of rulings: the number of answers, and the share of the text in questions and answers."""


@dataclass(slots=True)
class _RunningReader:
    """The state of the parser: the headings above, and the current record."""

    records: list[dict[str, Node]] = field(default_factory=list)
    headings: dict[int, str] = field(default_factory=dict)
    above: dict[str, Node] = field(default_factory=dict)  # facts under a heading before any question
    record: dict[str, Node] = field(default_factory=dict)
    part: str = ""

    def begin_record(self, question: str) -> None:
        self.close()
        self.record, self.part = {"question": question}, "question"

    def add_answer(self, words: str) -> None:
        self.record["answer"] = f"{self.record['answer']}\n{words}" if "answer" in self.record else words
        self.part = "answer"

    def close(self) -> None:
        if "answer" in self.record:
            trail = {f"^h{level}": title for level, title in sorted(self.headings.items())}
            self.records.append({**_innermost_heading(self.headings), **trail, **self.above, **self.record})
        self.record, self.part = {}, ""

    def add_heading(self, level: int, title: str) -> None:
        self.close()
        self.headings = {depth: words for depth, words in self.headings.items() if depth < level}
        self.above = {}
        if has_mark(title, "question") or _QUESTION_END.search(title):
            self.begin_record(title)
            self.part = "asked"
        else:
            self.headings[level] = title

    def add_line(self, line: str) -> None:
        words = _BULLET.sub("", line, count=1).strip()
        bold = _BOLD.match(line)
        plain = without_markup(words)
        if has_mark(plain, "question") or (bold and _QUESTION_END.search(bold[1]) and self.part != "question"):
            self.begin_record(plain)
            self.part = "asked" if bold else "question"
        elif self.record and has_mark(plain, "answer"):
            self.add_answer(words)
        elif (fact := _FIELD_LINE.match(line)) and any(role_certainty(role, fact[1]) >= 0.5 for role in _FIELD_ROLES):
            where, what = self.record or self.above, fact[1].strip()
            where[what] = merge_repeated(where[what], without_markup(fact[2])) if what in where else without_markup(fact[2])
        elif self.part in ("answer", "asked"):
            self.add_answer(words)
        elif self.part == "question":
            self.record["question"] = f"{self.record['question']}\n{words}"


def running_records(text: str, name: str) -> list[Node]:
    """The questions with answers in a text, as objects with the headings above them, and the rows of its tables."""
    reader, rows = _RunningReader(), list[list[str]]()
    nodes: list[Node] = []
    for line in [*_lines(text), ""]:
        if line.strip().startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            continue
        if rows:
            nodes += _table_records(rows, reader.headings, name)
            rows = []
        if heading := _MD_HEADING.match(line):
            reader.add_heading(len(heading[1]), without_markup(heading[2]))
        elif line.strip():
            reader.add_line(line)
    reader.close()
    return [*reader.records, *nodes]


def is_rulings(text: str, name: str) -> bool:
    """Whether most of a text is questions with answers."""
    all_records = running_records(text, name) if re.search(r"[?？か吗嗎]", text) else []
    fields = (pair for record in all_records for pair in record.items())
    characters = sum(
        len(value) for field_, value in fields if max(role_certainty("question", field_), role_certainty("answer", field_)) >= 0.5
    )
    return len(all_records) >= _MIN and characters >= _SHARE * len("".join(text.split()))


def _lines(text: str) -> Iterator[str]:
    """The lines, an underlined one as a heading."""
    lines = text.splitlines()
    for place, line in enumerate(lines):
        after = lines[place + 1] if place + 1 < len(lines) else ""
        under = _UNDERLINE.match(after)
        if under and line.strip() and not line.startswith(("|", "#", "-", ">")):
            yield f"{'#' if under[1][0] == '=' else '##'} {line.strip()}"
        elif not (_UNDERLINE.match(line) and line.strip()):
            yield line


def _table_records(rows: Sequence[list[str]], headings: dict[int, str], name: str) -> list[Node]:
    rows_of_data = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    return [{**_innermost_heading(headings), **record} for record in rows_as_objects(rows_of_data, name)]


def _innermost_heading(headings: Mapping[int, str]) -> dict[str, Node]:
    """The innermost heading above a record, if any."""
    return {"^heading": headings[max(headings)]} if headings and headings[max(headings)] else {}
