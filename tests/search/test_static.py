"""Vectors of many texts, made of words that somebody else has found, are those of each text on its own."""

from pathlib import Path

import numpy as np
import pytest

from corpus.words.tokens import words
from search.encode import encoder as encoding
from search.encode.encoder import SHIPPED, StaticEncoder
from search.index import arrays, vectors
from search.index.field import Field
from search.index.passages import Passage
from search.index.vectors import Making

TEXTS = ["a ferry holds six tokens", "渡し守は船倉を見てよい", "", "船夫可以看货舱", "702.19b Trample"]


@pytest.fixture(scope="module")
def encoder() -> StaticEncoder:
    return StaticEncoder(SHIPPED)


def test_one_product_gives_the_sums_of_the_rows(encoder: StaticEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = encoder.encode(TEXTS)
    monkeypatch.setattr(encoding, "_MANY", 1)
    assert np.array_equal(encoder.encode(TEXTS), alone)


def test_words_give_the_same_as_their_text(encoder: StaticEncoder) -> None:
    assert np.array_equal(encoder.summed([encoder.known(words(text)) for text in TEXTS]), encoder.encode(TEXTS))


def test_what_was_taken_need_not_be_found_again(encoder: StaticEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passages = [Passage(place, Field.GLOSS, "en", text) for place, text in enumerate((*TEXTS, TEXTS[0]))]
    quiet, told = Making(passages, encoder), Making(passages, encoder)
    for text in TEXTS:
        told.take(text, encoder.known(words(text)))
    assert not any(map(told.lacks, TEXTS))
    for folder, making in (("quiet", quiet), ("told", told)):
        (tmp_path / folder).mkdir()
        if making is told:
            monkeypatch.setattr(vectors, "words", None)
        making.write(tmp_path / folder)
    for name in (vectors.FILE, vectors.KEYS, vectors.ROWS):
        assert np.array_equal(arrays.load(tmp_path / "quiet" / name), arrays.load(tmp_path / "told" / name))
    assert len(arrays.load(tmp_path / "told" / vectors.FILE)) == len(TEXTS)
