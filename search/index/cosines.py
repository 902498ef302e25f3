"""Cosines of very many vectors with one, straight from the file that they lie in: nothing is unpacked, no thread is started.

SimSIMD reckons with 8 bits as processors can; NumPy would turn them into 32 bits first, which takes longer than the sums, and BLAS
starts threads that wait for each other where cores are busy. Reading the vectors is what takes time: 8 bits are half of 16.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from search.encode.cache import Levels, levels_of, unit
from search.encode.encoder import Vectors

_GAP = 64
"""So many vectors that are not asked for are read with those beside them."""
_CHUNK = 4096
"""Vectors that are unpacked at once."""


class Packed:
    """Vectors in 8 bits, each of the length that its greatest figure gives it; they stay where they are, on disk as a rule."""

    def __init__(self, levels: Levels) -> None:
        """`levels`: shape (vectors, dimensions); zeros stand for no direction."""
        self.levels = levels
        self._shares = _shares(levels)

    def __len__(self) -> int:
        return len(self.levels)

    def cosines(self, vector: Vectors, only: Sequence[slice] | None = None) -> NDArray[np.float32]:
        """The cosine of each with one of unit length, shape (vectors,); 0 for the opposite, for zeros and for all but `only`."""
        asked = levels_of(vector[None])
        products = np.zeros(len(self), dtype=np.float32)
        for run in (slice(0, len(self)),) if only is None else only:
            products[run] = self._products(asked, run)
        products *= self._shares
        products *= _shares(asked)
        positive: NDArray[np.float32] = np.maximum(products, 0, out=products)
        return positive

    def _products(self, asked: Levels, run: slice) -> NDArray[np.float32]:
        import simsimd

        levels = self.levels[run]
        return (
            np.asarray(simsimd.cdist(asked, levels, metric="dot", out_dtype="float32"))[0]
            if len(levels)
            else np.zeros(0, np.float32)
        )

    def of(self, rows: Sequence[int]) -> Vectors:
        """Some of them, of unit length."""
        return unit(np.asarray(self.levels[rows]))

    def mean(self) -> NDArray[np.float32]:
        """The mean of the vectors of unit length, those of zeros left out; shape (dimensions,)."""
        total, count = np.zeros(self.levels.shape[1]), 0
        for first in range(0, len(self), _CHUNK):
            vectors = unit(self.levels[first : first + _CHUNK])
            total += vectors.sum(axis=0)
            count += int(vectors.any(axis=1).sum())
        average: NDArray[np.float32] = (total / max(count, 1)).astype(np.float32)
        return average


def runs(rows: NDArray[np.int32]) -> tuple[slice, ...]:
    """Where some vectors lie, as few slices as may be."""
    there = np.unique(rows)
    cuts = np.flatnonzero(np.diff(there) > _GAP) + 1
    return tuple(slice(int(run[0]), int(run[-1]) + 1) for run in np.split(there, cuts) if len(run))


def packed(vectors: NDArray[np.float16] | Vectors) -> Levels:
    """Vectors of unit length, or zeros, in 8 bits."""
    levels = np.zeros(vectors.shape, dtype=np.int8)
    for first in range(0, len(vectors), _CHUNK):
        levels[first : first + _CHUNK] = levels_of(vectors[first : first + _CHUNK].astype(np.float32))
    return levels


def _shares(levels: Levels) -> NDArray[np.float32]:
    """What makes each vector one of unit length, shape (vectors,); 0 for zeros."""
    import simsimd

    squares = np.array(simsimd.dot(levels, levels), dtype=np.float64).reshape(-1) if len(levels) else np.zeros(0)
    shares: NDArray[np.float32] = np.divide(1, np.sqrt(squares), where=squares > 0, out=np.zeros_like(squares)).astype(np.float32)
    return shares
