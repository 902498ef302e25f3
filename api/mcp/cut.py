"""Bodies as short as a model should read them: lists are cut, and what was cut is said.

The size is that of the JSON in UTF-8: a token is about three bytes of it, in English and in Chinese alike.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from api.encoding import encode

BYTES_OF_A_TOKEN = 3
_FEWER = (20, 10, 5, 3, 2, 1, 0)
"""How many entries lists within the entries keep, tried in turn."""

_TOLD = 40
"""Bytes of `truncated` and `cursor`."""

Body = dict[str, Any]


class Cut(NamedTuple):
    """A body that fits, and what it left out."""

    body: Body
    truncated: bool  # anything was left out
    given: int  # entries of its own list


def cut(body: Mapping[str, Any], entries: str, tokens: int) -> Cut:
    """A body of about so many tokens at most: first the lists within its entries are cut, then there are fewer entries.

    There is always one entry, however long, if there was one.
    """
    most = tokens * BYTES_OF_A_TOKEN - _TOLD
    whole = dict(body)
    if _size(whole) <= most:
        return Cut(whole, False, len(whole[entries]))
    room = most - _size({**_shorter(whole, 0), entries: []})
    share = room // min(len(whole[entries]), 3)
    kept: list[Any] = []
    shortened = False
    for entry in whole[entries]:
        short = _fitting(entry, min(share, room))
        if kept and _size(short) > room:
            break
        shortened = shortened or short != entry
        kept.append(short)
        room -= _size(short) + 1
    others = {name: value if name == entries else _shorter(value, 0) for name, value in whole.items()}
    return Cut({**others, entries: kept}, shortened or len(kept) < len(whole[entries]) or others != whole, len(kept))


def _fitting(entry: Any, room: int) -> Any:  # noqa: ANN401
    """An entry with lists as long as there is room for."""
    short = entry
    for length in _FEWER:
        if _size(short) <= room:
            break
        short = _shorter(entry, length)
    return short


def _shorter(value: Any, length: int) -> Any:  # noqa: ANN401
    """A value with at most so many entries in every list."""
    if isinstance(value, dict):
        return {name: _shorter(inner, length) for name, inner in value.items()}
    if isinstance(value, list):
        return [_shorter(item, length) for item in value[:length]]
    return value


def _size(value: Any) -> int:  # noqa: ANN401
    return len(encode(value))
