"""Vectors of many texts, made of words that somebody else has found, are those of each text on its own."""

from pathlib import Path

import numpy as np
import pytest

from corpus.words.tokens import words
from search.encode import encoder as encoding
from search.encode.encoder import SHIPPED_MODEL, StaticEncoder
from search.index import arrays, embeddings
from search.index.embeddings import StaticVectorBuilder
from search.index.passages import Passage
from search.settings import Field

TEXTS = ["a ferry holds six tokens", "渡し守は船倉を見てよい", "", "船夫可以看货舱", "702.19b Trample"]


@pytest.fixture(scope="module")
def encoder() -> StaticEncoder:
    return StaticEncoder(SHIPPED_MODEL)


def test_one_product_gives_the_sums_of_the_rows(encoder: StaticEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = encoder.encode(TEXTS)
    monkeypatch.setattr(encoding, "_MANY_TEXTS", 1)
    assert np.array_equal(encoder.encode(TEXTS), alone)


def test_words_give_the_same_as_their_text(encoder: StaticEncoder) -> None:
    assert np.array_equal(encoder.encode_tokens([encoder.token_ids(words(text)) for text in TEXTS]), encoder.encode(TEXTS))


def test_added_tokens_are_not_split_again(encoder: StaticEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    passages = [Passage(place, Field.GLOSS, "en", text) for place, text in enumerate((*TEXTS, TEXTS[0]))]
    quiet, with_tokens = StaticVectorBuilder(passages, encoder), StaticVectorBuilder(passages, encoder)
    for text in TEXTS:
        with_tokens.add_tokens(text, encoder.token_ids(words(text)))
    assert not any(map(with_tokens.needs_tokens, TEXTS))
    for folder, making in (("quiet", quiet), ("told", with_tokens)):
        (tmp_path / folder).mkdir()
        if making is with_tokens:
            monkeypatch.setattr(embeddings, "words", None)
        making.write(tmp_path / folder, embeddings.static_keys(passages))
    for name in (embeddings.STATIC_FILE, embeddings.STATIC_KEYS, embeddings.STATIC_ROWS):
        assert np.array_equal(arrays.load(tmp_path / "quiet" / name), arrays.load(tmp_path / "told" / name))
    assert len(arrays.load(tmp_path / "told" / embeddings.STATIC_FILE)) == len(TEXTS)
