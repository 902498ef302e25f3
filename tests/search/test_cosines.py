"""Cosines from packed vectors are those of plain ones."""

import numpy as np
import pytest

from search.encode.cache import levels_of
from search.index.cosines import cosines, mean


@pytest.mark.parametrize(("pack", "near"), [("half", 2e-3), ("levels", 1.2e-2)])
def test_packed_vectors_give_the_same_cosines(pack: str, near: float) -> None:
    random = np.random.default_rng(7)
    plain = random.normal(size=(500, 96)).astype(np.float32)
    plain[3] = 0
    plain /= np.maximum(np.linalg.norm(plain, axis=1, keepdims=True), 1e-9)
    packed = plain.astype(np.float16) if pack == "half" else levels_of(plain)
    found = cosines(packed, plain[0])
    assert found.dtype == np.float32
    assert found.shape == (500,)
    assert np.abs(found - np.maximum(plain @ plain[0], 0)).max() < near
    assert found[3] == 0
    assert found.argmax() == 0


def test_the_mean_is_that_of_unit_vectors() -> None:
    random = np.random.default_rng(8)
    plain = random.normal(size=(9000, 8)).astype(np.float32) + 1
    plain /= np.linalg.norm(plain, axis=1, keepdims=True)
    packed = levels_of(np.vstack([plain, np.zeros((50, 8), np.float32)]))
    assert np.abs(mean(packed) - plain.mean(axis=0)).max() < 1e-3
