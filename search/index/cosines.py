"""Cosines of very many vectors with one, straight from the file that they lie in: nothing is unpacked, no thread is started.

SimSIMD reckons with half precision and with 8 bits as processors can; NumPy would turn them into 32 bits first, which takes longer
than the sums, and BLAS starts threads that wait for each other where cores are busy.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.encode.cache import levels_of, unit
from search.encode.encoder import Vectors

_CHUNK = 4096
"""Vectors that are unpacked at once."""
Packed = NDArray[Any]
"""Vectors in half precision, of unit length or zero, or in 8 bits of any length; shape (vectors, dimensions)."""


def cosines(vectors: Packed, vector: Vectors) -> NDArray[np.float32]:
    """The cosine of each with one of unit length, shape (vectors,); 0 for the opposite and for zeros."""
    import simsimd

    if vectors.dtype == np.int8:
        found = 1 - np.asarray(simsimd.cdist(levels_of(vector[None]), vectors, metric="cosine"))
    else:
        found = np.asarray(simsimd.cdist(vector.astype(np.float16)[None], vectors, metric="dot"))
    positive: NDArray[np.float32] = np.maximum(found[0], 0).astype(np.float32)
    return positive


def mean(levels: Packed) -> NDArray[np.float32]:
    """The mean of the vectors of unit length that levels in 8 bits stand for, those of zeros left out; shape (dimensions,)."""
    total, count = np.zeros(levels.shape[1]), 0
    for first in range(0, len(levels), _CHUNK):
        vectors = unit(levels[first : first + _CHUNK])
        total += vectors.sum(axis=0)
        count += int(vectors.any(axis=1).sum())
    found: NDArray[np.float32] = (total / max(count, 1)).astype(np.float32)
    return found
