"""Cosines from packed vectors are those of plain ones."""

import numpy as np

from search.encode.cache import quantise
from search.encode.encoder import Vectors
from search.index.embeddings import Int8Vectors, quantise_rows, row_slices


def _directions(count: int, dimensions: int, seed: int = 7) -> Vectors:
    directions = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return directions


def test_packed_vectors_give_the_same_cosines() -> None:
    plain = _directions(500, 96)
    plain[3] = 0
    cosines = Int8Vectors(quantise_rows(plain)).cosines_to(plain[0])
    assert cosines.dtype == np.float32
    assert cosines.shape == (500,)
    assert np.abs(cosines - np.maximum(plain @ plain[0], 0)).max() < 1.2e-2
    assert cosines[3] == 0
    assert cosines.argmax() == 0


def test_a_question_without_any_known_word_is_near_to_nothing() -> None:
    assert not Int8Vectors(quantise_rows(_directions(50, 96))).cosines_to(np.zeros(96, dtype=np.float32)).any()


def test_no_vector_at_all_is_near_to_nothing() -> None:
    assert Int8Vectors(np.zeros((0, 96), dtype=np.int8)).cosines_to(_directions(1, 96)[0]).shape == (0,)


def test_the_mean_is_that_of_unit_vectors() -> None:
    plain = _directions(9000, 8, seed=8)
    levels = quantise(np.vstack([plain, np.zeros((50, 8), np.float32)]))
    assert np.abs(Int8Vectors(levels).mean_vector() - plain.mean(axis=0)).max() < 1e-3


def test_some_alone_have_the_cosines_that_they_have_among_all() -> None:
    plain = _directions(2000, 16)
    rows = np.array([3, 4, 5, 900, 901, 1999, 4], dtype=np.int32)
    whole, some = (
        Int8Vectors(quantise_rows(plain)).cosines_to(plain[0]),
        Int8Vectors(quantise_rows(plain)).cosines_to(plain[0], row_slices(rows)),
    )
    assert len(row_slices(rows)) == 3
    assert (some[rows] == whole[rows]).all()
    assert not some[6:900].any()
    assert not Int8Vectors(quantise_rows(plain)).cosines_to(plain[0], row_slices(rows[:0])).any()
