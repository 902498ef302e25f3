"""Sentence embeddings that outlive an index: a cache file for each encoder in a home, and the shipped embeddings of glosses."""

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
from search.settings import DATA

Codes = NDArray[np.int8]
"""Vectors as int8 codes, shape (vectors, dimensions): the greatest component of each is ±127; a zero row means no vector."""
SHIPPED_VECTORS = DATA / "glosses.safetensors"
"""The shipped embeddings; `make vectors` writes them."""
_SHIPPED_BY = "encoder"
_HASH, KEY_BYTES = 32, 16
"""Number of bytes of the SHA-256 of a text, and of its first half, which is the key."""
_MAX_CODE = 127


def quantise(vectors: Vectors) -> Codes:
    """The int8 codes of vectors; their lengths are lost."""
    greatest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True, initial=0), np.float32(1e-9))
    return np.asarray(np.round(vectors * (_MAX_CODE / greatest)), dtype=np.int8)


def dequantise(codes: Codes) -> Vectors:
    """The vectors of int8 codes, of unit length; zeros remain zeros."""
    vectors = codes.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    vectors /= np.where(lengths > 0, lengths, 1)
    return vectors


def text_key(text: str) -> bytes:
    """The key of a text, 16 bytes."""
    return _text_hash(text)[:KEY_BYTES]


def _text_hash(text: str) -> bytes:
    return sha256(text.encode()).digest()


class StoredVectors(NamedTuple):
    """Embeddings by text."""

    keys: NDArray[np.uint8]  # shape (texts, 16)
    codes: Codes  # shape (texts, dimensions)


class VectorCache:
    """The embeddings by one encoder: the shipped ones, and those in a file that grows.

    A record of the file is the SHA-256 of a text, a CRC-32 of the record, and the codes. Damaged records are ignored.
    """

    def __init__(self, file: Path, sha256: str, dimensions: int, shipped: StoredVectors | None = None) -> None:
        """`sha256` identifies the encoder; `shipped` are embeddings by the same encoder."""
        self._file, self.sha256, self.dimensions = file, sha256, dimensions
        self._record = np.dtype([("hash", f"V{_HASH}"), ("crc32", "<u4"), ("codes", "i1", (dimensions,))])
        self._parts: list[Codes] = []
        self._places: dict[bytes, tuple[int, int]] = {}  # key → part, row
        self._bytes_read = 0
        if shipped is not None:
            self._index(shipped.keys.tobytes(), KEY_BYTES, shipped.codes)
        self.read_new_records()

    def __contains__(self, text: str) -> bool:
        return text_key(text) in self._places

    def _index(self, keys: bytes, size: int, codes: Codes) -> None:
        self._parts.append(codes)
        part = len(self._parts) - 1
        for row in range(len(codes)):
            self._places[keys[row * size : row * size + KEY_BYTES]] = (part, row)

    def read_new_records(self) -> None:
        """Reads the records that other processes have added to the file."""
        size = self._file.stat().st_size if self._file.is_file() else 0
        count = (size - self._bytes_read) // self._record.itemsize
        if count > 0:
            records = np.memmap(self._file, self._record, "r", self._bytes_read, (count,))
            sound = records["crc32"] == _checksums(records)
            records = records if sound.all() else records[sound]
            self._index(records["hash"].tobytes(), _HASH, records["codes"])
            self._bytes_read += count * self._record.itemsize

    def missing_texts(self, texts: Iterable[str]) -> list[str]:
        """The distinct texts without an embedding."""
        return [text for text in dict.fromkeys(texts) if text not in self]

    def codes(self, texts: Sequence[str]) -> tuple[NDArray[np.int32], Codes]:
        """The positions of the texts that have an embedding, shape (found,), and their codes, shape (found, dimensions)."""
        return self.codes_by_key([text_key(text) if text else b"" for text in texts])

    def codes_by_key(self, keys: Sequence[bytes]) -> tuple[NDArray[np.int32], Codes]:
        """The same from the keys of the texts; other keys have none."""
        places = [self._places.get(key) for key in keys]
        positions = [position for position, place in enumerate(places) if place]
        codes = np.zeros((len(positions), self.dimensions), dtype=np.int8)
        for row, position in zip(codes, positions, strict=True):
            part, place = places[position] or (0, 0)
            row[:] = self._parts[part][place]
        return np.array(positions, dtype=np.int32), codes

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """The embeddings of texts, shape (texts, dimensions), of unit length; zeros for a text without one."""
        positions, codes = self.codes(texts)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        vectors[positions] = dequantise(codes)
        return vectors

    @contextmanager
    def locked_file(self) -> Iterator[None]:
        """Locks the file against other processes, then refreshes."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with locked(self._file.with_suffix(".lock")):
            self.read_new_records()
            yield

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Appends embeddings and syncs them to disk. Call it inside `locked_file()`. Raises OSError (disk full)."""
        records = np.zeros(len(texts), self._record)
        records["hash"] = np.array([_text_hash(text) for text in texts], dtype=f"V{_HASH}")
        records["codes"] = quantise(vectors)
        records["crc32"] = _checksums(records)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab") as file:
            self._append(file, records.tobytes())
        self.read_new_records()

    def _append(self, file: IO[bytes], records: bytes) -> None:
        """Cuts off a record that an interrupted process left incomplete, then appends."""
        incomplete = file.tell() % self._record.itemsize
        if incomplete:
            file.truncate(file.tell() - incomplete)
        file.write(records)
        file.flush()
        os.fsync(file.fileno())


def _checksums(records: NDArray[np.void]) -> NDArray[np.uint32]:
    """CRC-32 of the hash and the codes of each record, shape (records,)."""
    size, data = records.dtype.itemsize, memoryview(records.tobytes())
    begin = size - records.dtype["codes"].itemsize
    sums = (
        zlib.crc32(data[at + begin : at + size], zlib.crc32(data[at : at + _HASH])) for at in range(0, len(records) * size, size)
    )
    return np.fromiter(sums, dtype=np.uint32, count=len(records))


def shipped_by() -> str | None:
    """The SHA-256 of the encoder of the shipped embeddings; None if none are shipped."""
    if not SHIPPED_VECTORS.is_file():
        return None
    from safetensors import safe_open

    with safe_open(SHIPPED_VECTORS, framework="numpy") as file:
        return dict(file.metadata() or {}).get(_SHIPPED_BY) or ""


def shipped_vectors(sha256: str) -> StoredVectors | None:
    """The shipped embeddings; None unless they are by this encoder."""
    if shipped_by() != sha256:
        return None
    from safetensors.numpy import load_file

    tensors = load_file(SHIPPED_VECTORS)
    return StoredVectors(tensors["keys"], tensors["levels"])


def write_shipped_vectors(sha256: str, vectors: StoredVectors) -> None:
    """Writes the shipped embeddings, ordered by key: the same embeddings give the same bytes."""
    from safetensors.numpy import save_file

    order = np.lexsort(vectors.keys.T[::-1])
    tensors = {"keys": np.ascontiguousarray(vectors.keys[order]), "levels": np.ascontiguousarray(vectors.codes[order])}
    save_file(tensors, SHIPPED_VECTORS, {_SHIPPED_BY: sha256})
