"""The static model, small enough for a telephone: its vectors in few levels.

A level is as wide as the numbers of a row usually are, so that most are -1, 0 or 1 and Brotli codes them in few bits; with less the
first hits differ more from the server's (`python -m bench.offline`). Turned into their principal directions they take less room.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from search.encode.encoder import Encoder, Vectors

_MOST, _SCALES = 7, 255
_ZERO = ord("h")


def small(encoder: "Encoder") -> dict[str, Any]:
    """Tokens, a row of levels for each (a letter a level, `h` is 0) and its scale; nothing of an encoder without any."""
    from search.encode.encoder import StaticEncoder

    if not isinstance(encoder, StaticEncoder):
        return {}
    tokens, rows = encoder.vectors()
    turned = _turned(rows)
    widths = np.maximum(turned.std(axis=1, keepdims=True), 1e-9)
    levels = np.clip(np.round(turned / widths), -_MOST, _MOST).astype(np.int8)
    scales = np.maximum(np.round(widths[:, 0] / widths.max() * _SCALES), 1).astype(np.int32)
    letters = (levels + _ZERO).astype(np.uint8).tobytes().decode("ascii")
    return {"tokens": "\n".join(tokens), "size": levels.shape[1], "levels": letters, "scales": scales.tolist()}


def _turned(rows: "Vectors") -> "Vectors":
    """Rows along their principal directions, those along which they differ most first; no cosine changes."""
    _, directions = np.linalg.eigh(rows.T @ rows)
    turned: Vectors = rows @ directions[:, ::-1]
    return turned
