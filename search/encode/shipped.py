"""The vectors of the digest's glosses as they ship: 8 bits a dimension, of one encoder, whose digest stands in the file.

A safetensors file: `keys`, shape (texts, 16), the first half of each text's SHA-256, and `levels`, shape (texts, dimensions).
"""

from pathlib import Path

import numpy as np

from search.encode.cache import Kept

FILE = Path(__file__).parents[1] / "data" / "glosses.safetensors"
"""What ships; `make vectors` makes it."""
_DIGEST = "encoder"


def made_by() -> str | None:
    """The digest of the encoder that made what ships; None where nothing does."""
    return (_opened_metadata().get(_DIGEST) or "") if FILE.is_file() else None


def _opened_metadata() -> dict[str, str]:
    from safetensors import safe_open

    with safe_open(FILE, framework="numpy") as opened:
        return dict(opened.metadata() or {})


def read(digest: str) -> Kept | None:
    """What ships for an encoder; None where it was made by another one, or nothing ships."""
    if made_by() != digest:
        return None
    from safetensors.numpy import load_file

    tensors = load_file(FILE)
    return Kept(tensors["keys"], tensors["levels"])


def write(digest: str, kept: Kept) -> None:
    """Writes what ships, in the order of the keys: the same vectors give the same bytes."""
    from safetensors.numpy import save_file

    order = np.lexsort(kept.keys.T[::-1])
    tensors = {"keys": np.ascontiguousarray(kept.keys[order]), "levels": np.ascontiguousarray(kept.levels[order])}
    save_file(tensors, FILE, {_DIGEST: digest})
