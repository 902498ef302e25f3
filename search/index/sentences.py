"""Sentence embeddings of an index: one vector for the words of a rule in each language, and one for its gloss in English.

The encoder puts what means the same in one place, whatever the language: a gloss in one language leads to its rule from all.
Questions are met by words and static vectors.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from search.encode.cache import VectorCache
from search.encode.pretrained import PretrainedEncoder
from search.index import arrays
from search.index.cosines import Packed
from search.index.field import Field
from search.index.passages import Passage

FILE, ROWS = "sentences.npy", "sentence_rows.npy"
FIELDS = (Field.TEXT, Field.GLOSS)
GLOSSES = ("en",)
"""The languages of the glosses that are encoded."""
_CHUNK = 256
"""Texts that are encoded before they are kept: what a broken-off run loses at most."""
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Made:
    """Which encoder made the sentence embeddings of an index, and how many there are of how many."""

    digest: str  # SHA-256 (64 hex)
    encoded: int
    total: int


class Sentences(NamedTuple):
    """The sentence embeddings of an index: places of passages, ascending, shape (vectors,), and their vectors."""

    rows: NDArray[np.int32]
    vectors: Packed


def sentence(passage: Passage) -> str:
    """What is encoded of a passage: the titles above it, then its words."""
    return f"{passage.title}: {passage.text}" if passage.title else passage.text


def keys(passages: Sequence[Passage]) -> list[str]:
    """What the vector of each passage is kept by, in their order; "" for those that have none.

    A gloss is kept by its words alone: the titles above it are those of whichever book is loaded.
    """
    return [_key(passage) if _is_encoded(passage) else "" for passage in passages if passage.field in FIELDS]


def wanted(passages: Sequence[Passage]) -> dict[str, str]:
    """What is to be encoded of some passages, by what its vector is kept by."""
    return {_key(passage): sentence(passage) for passage in passages if _is_encoded(passage)}


def _key(passage: Passage) -> str:
    return sentence(passage) if passage.field == Field.TEXT else passage.text


def _is_encoded(passage: Passage) -> bool:
    return passage.field == Field.TEXT or (passage.field == Field.GLOSS and passage.lang in GLOSSES)


def encode(texts: Mapping[str, str], encoder: PretrainedEncoder, cache: VectorCache, progress: Progress) -> int:
    """Encodes what the cache lacks, piece by piece, and keeps it there; gives how many texts that were.

    Several processes take turns: what one has encoded, the others find.
    """
    missing = sorted(cache.missing(texts), key=lambda text: len(texts[text]))
    made = 0
    for first in range(0, len(missing), _CHUNK):
        progress(first, len(missing), "encoding")
        with cache.turn():
            chunk = cache.missing(missing[first : first + _CHUNK])
            if chunk:
                cache.add(chunk, encoder.encode([texts[text] for text in chunk]))
        made += len(chunk)
    return made


def write(folder: Path, passages: Sequence[Passage], cache: VectorCache) -> dict[str, Any]:
    """Writes the vectors that the cache has, in 8 bits; gives what the header says of them."""
    kept_by = keys(passages)
    rows, levels = cache.levels(kept_by)
    arrays.save(folder / ROWS, rows)
    arrays.save(folder / FILE, levels)
    return asdict(Made(cache.digest, len(rows), sum(map(bool, kept_by))))


def read(folder: Path) -> Sentences:
    """The sentence embeddings of an index; where no places stand beside them there is one for every passage."""
    vectors = arrays.load(folder / FILE)
    rows = arrays.load(folder / ROWS) if (folder / ROWS).exists() else np.arange(len(vectors), dtype=np.int32)
    return Sentences(rows, Packed(vectors))
