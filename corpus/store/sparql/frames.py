"""The protocol between the two processes: frames of a kind, a length and bytes."""

import struct
from typing import BinaryIO

_HEAD = struct.Struct(">cI")
READY, QUESTION, DATA, END, FAULT = b"R", b"Q", b"D", b"E", b"F"
_PIECE = 1 << 16


def send(stream: BinaryIO, kind: bytes, data: bytes) -> None:
    """One frame; long DATA is split over several."""
    if kind == DATA:
        for start in range(0, len(data), _PIECE):
            _one(stream, kind, data[start : start + _PIECE])
        return
    _one(stream, kind, data)


def _one(stream: BinaryIO, kind: bytes, data: bytes) -> None:
    stream.write(_HEAD.pack(kind, len(data)) + data)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[bytes, bytes] | None:
    """The next frame; None at the end of the stream."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, length = _HEAD.unpack(head)
    data = stream.read(length)
    return (kind, data) if len(data) == length else None
