"""Vectors of texts that were encoded before: a text is encoded once, whatever editions have it and whenever the work is broken off.

One file for each encoder, only ever appended to: records of 32 bytes of key, a checksum of the rest and a byte for each dimension.
Several processes may read and append at once; a torn last record is cut off by the next who writes. A record that is damaged counts
as none: its text is encoded again.
"""

import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from corpus.store.home.disk import locked
from search.encode.encoder import Vectors

Levels = NDArray[np.int8]
_KEY = 32
_SHORT = 16
"""Bytes of a key that tell a text from all others."""
_LEVELS = 127


def record(dimensions: int) -> np.dtype[np.void]:
    """A vector as it lies in the file."""
    return np.dtype([("key", f"V{_KEY}"), ("check", "<u4"), ("levels", "i1", (dimensions,))])


def checks(rows: NDArray[np.void]) -> NDArray[np.uint32]:
    """The checksum (CRC-32 of key and levels) that each record must have, shape (records,)."""
    size, whole = rows.dtype.itemsize, memoryview(rows.tobytes())
    begin = rows.dtype.itemsize - rows.dtype["levels"].itemsize
    sums = (zlib.crc32(whole[at + begin : at + size], zlib.crc32(whole[at : at + _KEY])) for at in range(0, len(rows) * size, size))
    return np.fromiter(sums, dtype=np.uint32, count=len(rows))


class Kept(NamedTuple):
    """Vectors with what their texts are found by: keys, shape (texts, 16), and levels, shape (texts, dimensions)."""

    keys: NDArray[np.uint8]
    levels: Levels


def key(text: str) -> bytes:
    """What a text is found by: its SHA-256."""
    return sha256(text.encode()).digest()


def short_key(text: str) -> bytes:
    """The part of a key that is enough."""
    return key(text)[:_SHORT]


def levels_of(vectors: Vectors) -> Levels:
    """Vectors in 8 bits: the greatest figure of each is 127. Unit length gives them back."""
    greatest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True, initial=0), np.float32(1e-9))
    return np.asarray(np.round(vectors * (_LEVELS / greatest)), dtype=np.int8)


def unit(levels: Levels) -> Vectors:
    """The vectors of some levels, of unit length; zeros stay zeros."""
    vectors = levels.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    vectors /= np.where(lengths > 0, lengths, 1)
    return vectors


class VectorCache:
    """The vectors that one encoder made: those that ship, and those in a file, to which new ones are added."""

    def __init__(self, file: Path, digest: str, dimensions: int, shipped: Kept | None = None) -> None:
        """`digest` is that of the encoder; `shipped` are vectors of the same encoder."""
        self._file, self.digest, self.dimensions = file, digest, dimensions
        self._kind = record(dimensions)
        self._parts: list[Levels] = []
        self._places: dict[bytes, tuple[int, int]] = {}
        self._read = 0  # bytes of the file
        if shipped is not None:
            self._take(shipped.keys.tobytes(), _SHORT, shipped.levels)
        self.refresh()

    def __contains__(self, text: str) -> bool:
        return short_key(text) in self._places

    def _take(self, keys: bytes, size: int, levels: Levels) -> None:
        self._parts.append(levels)
        nth = len(self._parts) - 1
        for place in range(len(levels)):
            self._places[keys[place * size : place * size + _SHORT]] = (nth, place)

    def refresh(self) -> None:
        """Takes in what others have added to the file since."""
        size = self._file.stat().st_size if self._file.is_file() else 0
        whole = (size - self._read) // self._kind.itemsize
        if whole > 0:
            rows = np.memmap(self._file, self._kind, "r", self._read, (whole,))
            sound = rows["check"] == checks(rows)
            kept = rows if sound.all() else rows[sound]
            self._take(kept["key"].tobytes(), _KEY, kept["levels"])
            self._read += whole * self._kind.itemsize

    def missing(self, texts: Iterable[str]) -> list[str]:
        """The texts without a vector, each once."""
        return [text for text in dict.fromkeys(texts) if text not in self]

    def levels(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], Levels]:
        """Which of some texts have a vector, shape (found,), and their levels, shape (found, dimensions)."""
        places = [self._places.get(short_key(text)) if text else None for text in texts]
        there = [nth for nth, place in enumerate(places) if place]
        rows = np.zeros((len(there), self.dimensions), dtype=np.int8)
        for row, nth in zip(rows, there, strict=True):
            part, place = places[nth] or (0, 0)
            row[:] = self._parts[part][place]
        return np.array(there, dtype=np.int32), rows

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of some texts, shape (texts, dimensions), of unit length; zeros for those without."""
        there, levels = self.levels(texts)
        units = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        units[there] = unit(levels)
        return units

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Waits until no other process encodes for this file, then takes in what it has made."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with locked(self._file.with_suffix(".lock")):
            self.refresh()
            yield

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Keeps vectors: they are on disk when this returns. Call it inside `turn()`. Raises OSError where the disk refuses."""
        rows = np.zeros(len(texts), self._kind)
        rows["key"] = np.array([key(text) for text in texts], dtype=f"V{_KEY}")
        rows["levels"] = levels_of(vectors)
        rows["check"] = checks(rows)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab") as opened:
            self._append(opened, rows.tobytes())
        self.refresh()

    def _append(self, opened: IO[bytes], records: bytes) -> None:
        torn = opened.tell() % self._kind.itemsize
        if torn:
            opened.truncate(opened.tell() - torn)
        opened.write(records)
        opened.flush()
        os.fsync(opened.fileno())
