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
from ontology.store.knowledge import Knowledge
from search.encode.choice import encoder
from search.encode.encoder import SHIPPED, Encoder, Vectors
from search.index import arrays
from search.index.field import Field
from search.index.passages import Passage

FILE, KEYS, ROWS, MODEL = "vectors.npy", "keys.npy", "vector_rows.npy", "model"


@dataclass(frozen=True, slots=True)
class EncoderInfo:
    """Which encoder made the vectors of an index."""

    name: str
    digest: str  # SHA-256 (64 hex)
    dimensions: int


def write(folder: Path, passages: Sequence[Passage], made_by: Encoder, before: Path | None = None) -> dict[str, Any]:
    """Writes the vectors of the passages that have one, which are the first; gives what the header says of them.

    `before` is the index of the bundle before: what it has of the same encoder is taken over.
    """
    own = [one.text for one in passages if one.field != Field.CONTEXT]
    row = {text: place for place, text in enumerate(dict.fromkeys(own))}  # editions repeat each other
    texts = list(row)
    keys = [_key(text) for text in texts]
    known, old = _known(before, made_by)
    rows = np.zeros((len(texts), made_by.dimensions), dtype=np.float16)
    there = [place for place, key in enumerate(keys) if key in known]
    rows[there] = old[[known[keys[place]] for place in there]]
    fresh = [place for place, key in enumerate(keys) if key not in known]
    rows[fresh] = made_by.encode([texts[place] for place in fresh])
    arrays.save(folder / FILE, rows)
    arrays.save(folder / KEYS, np.array(keys, dtype=np.uint64))
    arrays.save(folder / ROWS, np.array([row[text] for text in own], dtype=np.int32))
    return asdict(EncoderInfo(made_by.name, made_by.digest, made_by.dimensions))


def _key(text: str) -> int:
    """Tells a text from all others."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _known(before: Path | None, made_by: Encoder) -> tuple[dict[int, int], Vectors]:
    """Key of a text → its row in the vectors of another index; none where those were made by another encoder, or are damaged."""
    none: tuple[dict[int, int], Vectors] = {}, np.zeros((0, made_by.dimensions), dtype=np.float32)
    if before is None:
        return none
    try:
        digest = json.loads((before / "index.json").read_text(encoding="utf-8"))["model"]["digest"]
        keys, vectors = arrays.load(before / KEYS).tolist(), arrays.load(before / FILE)
    except (OSError, ValueError, LookupError, TypeError):
        return none
    fits = digest == made_by.digest and vectors.shape == (len(keys), made_by.dimensions)
    return ({key: row for row, key in enumerate(keys)}, vectors) if fits else none


def read(folder: Path) -> tuple[Vectors, NDArray[np.int32]]:
    """Vectors, shape (texts, dimensions), of unit length or zero, and the vector of each passage that has one.

    They lie on disk in half precision, which processors do not reckon with.
    """
    vectors = arrays.load(folder / FILE)
    rows = arrays.load(folder / ROWS) if (folder / ROWS).exists() else np.arange(len(vectors), dtype=np.int32)
    return vectors.astype(np.float32), rows


def train(folder: Path, knowledge: Knowledge) -> bool:
    """Trains the shipped model on, into a folder, where enough is loaded in two languages; gives whether it did."""
    from search.train.extend import FEWEST, parallel, train_on

    pairs = parallel(knowledge.records())
    if len(pairs) >= FEWEST:
        train_on(SHIPPED, pairs, folder)
    return len(pairs) >= FEWEST


def of_bundle(index: Path | None) -> Encoder:
    """The encoder for an index: one that a setting names, else one trained for it, else the shipped one."""
    own = index / MODEL if index else None
    return encoder(own if own and own.is_dir() else None)


def fitting(index: Path, made: EncoderInfo) -> Encoder:
    """The encoder of an index. Raises EnvironmentFault where it is not the one that made its vectors."""
    found = of_bundle(index)
    if found.digest != made.digest:
        raise EnvironmentFault(
            "the index was made with the model {made} ({made_digest}), asked for is {asked} ({asked_digest});"
            " run: rulestone build, or unset RULESTONE_MODEL",
            made=made.name,
            made_digest=made.digest[:12],
            asked=found.name,
            asked_digest=found.digest[:12],
        )
    return found
