"""The static model for phones: its vectors are quantised to few levels.

The step is the typical size of a row's numbers, so that most levels are -1, 0 or 1 and Brotli codes them in few bits; a larger
step changes the first hits. Rotated to principal directions and stored direction by direction, with two levels per letter, they
compress better.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from search.encode.encoder import Encoder, Vectors

_MAX, _SCALES = 4, 255
_LETTERS = "".join(chr(code) for code in range(ord("#"), ord("#") + (2 * _MAX + 1) ** 2 + 1) if chr(code) != "\\")
"""A letter for each pair of levels, without characters that JSON escapes."""


def quantised(encoder: "Encoder") -> dict[str, Any]:
    """Tokens, a scale for each, and their levels; empty for an encoder without a vocabulary.

    The levels are ordered by dimension, then token: two levels per letter, `#` for -4 and -4.
    """
    from search.encode.encoder import StaticEncoder

    if not isinstance(encoder, StaticEncoder):
        return {}
    tokens, rows = encoder.token_vectors()
    turned = _turned(rows)
    widths = np.maximum(turned.std(axis=1, keepdims=True), 1e-9)
    levels = np.clip(np.round(turned / widths), -_MAX, _MAX).astype(np.int8)
    scales = np.maximum(np.round(widths[:, 0] / widths.max() * _SCALES), 1).astype(np.int32)
    return {"tokens": "\n".join(tokens), "size": levels.shape[1], "levels": _letters(levels.T.ravel()), "scales": scales.tolist()}


def _letters(levels: "NDArray[np.int8]") -> str:
    """Two levels per letter; the size of a row is even."""
    first, second = (levels.reshape(-1, 2) + _MAX).T.astype(int)
    return "".join(_LETTERS[pair] for pair in (first * (2 * _MAX + 1) + second).tolist())


def _turned(rows: "Vectors") -> "Vectors":
    """Rows rotated to their principal directions, by descending variance; cosines do not change."""
    _, directions = np.linalg.eigh(rows.T @ rows)
    turned: Vectors = rows @ directions[:, ::-1]
    return turned
