"""The vectors of an index: made by one encoder, whose name and digest stand beside them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import EnvironmentFault
from corpus.words.tokens import words
from ontology.knowledge import Knowledge
from search.encode.cache import Levels
from search.encode.choice import encoder
from search.encode.encoder import SHIPPED, Encoder, Places, StaticEncoder, Vectors
from search.index import arrays
from search.index.cosines import Packed, packed
from search.index.field import Field
from search.index.passages import Passage

FILE, KEYS, ROWS, MODEL = "vectors.npy", "keys.npy", "vector_rows.npy", "model"


@dataclass(frozen=True, slots=True)
class EncoderInfo:
    """Which encoder made the vectors of an index."""

    name: str
    digest: str  # SHA-256 (64 hex)
    dimensions: int


class Making:
    """The vectors of some passages, those that have one, which are the first.

    Whoever splits their texts into words meanwhile gives what a static vector is made of: finding that takes most of its time.
    """

    def __init__(self, passages: Sequence[Passage], made_by: Encoder, before: Path | None = None) -> None:
        """`before` is the index of the bundle before: what it has of the same encoder is taken over."""
        self._made_by = made_by
        self._own = [passage.text for passage in passages if passage.field != Field.CONTEXT]
        self._row = {text: place for place, text in enumerate(dict.fromkeys(self._own))}  # editions repeat each other
        self._keys = [_key(text) for text in self._row]
        self._known, self._old = _known(before, made_by)
        self._fresh = [text for text, key in zip(self._row, self._keys, strict=True) if key not in self._known]
        self.model = made_by if isinstance(made_by, StaticEncoder) else None
        self._lacking = set(self._fresh) if self.model else set()
        self._taken: dict[str, Places] = {}

    def lacks(self, text: str) -> bool:
        """Whether the tokens of a text are still to be found."""
        return text in self._lacking

    def take(self, text: str, places: Places) -> None:
        """Takes the places of the tokens of a text; two games may have the same text."""
        self._lacking.discard(text)
        self._taken[text] = places

    def write(self, folder: Path) -> dict[str, Any]:
        """Writes the vectors; gives what the header says of them."""
        rows = np.zeros((len(self._keys), self._made_by.dimensions), dtype=np.int8)
        there = [place for place, key in enumerate(self._keys) if key in self._known]
        rows[there] = self._old[[self._known[self._keys[place]] for place in there]]
        rows[[self._row[text] for text in self._fresh]] = packed(self._vectors())
        arrays.save(folder / FILE, rows)
        arrays.save(folder / KEYS, np.array(self._keys, dtype=np.uint64))
        arrays.save(folder / ROWS, np.array([self._row[text] for text in self._own], dtype=np.int32))
        return asdict(EncoderInfo(self._made_by.name, self._made_by.digest, self._made_by.dimensions))

    def _vectors(self) -> Vectors:
        """The vectors of the fresh texts, shape (texts, dimensions)."""
        if not self.model:
            return self._made_by.encode(self._fresh)
        for text in self._lacking.copy():
            self.take(text, self.model.known(words(text)))
        return self.model.summed([self._taken[text] for text in self._fresh]).astype(np.float16).astype(np.float32)


def _key(text: str) -> int:
    """Tells a text from all others."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _known(before: Path | None, made_by: Encoder) -> tuple[dict[int, int], Levels]:
    """Key of a text → its row in the vectors of another index; none where those were made by another encoder, or are damaged."""
    none: tuple[dict[int, int], Levels] = {}, np.zeros((0, made_by.dimensions), dtype=np.int8)
    if before is None:
        return none
    try:
        digest = json.loads((before / "index.json").read_text(encoding="utf-8"))["model"]["digest"]
        keys, vectors = arrays.load(before / KEYS).tolist(), _levels(before)
    except (OSError, ValueError, LookupError, TypeError):
        return none
    fits = digest == made_by.digest and vectors.shape == (len(keys), made_by.dimensions)
    return ({key: row for row, key in enumerate(keys)}, vectors) if fits else none


def read(folder: Path) -> tuple[Packed, NDArray[np.int32]]:
    """The vectors of the texts, and which of them each passage has that has one."""
    vectors = _levels(folder)
    rows = arrays.load(folder / ROWS) if (folder / ROWS).exists() else np.arange(len(vectors), dtype=np.int32)
    return Packed(vectors), rows


def _levels(folder: Path) -> Levels:
    """Vectors in 8 bits, shape (texts, dimensions); former versions wrote them in half precision."""
    levels = arrays.load(folder / FILE)
    return levels if levels.dtype == np.int8 else packed(levels)


def train(folder: Path, knowledge: Knowledge) -> bool:
    """Trains the shipped model on, into a folder, where enough is loaded in two languages; gives whether it did."""
    from search.train.extend import FEWEST, parallel, train_on

    editions = sorted((key for key, entry in knowledge.manifest.editions.items() if len(entry.languages) > 1), key=str)
    pairs = parallel(record for key in editions for record in knowledge.stored(key))
    if len(pairs) >= FEWEST:
        train_on(SHIPPED, pairs, folder)
    return len(pairs) >= FEWEST


def of_bundle(index: Path | None) -> Encoder:
    """The encoder for an index: one that a setting names, else one trained for it, else the shipped one."""
    own = index / MODEL if index else None
    return encoder(own if own and own.is_dir() else None)


def fitting(index: Path, made: EncoderInfo) -> Encoder:
    """The encoder of an index. Raises EnvironmentFault where it is not the one that made its vectors."""
    own = of_bundle(index)
    if own.digest != made.digest:
        raise EnvironmentFault(
            "the index was made with the model {made} ({made_digest}), asked for is {asked} ({asked_digest});"
            " run: rulestone build, or unset RULESTONE_MODEL",
            made=made.name,
            made_digest=made.digest[:12],
            asked=own.name,
            asked_digest=own.digest[:12],
        )
    return own
