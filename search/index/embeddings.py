"""The embeddings of an index: static vectors of all texts and sentence embeddings of some, as int8 codes in memory-mapped files.

Cosines are computed on the codes, straight from the file. SimSIMD multiplies int8 values as the processor can; NumPy would convert
them to 32 bits first, which takes longer than the sums, and BLAS would start threads that compete for busy cores. Reading the file
dominates the time, and int8 codes are half as long as half-precision floats.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import simsimd
from numpy.typing import NDArray

from corpus.errors import EnvironmentFault
from corpus.words.tokens import words
from search.encode.cache import KEY_BYTES, Codes, VectorCache, dequantise, quantise, text_key
from search.encode.choice import configured_encoder
from search.encode.encoder import Encoder, StaticEncoder, TokenIds, Vectors
from search.encode.pretrained import PretrainedEncoder
from search.index import arrays
from search.index.passages import Passage
from search.settings import Field

STATIC_FILE, STATIC_KEYS, STATIC_ROWS = "vectors.npy", "keys.npy", "vector_rows.npy"
SENTENCE_FILE, SENTENCE_ROWS = "sentences.npy", "sentence_rows.npy"
SENTENCE_FIELDS = (Field.TEXT, Field.GLOSS)
"""The fields with a sentence embedding; questions are matched by BM25 and static vectors only."""
GLOSS_LANGS = ("en",)
"""The languages whose glosses have a sentence embedding: the encoder is multilingual, so one is enough."""
MIN_ENCODED_SHARE = 0.9
"""Minimum share of the rules of a game with a sentence embedding: below it, none is used, since the other rules would lose."""
_MAX_GAP = 64
"""Unneeded rows between needed ones that are read instead of skipped."""
_ROWS_AT_ONCE = 4096
_TEXTS_AT_ONCE = 256
"""Number of texts that are encoded between writes; an interrupted run loses at most these."""
NO_KEY = bytes(KEY_BYTES)
"""The key of a passage without a sentence embedding."""
Keys = NDArray[np.uint64]
"""Keys of texts, see `static_key`; shape (passages,)."""
Progress = Callable[[int, int, str], None]
"""Receives the number of texts done, the number of all texts, and the name of the step."""


class Int8Vectors:
    """Vectors as int8 codes, each scaled so that its greatest component is 127."""

    def __init__(self, codes: Codes) -> None:
        """`codes`: shape (vectors, dimensions), usually memory-mapped; a zero row means no vector."""
        self.codes = codes
        self._inverse_norms = _inverse_norms(codes)

    def __len__(self) -> int:
        return len(self.codes)

    def cosines_to(self, vector: Vectors, rows: Sequence[slice] | None = None) -> NDArray[np.float32]:
        """Cosines with a vector of unit length, shape (vectors,).

        They are 0 instead of negative, for zero vectors and outside `rows`.
        """
        query = quantise(vector[None])
        products = np.zeros(len(self), dtype=np.float32)
        for run in (slice(0, len(self)),) if rows is None else rows:
            codes = self.codes[run]
            if len(codes):
                products[run] = np.asarray(simsimd.cdist(query, codes, metric="dot", out_dtype="float32"))[0]
        products *= self._inverse_norms
        products *= _inverse_norms(query)
        positive: NDArray[np.float32] = np.maximum(products, 0, out=products)
        return positive

    def rows(self, rows: Sequence[int]) -> Vectors:
        """Some of the vectors, of unit length, shape (len(rows), dimensions)."""
        return dequantise(np.asarray(self.codes[rows]))

    def mean_vector(self) -> NDArray[np.float32]:
        """Mean of the nonzero unit vectors, shape (dimensions,)."""
        total, count = np.zeros(self.codes.shape[1]), 0
        for first in range(0, len(self), _ROWS_AT_ONCE):
            vectors = dequantise(self.codes[first : first + _ROWS_AT_ONCE])
            total += vectors.sum(axis=0)
            count += int(vectors.any(axis=1).sum())
        average: NDArray[np.float32] = (total / max(count, 1)).astype(np.float32)
        return average


def _inverse_norms(codes: Codes) -> NDArray[np.float32]:
    """One over the length of each vector, shape (vectors,); 0 for zeros."""
    squares = np.array(simsimd.dot(codes, codes), dtype=np.float64).reshape(-1) if len(codes) else np.zeros(0)
    inverse: NDArray[np.float32] = np.divide(1, np.sqrt(squares), where=squares > 0, out=np.zeros_like(squares)).astype(np.float32)
    return inverse


def row_slices(rows: NDArray[np.int32]) -> tuple[slice, ...]:
    """A few slices that contain some rows and little else."""
    distinct = np.unique(rows)
    cuts = np.flatnonzero(np.diff(distinct) > _MAX_GAP) + 1
    return tuple(slice(int(run[0]), int(run[-1]) + 1) for run in np.split(distinct, cuts) if len(run))


def quantise_rows(vectors: Vectors) -> Codes:
    """The int8 codes of many vectors, of unit length or zero, without a single-precision copy of all of them."""
    codes = np.zeros(vectors.shape, dtype=np.int8)
    for first in range(0, len(vectors), _ROWS_AT_ONCE):
        codes[first : first + _ROWS_AT_ONCE] = quantise(vectors[first : first + _ROWS_AT_ONCE].astype(np.float32))
    return codes


@dataclass(frozen=True, slots=True)
class EncoderInfo:
    """The encoder that made the static vectors of an index."""

    name: str
    sha256: str  # of its files, 64 hex digits
    dimensions: int

    @classmethod
    def from_header(cls, header: Mapping[str, Any]) -> "EncoderInfo":
        """Reads what `StaticVectorBuilder.write` returned."""
        return cls(header["name"], header["digest"], header["dimensions"])


class StaticVectorBuilder:
    """Computes and writes the static vectors of the passages that have one; these precede the others.

    Tokenizing a text takes most of the time. The tokenizer of the index finds the tokens as a by-product and adds them here.
    """

    def __init__(self, passages: Iterable[Passage], made_by: Encoder, before: Path | None = None) -> None:
        """`before` is the index of the previous bundle; vectors by the same encoder are reused."""
        self._made_by = made_by
        self._texts = {static_key(passage): passage.text for passage in passages if passage.field != Field.CONTEXT}
        self._old_keys, self._old_codes = _reusable_rows(before, made_by)
        keys = np.array([*self._texts], dtype=np.uint64)
        self._new = keys[~np.isin(keys, self._old_keys)]
        self.model = made_by if isinstance(made_by, StaticEncoder) else None
        self._untokenized = {self._texts[key] for key in self._new.tolist()} if self.model else set()
        self._token_ids: dict[str, TokenIds] = {}

    def needs_tokens(self, text: str) -> bool:
        """Whether the tokens of a text are still missing."""
        return text in self._untokenized

    def add_tokens(self, text: str, ids: TokenIds) -> None:
        """Adds the tokens of a text. Two games may add the same text."""
        self._untokenized.discard(text)
        self._token_ids[text] = ids

    def write(self, folder: Path, keys: Keys) -> dict[str, Any]:
        """Writes the vectors of the texts with some keys (`static_key`), and returns their entry in the header of the index.

        Each text must be one of `passages` or have a vector in `before`.
        """
        distinct, first, places = np.unique(keys, return_index=True, return_inverse=True)  # editions repeat the same texts
        order = np.argsort(first)
        distinct, rows = distinct[order], np.argsort(order)[places]
        cached_keys, both = np.concatenate([self._old_keys, self._new]), (self._old_codes, quantise_rows(self._new_vectors()))
        sorter = np.argsort(cached_keys)
        at = sorter[np.searchsorted(cached_keys, distinct, sorter=sorter)] if len(cached_keys) else np.zeros(0, dtype=np.intp)
        codes = np.zeros((len(distinct), self._made_by.dimensions), dtype=np.int8)
        is_old = at < len(self._old_keys)
        codes[is_old], codes[~is_old] = both[0][at[is_old]], both[1][at[~is_old] - len(self._old_keys)]
        arrays.save(folder / STATIC_FILE, codes)
        arrays.save(folder / STATIC_KEYS, distinct)
        arrays.save(folder / STATIC_ROWS, rows.astype(np.int32))
        return {"name": self._made_by.name, "digest": self._made_by.sha256, "dimensions": self._made_by.dimensions}

    def _new_vectors(self) -> Vectors:
        texts = [self._texts[key] for key in self._new.tolist()]
        if not self.model:
            return self._made_by.encode(texts)
        for text in self._untokenized.copy():
            self.add_tokens(text, self.model.token_ids(words(text)))
        return self.model.encode_tokens([self._token_ids[text] for text in texts]).astype(np.float16).astype(np.float32)


def static_key(passage: Passage) -> int:
    """A 64-bit hash of the text of a passage; another one for a text without a static vector, whose lines are split one by one."""
    salt = b"lines" if passage.field == Field.CONTEXT else b""
    return int.from_bytes(blake2b(passage.text.encode(), digest_size=8, salt=salt).digest(), "little")


def static_keys(passages: Iterable[Passage]) -> Keys:
    """The keys of the passages that have a static vector."""
    return np.array([static_key(passage) for passage in passages if passage.field != Field.CONTEXT], dtype=np.uint64)


def has_static_vectors(folder: Path, made_by: Encoder) -> bool:
    """Whether an index has static vectors by an encoder."""
    return len(_reusable_rows(folder, made_by)[0]) > 0


def _reusable_rows(before: Path | None, made_by: Encoder) -> tuple[Keys, Codes]:
    """The keys of the texts and the codes of another index; none if they are by another encoder or damaged."""
    none: tuple[Keys, Codes] = np.zeros(0, dtype=np.uint64), np.zeros((0, made_by.dimensions), dtype=np.int8)
    if before is None:
        return none
    try:
        sha256 = json.loads((before / "index.json").read_text(encoding="utf-8"))["model"]["digest"]
        keys, codes = arrays.load(before / STATIC_KEYS), arrays.load(before / STATIC_FILE)
    except (OSError, ValueError, LookupError, TypeError):
        return none
    fits = sha256 == made_by.sha256 and codes.dtype == np.int8 and codes.shape == (len(keys), made_by.dimensions)
    return (keys, codes) if fits else none


def read_static(folder: Path) -> tuple[Int8Vectors, NDArray[np.int32]]:
    """The static vectors of an index, and the row of each passage that has one."""
    return Int8Vectors(arrays.load(folder / STATIC_FILE)), arrays.load(folder / STATIC_ROWS)


def matching_encoder(made_by: EncoderInfo) -> Encoder:
    """The encoder of an index. Raises EnvironmentFault if it is not the encoder of the vectors."""
    own = configured_encoder()
    if own.sha256 != made_by.sha256:
        raise EnvironmentFault(
            "the index was built with the model {made} ({made_digest}), not with {asked} ({asked_digest}); "
            "rebuild the index, or unset RULESTONE_MODEL",
            made=made_by.name,
            made_digest=made_by.sha256[:12],
            asked=own.name,
            asked_digest=own.sha256[:12],
            command="rulestone build",
        )
    return own


@dataclass(frozen=True, slots=True)
class SentenceInfo:
    """The encoder of the sentence embeddings of an index, and the number of texts that have one."""

    sha256: str  # of the encoder, 64 hex digits
    encoded: int
    total: int

    @property
    def is_usable(self) -> bool:
        """Whether nearly all texts have one."""
        return self.encoded > 0 and self.encoded >= MIN_ENCODED_SHARE * self.total

    @classmethod
    def from_header(cls, header: Mapping[str, Any] | None) -> "SentenceInfo | None":
        """Reads what `write_sentences` returned; None for None."""
        return cls(header["digest"], header["encoded"], header["total"]) if header else None


class SentenceEmbeddings(NamedTuple):
    """The sentence embeddings of an index: the passage of each, ascending, shape (vectors,), and the vectors."""

    passages: NDArray[np.int32]
    vectors: Int8Vectors


def passage_text(passage: Passage) -> str:
    """The text that is encoded for a passage: the titles above it, then its words."""
    return f"{passage.title}: {passage.text}" if passage.title else passage.text


def texts_to_encode(passages: Sequence[Passage]) -> dict[str, str]:
    """Cache key → text to encode, for the passages that have a sentence embedding."""
    return {cache_key(passage): passage_text(passage) for passage in passages if _has_text_to_encode(passage)}


def cache_key(passage: Passage) -> str:
    """The text under which a sentence embedding is cached, empty without one: a gloss without the titles above it.

    These depend on the loaded books.
    """
    if not _has_text_to_encode(passage):
        return ""
    return passage_text(passage) if passage.field == Field.TEXT else passage.text


def _has_text_to_encode(passage: Passage) -> bool:
    return passage.field == Field.TEXT or (passage.field == Field.GLOSS and passage.lang in GLOSS_LANGS)


def encode_missing(texts: Mapping[str, str], encoder: PretrainedEncoder, cache: VectorCache, progress: Progress) -> int:
    """Encodes the texts that the cache lacks and returns their number. Concurrent processes share the work."""
    missing = sorted(cache.missing_texts(texts), key=lambda text: len(texts[text]))
    count = 0
    for first in range(0, len(missing), _TEXTS_AT_ONCE):
        progress(first, len(missing), "encoding")
        with cache.locked_file():
            chunk = cache.missing_texts(missing[first : first + _TEXTS_AT_ONCE])
            if chunk:
                cache.add(chunk, encoder.encode([texts[text] for text in chunk]))
        count += len(chunk)
    return count


def write_sentences(folder: Path, passages: Sequence[Passage], cache: VectorCache) -> dict[str, Any]:
    """Writes the cached sentence embeddings and returns their entry in the header of the index."""
    texts = [cache_key(passage) for passage in passages if passage.field in SENTENCE_FIELDS]
    return write_sentence_keys(folder, [text_key(text) if text else NO_KEY for text in texts], cache)


def write_sentence_keys(folder: Path, keys: Sequence[bytes], cache: VectorCache) -> dict[str, Any]:
    """The same from the keys of the texts (`text_key`), NO_KEY for a passage without a sentence embedding."""
    rows, codes = cache.codes_by_key(keys)
    arrays.save(folder / SENTENCE_ROWS, rows)
    arrays.save(folder / SENTENCE_FILE, codes)
    return {"digest": cache.sha256, "encoded": len(rows), "total": sum(key != NO_KEY for key in keys)}


def read_sentences(folder: Path) -> SentenceEmbeddings:
    """The sentence embeddings of an index."""
    return SentenceEmbeddings(arrays.load(folder / SENTENCE_ROWS), Int8Vectors(arrays.load(folder / SENTENCE_FILE)))
