"""Cosines from packed vectors are those of plain ones."""

from pathlib import Path

import numpy as np

from search.encode.cache import levels_of
from search.encode.encoder import Vectors
from search.index import arrays, vectors
from search.index.cosines import Packed, packed, runs


def _directions(count: int, dimensions: int, seed: int = 7) -> Vectors:
    directions = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return directions


def test_packed_vectors_give_the_same_cosines() -> None:
    plain = _directions(500, 96)
    plain[3] = 0
    cosines = Packed(packed(plain)).cosines(plain[0])
    assert cosines.dtype == np.float32
    assert cosines.shape == (500,)
    assert np.abs(cosines - np.maximum(plain @ plain[0], 0)).max() < 1.2e-2
    assert cosines[3] == 0
    assert cosines.argmax() == 0


def test_a_question_without_any_known_word_is_near_to_nothing() -> None:
    assert not Packed(packed(_directions(50, 96))).cosines(np.zeros(96, dtype=np.float32)).any()


def test_no_vector_at_all_is_near_to_nothing() -> None:
    assert Packed(np.zeros((0, 96), dtype=np.int8)).cosines(_directions(1, 96)[0]).shape == (0,)


def test_the_mean_is_that_of_unit_vectors() -> None:
    plain = _directions(9000, 8, seed=8)
    levels = levels_of(np.vstack([plain, np.zeros((50, 8), np.float32)]))
    assert np.abs(Packed(levels).mean() - plain.mean(axis=0)).max() < 1e-3


def test_an_index_of_a_former_version_has_its_vectors_in_half_precision(tmp_path: Path) -> None:
    plain = _directions(5000, 16)
    arrays.save(tmp_path / vectors.FILE, plain.astype(np.float16))
    arrays.save(tmp_path / vectors.ROWS, np.arange(5000, dtype=np.int32))
    near, rows = vectors.read(tmp_path)
    assert np.abs(near.cosines(plain[9]) - np.maximum(plain @ plain[9], 0)).max() < 1.2e-2
    assert len(rows) == len(near)


def test_some_alone_have_the_cosines_that_they_have_among_all() -> None:
    plain = _directions(2000, 16)
    rows = np.array([3, 4, 5, 900, 901, 1999, 4], dtype=np.int32)
    whole, some = Packed(packed(plain)).cosines(plain[0]), Packed(packed(plain)).cosines(plain[0], runs(rows))
    assert len(runs(rows)) == 3
    assert (some[rows] == whole[rows]).all()
    assert not some[6:900].any()
    assert not Packed(packed(plain)).cosines(plain[0], runs(rows[:0])).any()
