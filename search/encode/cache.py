"""Vectors of texts that were encoded before: a text is encoded once, whatever editions have it and whenever the work is broken off.

One file for each encoder, only ever appended to: records of 32 bytes of key, one single-precision scale and a byte for each
dimension. A torn last record is cut off by the next who writes.
"""

import os
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search.encode.encoder import Vectors

Records = NDArray[np.void]
_KEY = 32
_LEVELS = 127


def key(text: str) -> bytes:
    """What a text is found by: its SHA-256."""
    return sha256(text.encode()).digest()


class VectorCache:
    """The vectors that one encoder made, kept in files: those that ship are read, new ones are written to the last."""

    def __init__(self, file: Path, digest: str, dimensions: int, shipped: Iterable[Path] = ()) -> None:
        """`digest` is that of the encoder; `shipped` are files with vectors of the same encoder, which are only read."""
        self._file, self.digest = file, digest
        self._kind = np.dtype([("key", f"V{_KEY}"), ("scale", "<f4"), ("levels", "i1", (dimensions,))])
        self._parts = [self._read(path) for path in (*shipped, file)]
        self._places = {
            row.tobytes(): (part, place) for part, rows in enumerate(self._parts) for place, row in enumerate(rows["key"])
        }

    def __contains__(self, text: str) -> bool:
        return key(text) in self._places

    def _read(self, file: Path) -> Records:
        whole = file.stat().st_size // self._kind.itemsize if file.is_file() else 0
        return np.fromfile(file, self._kind, whole) if whole else np.zeros(0, self._kind)

    def missing(self, texts: Iterable[str]) -> list[str]:
        """The texts without a vector, each once."""
        return [text for text in dict.fromkeys(texts) if text not in self]

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The vectors of some texts, shape (texts, dimensions), of unit length; zeros for those without."""
        found = np.zeros((len(texts), self._kind["levels"].shape[0]), dtype=np.float32)
        for row, text in zip(found, texts, strict=True):
            if place := self._places.get(key(text)):
                record = self._parts[place[0]][place[1]]
                row[:] = record["levels"] * record["scale"]
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return np.divide(found, np.where(lengths > 0, lengths, 1), dtype=np.float32)

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Keeps vectors: they are on disk when this returns. Raises OSError where the disk refuses."""
        rows = np.zeros(len(texts), self._kind)
        rows["key"] = np.array([key(text) for text in texts], dtype=f"V{_KEY}")
        rows["scale"] = np.abs(vectors).max(axis=1) / _LEVELS
        rows["levels"] = np.round(vectors / np.maximum(rows["scale"], np.float32(1e-9))[:, None])
        self._append(rows)
        self._parts.append(rows)
        self._places |= {row.tobytes(): (len(self._parts) - 1, place) for place, row in enumerate(rows["key"])}

    def _append(self, rows: Records) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab") as opened:
            torn = opened.tell() % self._kind.itemsize
            if torn:
                opened.truncate(opened.tell() - torn)
            opened.write(rows.tobytes())
            opened.flush()
            os.fsync(opened.fileno())
