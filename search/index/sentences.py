"""Sentence embeddings of an index: one vector for the words of a rule in each language, and one for its gloss in English.

They lie in the order of the passages, whose first fields are texts and glosses. The encoder puts what means the same in one place,
whatever the language: a gloss in one language leads to its rule from all. Questions are met by words and static vectors.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from search.encode.cache import VectorCache
from search.encode.encoder import Vectors
from search.encode.pretrained import PretrainedEncoder
from search.index import arrays
from search.index.field import Field
from search.index.passages import Passage

FILE = "sentences.npy"
FIELDS = (Field.TEXT, Field.GLOSS)
GLOSS = "en"
"""The language of the glosses that are encoded."""
_CHUNK = 256
"""Texts that are encoded before they are kept: what a broken-off run loses at most."""
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Made:
    """Which encoder made the sentence embeddings of an index, and how many there are of how many."""

    digest: str  # SHA-256 (64 hex)
    encoded: int
    total: int


def sentence(passage: Passage) -> str:
    """What is encoded of a passage: the titles above it, then its words."""
    return f"{passage.title}: {passage.text}" if passage.title else passage.text


def texts(passages: Sequence[Passage]) -> list[str]:
    """What is encoded of some passages, in their order; "" for those that have no vector."""
    return [sentence(passage) if _is_encoded(passage) else "" for passage in passages if passage.field in FIELDS]


def _is_encoded(passage: Passage) -> bool:
    return passage.field == Field.TEXT or passage.lang == GLOSS


def encode(wanted: Sequence[str], encoder: PretrainedEncoder, cache: VectorCache, progress: Progress) -> int:
    """Encodes what the cache lacks, piece by piece, and keeps it there; gives how many texts that were."""
    missing = sorted(cache.missing(filter(None, wanted)), key=len)
    for first in range(0, len(missing), _CHUNK):
        progress(first, len(missing), "encoding")
        chunk = missing[first : first + _CHUNK]
        cache.add(chunk, encoder.encode(chunk))
    return len(missing)


def write(folder: Path, passages: Sequence[Passage], cache: VectorCache) -> dict[str, Any]:
    """Writes the vectors that the cache has, zeros for the rest; gives what the header says of them."""
    wanted = texts(passages)
    vectors = cache.vectors(wanted)
    arrays.save(folder / FILE, vectors)
    return asdict(Made(cache.digest, int(vectors.any(axis=1).sum()), sum(map(bool, wanted))))


def read(folder: Path) -> Vectors:
    """Vectors, shape (texts and glosses, dimensions), of unit length or zero; memory-mapped."""
    return arrays.load(folder / FILE)
