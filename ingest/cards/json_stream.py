"""The objects in a file of JSON, one after the other: those of a list, those under `data` as MTGJSON has them, or one alone."""

from collections.abc import Iterator
from typing import BinaryIO

from corpus.errors import InputError

_MARK = b"\xef\xbb\xbf"
DEPTH = 10_000
"""Brackets that are open at once, those in texts too: what is deeper is no file of cards, and would fill the memory."""


class _Counted:
    """A file that refuses to be read further where too many brackets are open."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._open = 0

    def read(self, size: int) -> bytes:
        """The next bytes. Raises InputError for what is nested too deep."""
        piece = self._file.read(size)
        self._open += piece.count(b"[") + piece.count(b"{") - piece.count(b"]") - piece.count(b"}")
        if self._open > DEPTH:
            raise InputError("has more than {most} levels inside one another", most=DEPTH)
        return piece


def parsed(file: BinaryIO) -> Iterator[object]:
    """The values in a file, which is read from its beginning. Raises InputError for what is not valid JSON."""
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
    """Where the objects are, told by the beginning of the file, or up to `data` in it."""
    import ijson

    for prefix, event, _ in ijson.parse(_from(file, first)):
        if not prefix and event != "start_map" and event != "map_key":
            return "listed" if event == "start_array" else "alone"
        if prefix == "data" and event in ("start_map", "start_array"):
            return "named" if event == "start_map" else "listed under data"
    return "alone"
