"""Texts as vectors: the shipped model, read with NumPy alone, or any SentenceTransformer that a setting names."""

import json
from array import array
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corpus.errors import EnvironmentFault
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import Token
from search.encode.tokenizer import Tokenizer

Vectors = NDArray[np.float32]
Places: TypeAlias = "array[int]"
"""The places of the tokens of a text, each once."""
SHIPPED = Path(__file__).parents[1] / "data" / "model"
"""The model that ships; `make model` trains it."""
TOKENS, WEIGHTS, LABELS = "tokenizer.json", "model.safetensors", "labels.json"
ROWS = "embedding.weight"
_MANY = 256
"""Texts from which on one product of matrices is quicker; fewer must not wait for SciPy."""
UNKNOWN = "[UNK]"
"""The first token of a model, for all that it does not know; the shipped model gives it no direction."""


class Encoder(Protocol):
    """Turns texts of any language into vectors."""

    @property
    def name(self) -> str:
        """What it is called in the header of an index."""

    @property
    def digest(self) -> str:
        """SHA-256 (64 hex) of its files: vectors of two digests must not meet."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors, shape (texts, dimensions), of unit length; a text without any known token is all zeros."""


class StaticEncoder:
    """A vector for every token; that of a text is the direction of their sum. Thread-safe.

    Its folder is one of sentence-transformers (StaticEmbedding, Normalize), with the labels beside it: sentence-transformers
    gives the same vectors for `tokens` joined by spaces.
    """

    def __init__(self, folder: Path) -> None:
        """Raises EnvironmentFault for a folder that holds no such model."""
        try:
            self._rows: Vectors = _read_rows(folder / WEIGHTS)
            self._places: dict[str, int] = json.loads((folder / TOKENS).read_text(encoding="utf-8"))["model"]["vocab"]
            self.tokenize = Tokenizer(Lexicon.load(folder / LABELS))
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise EnvironmentFault(
                "{folder} holds no static model: {fault}; name another, or run: make model", folder=folder, fault=fault
            ) from fault
        self.folder, self.name = folder, f"static-{self.dimensions}"
        self.digest = digest_of(folder)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._rows.shape[1])

    @property
    def vocabulary(self) -> frozenset[str]:
        """The tokens it knows."""
        return frozenset(self._places)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors, shape (texts, dimensions), of unit length; a text without any known token is all zeros."""
        return self.summed([self._known(self.tokenize(text)) for text in texts])

    def known(self, words: Sequence[Token]) -> Places:
        """The places of the tokens of a text that was split into words, for `summed`; all unknown ones have one place."""
        return self._known(self.tokenize.of(words))

    def _known(self, tokens: Iterable[str]) -> Places:
        return array("i", dict.fromkeys(self._places.get(token, 0) for token in tokens))

    def summed(self, texts: Sequence[Places]) -> Vectors:
        """What `encode` gives, of the places of each text's tokens. Many are one product, which takes a tenth of the time."""
        if len(texts) >= _MANY:
            return _unit(_product(self._rows, texts))
        sums = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, places in zip(sums, texts, strict=True):
            self._rows[places].sum(axis=0, dtype=np.float32, out=row)
        return _unit(sums)

    def tokens(self, text: str) -> list[str]:
        """What the vector of a text is made of: its tokens, once each; all unknown ones are one."""
        return list(dict.fromkeys(token if token in self._places else UNKNOWN for token in self.tokenize(text)))

    def vectors(self) -> tuple[list[str], Vectors]:
        """The tokens it knows, UNKNOWN first, and their vectors, shape (tokens, dimensions)."""
        return list(self._places), self._rows.astype(np.float32)


def _product(rows: NDArray[np.floating], texts: Sequence[Places]) -> Vectors:
    """The sum of each text's rows, added in their order, shape (texts, dimensions)."""
    from scipy.sparse import csr_matrix

    begins = np.concatenate([[0], np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)))])
    used, places = np.unique(np.frombuffer(b"".join(texts), dtype=np.intc), return_inverse=True)
    ones = np.ones(len(places), dtype=np.float32)
    return np.asarray(csr_matrix((ones, places, begins), shape=(len(texts), len(used))) @ rows[used].astype(np.float32))


def _unit(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _read_rows(file: Path) -> Vectors:
    """The token vectors of a safetensors file, memory-mapped: 8 bytes length, JSON header, data (its documented format)."""
    with file.open("rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        fact = json.loads(opened.read(length))[ROWS]
    kind = {"F16": np.float16, "F32": np.float32}[fact["dtype"]]
    first = 8 + length + int(fact["data_offsets"][0])
    return np.memmap(file, dtype=kind, mode="r", offset=first, shape=tuple(fact["shape"])).view(np.ndarray)


def digest_of(folder: Path) -> str:
    """SHA-256 (64 hex) over the names and bytes of a folder's files."""
    whole = sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        whole.update(f"{file.relative_to(folder).as_posix()}\0{sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()
