"""Turns nested values into rows: every object that may be a record, with its context, grouped by path.

The fields of a row are its own values, those of the enclosing objects (`^name`) and the keys of its path (`@1` the nearest): in
`{"OP01": {"name": "Ferry", "qa": [{"q": …}]}}` the row is `{"q": …, "^name": "Ferry", "@1": "qa", "@2": "OP01"}`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ingest.rulings.formats import Node, RepeatedValues
from ingest.rulings.vocabulary import has_mark, language_named, role_certainty

Value = str | tuple[str, ...]
Fields = Mapping[str, Value]
_KEYLIKE = re.compile(r"[\w.:/#-]{1,40}")
_QUESTION_END = re.compile(r"[?？]\s*$|(?:か|吗|嗎|呢)[。.]?\s*$")
_OF_CARDS = ("cards", "card_ids")
_MAX_KEYS = 4
"""Maximum number of keys above a row that are reported."""
_MIN_COMMON_NAMES = 0.5
"""Share of common names above which objects are of one kind."""


class RepeatedNames(tuple[str, ...]):
    """The different values that an object gives one name."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A possible record and its path: `cards[3].qa[0]`."""

    where: str
    fields: Fields


def group_rows(tree: Node) -> dict[str, list[Row]]:
    """The rows of a tree by path, in which list indices and the keys of a map are `*`."""
    groups: dict[str, list[Row]] = {}
    for path_pattern, row in _rows(tree, "$", "", {}, ()):
        groups.setdefault(path_pattern, []).append(row)
    return groups


def _row(path: str, fields: Fields, outer_fields: Fields, keys: Sequence[str]) -> Row:
    trail = {f"@{place}": key for place, key in enumerate(reversed(keys[-_MAX_KEYS:]), 1)}
    return Row(path, {**outer_fields, **trail, **fields})


def _rows(node: Node, path_pattern: str, path: str, outer_fields: Fields, keys: tuple[str, ...]) -> Iterator[tuple[str, Row]]:
    """The rows in a node, each with its path."""
    if isinstance(node, dict):
        yield from _rows_of_object(node, path_pattern, path, outer_fields, keys)
    for place, item in enumerate(node) if isinstance(node, list) else ():
        below, here = f"{path_pattern}.*", f"{path}[{place}]"
        if isinstance(item, str):
            yield below, _row(here, {"text": item}, outer_fields, keys)
        elif isinstance(item, list) and item and all(isinstance(text, str) for text in item):
            yield below, _row(here, {str(nth): text for nth, text in enumerate(item, 1)}, outer_fields, keys)
        else:
            yield from _rows(item, below, here, outer_fields, keys)


def _rows_of_object(
    node: Mapping[str, Node], path_pattern: str, path: str, outer_fields: Fields, keys: tuple[str, ...]
) -> Iterator[tuple[str, Row]]:
    if pairs := _pairs(node):
        for key, own in pairs:
            above = (*keys, key) if "text" in own else keys
            yield f"{path_pattern}.*", _row(f"{path}[{key[:40]}]", own, outer_fields, above)
        return
    if _is_map(node):
        for key, value in node.items():
            yield from _rows(value, f"{path_pattern}.*", f"{path}[{key}]", outer_fields, (*keys, key))
        return
    own = dict(flatten(node))
    if own:
        yield path_pattern, _row(path, own, outer_fields, keys)
    below = {**outer_fields, **{f"^{name.lstrip('^')}": value for name, value in own.items()}}
    for key, value in node.items():
        by_language = isinstance(value, dict) and language_named(key)
        if isinstance(value, list | dict) and not isinstance(value, RepeatedValues) and not by_language:
            yield from _rows(value, f"{path_pattern}.{key}", f"{path}.{key}".lstrip("."), below, (*keys, key))


def _pairs(node: Mapping[str, Node]) -> list[tuple[str, Fields]]:
    """The rows of an object whose names are questions or ids of texts; empty for any other object."""
    if not node or not all(isinstance(value, str) for value in node.values()):
        return []
    asking = sum(bool(_QUESTION_END.search(key)) for key in node)
    if 2 * asking >= len(node):
        return [(key, {"question": key, "answer": value}) for key, value in node.items()]
    if 2 * sum(has_mark(value, "question") for value in node.values()) > len(node):
        return [(key, {"text": value}) for key, value in node.items()]
    texts = sum(len(value) > 20 for value in node.values())
    if len(node) > 1 and all(_is_key(key) for key in node) and 2 * texts > len(node):
        return [(key, {"text": value}) for key, value in node.items()]
    return []


def _is_key(key: str) -> bool:
    """Whether a name is a number, a date or a code instead of a word."""
    return bool(_KEYLIKE.fullmatch(key)) and any(character.isdigit() for character in key)


def _is_map(node: Mapping[str, Node]) -> bool:
    """Whether the names of an object are values, because its members are all of one kind."""
    values = [value for value in node.values() if value not in (None, "", [], {})]
    if not values or not all(isinstance(value, dict | list) and not isinstance(value, RepeatedValues) for value in values):
        return False
    if all(_is_key(key) for key in node):
        return True
    if all(map(language_named, node)):
        return all(isinstance(value, list) for value in values)
    if any(role_certainty(role, key) >= 0.6 for role in ("question", "answer") for key in node):
        return False
    return len(values) > 1 and _have_common_names(values)


def _have_common_names(values: Sequence[Node]) -> bool:
    kinds = [_kind(value) for value in values]
    first = kinds[0]
    return all(len(first & other) >= _MIN_COMMON_NAMES * max(1, min(len(first), len(other))) for other in kinds[1:])


def _kind(value: Node) -> frozenset[str]:
    """The names of an object, or of the first object of a list."""
    if isinstance(value, list):
        return _kind(value[0]) | {"[]"} if value else frozenset({"[]"})
    if isinstance(value, dict):
        if value and all(_is_key(key) for key in value):  # a map: its members decide
            return _kind(next(iter(value.values()))) | {"{}"}
        return frozenset({"?"}) if _pairs(value) else frozenset(value)
    return frozenset({"text"})


def flatten(node: Mapping[str, Node], before: str = "") -> Iterator[tuple[str, Value]]:
    """The values of an object by name, those of nested objects as `card.name`; a list of texts is a tuple."""
    for key, value in node.items():
        name = f"{before}{key}"
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, RepeatedValues):
            yield name, RepeatedNames(item for item in value if isinstance(item, str))
        elif isinstance(value, dict) and not _is_map(value) and len(before) < 200:
            yield from flatten(value, f"{name}.")
        elif isinstance(value, list) and value:
            yield from _list_columns(name, value)


def _list_columns(name: str, values: Sequence[Node]) -> Iterator[tuple[str, Value]]:
    if all(isinstance(value, str) for value in values):
        yield name, tuple(values)
        return
    columns: dict[str, list[str]] = {}
    for value in values:
        for inner, inner_value in value.items() if isinstance(value, dict) else ():
            if isinstance(inner_value, str) and any(role_certainty(role, inner) for role in _OF_CARDS):
                columns.setdefault(inner, []).append(inner_value)
    yield from ((f"{name}.{inner}", tuple(column)) for inner, column in columns.items())
