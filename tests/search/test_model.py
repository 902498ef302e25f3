"""The dense leg: the shipped model read with NumPy alone, the same in sentence-transformers, and models that others name."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from corpus.errors import EnvironmentFault
from search.encode.choice import configured_encoder
from search.encode.encoder import SHIPPED_MODEL, TOKENIZER_FILE, UNKNOWN_TOKEN, WEIGHTS_FILE, StaticEncoder, folder_sha256
from search.train.static import (
    TextGroup,
    TokenizedGroup,
    TrainingSettings,
    batches,
    initial_vectors,
    shared_tokens,
    shipped_groups,
    train_static,
)

TEXTS = ["墓地の順番", "graveyard order, rule 400.7d", "坟墓场 顺序", "墳場", "手札に上限ある？", "Can I look at my own shields?"]
SMALL = TrainingSettings(min_texts=2, dimensions=16, epochs=2, batch=8, min_batch=2)
HARBOUR = [
    TextGroup(
        "crate",
        ("A crate is unloaded at the pier.", "木箱は桟橋で降ろされる。", "木箱在码头卸下。"),
        ("where do crates go?", "木箱はどこへ？"),
    ),
    TextGroup(
        "gull",
        ("A gull sleeps on the mast.", "かもめは帆柱の上で眠る。", "海鸥睡在桅杆上。"),
        ("where do gulls sleep?", "海鸥睡哪里？"),
    ),
    TextGroup(
        "toll",
        ("The toll is one shell.", "通行料は貝ひとつである。", "过路费是一枚贝壳。"),
        ("how much is the toll?", "通行料はいくら？"),
    ),
    TextGroup(
        "fog", ("No ferry leaves in fog.", "霧の日に渡し船は出ない。", "雾天渡船不开。"), ("do we sail in fog?", "雾天开船吗？")
    ),
]


@pytest.fixture(scope="module")
def model() -> StaticEncoder:
    return StaticEncoder(SHIPPED_MODEL)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harbour")
    train_static(HARBOUR, folder, SMALL)
    return folder


def test_rows_have_unit_length_and_unknown_texts_none(model: StaticEncoder) -> None:
    vectors = model.encode([*TEXTS, "ΩЖ", ""])
    assert vectors.shape == (len(TEXTS) + 2, model.dimensions) and vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1] * len(TEXTS) + [0, 0], abs=1e-5)
    assert model.encode([]).shape == (0, model.dimensions)


def test_many_texts_are_encoded_as_eachalone(model: StaticEncoder) -> None:
    texts = [f"{text} {number}" for number in range(100) for text in TEXTS]
    assert model.encode(texts) == pytest.approx(np.concatenate([model.encode([text]) for text in texts]), abs=1e-6)


@pytest.mark.slow
def test_sentence_transformers_gives_the_same_vectors(model: StaticEncoder) -> None:
    from sentence_transformers import SentenceTransformer

    other = SentenceTransformer(str(SHIPPED_MODEL), device="cpu")
    vectors = other.encode([" ".join(model.tokens(text)) for text in TEXTS], show_progress_bar=False)
    assert vectors.astype(np.float32) == pytest.approx(model.encode(TEXTS), abs=4e-3)  # it adds in half precision


@pytest.mark.parametrize(
    ("question", "same", "other"),
    [
        ("墓地の順番は変えられる？", "can I reorder my graveyard", "how many rules in my opening hand"),
        ("手札に上限ある？", "maximum hand size", "who controls the extra monster zone"),
        ("盾を見ていい？", "can I look at my shields", "坟墓场的顺序"),
        ("牌库里的牌能看吗", "may I look through my library", "エネルギーの支払い"),
    ],
)
def test_a_question_lies_nearer_to_itself_in_another_language(model: StaticEncoder, question: str, same: str, other: str) -> None:
    vector, alike, apart = model.encode([question, same, other])
    assert vector @ alike > vector @ apart + 0.1


def test_rule_numbers_have_no_influence_on_meaning(model: StaticEncoder) -> None:
    assert model.tokenize("rule 400.7d") == model.tokenize("rule")
    assert "20" in model.tokenize("20 life")


def test_the_model_is_small_and_reads_without_the_heavy_libraries() -> None:
    assert sum(file.stat().st_size for file in SHIPPED_MODEL.rglob("*")) < 16_000_000
    program = (
        "import sys; from search.encode.choice import configured_encoder; assert configured_encoder().encode(['graveyard']).any();"
        "print([name for name in ('torch', 'transformers', 'sentence_transformers', 'tokenizers', 'scipy', 'sklearn', 'rdflib',"
        " 'spacy') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"


def test_the_shipped_model_knows_the_words_of_shipped_texts(model: StaticEncoder) -> None:
    """Red after new questions or labels: run `make model`."""
    texts, vocabulary = [text for group in shipped_groups() for text in group.texts], model.vocabulary
    known = [np.mean([token in vocabulary for token in model.tokenize(text)]) for text in texts]
    assert np.mean(known) > 0.7
    assert min(np.linalg.norm(model.encode(texts), axis=1)) > 0


@pytest.mark.slow
def test_training_gives_the_same_bytes_again(tmp_path: Path, harbour: Path) -> None:
    train_static(HARBOUR, tmp_path / "again", SMALL)
    assert folder_sha256(tmp_path / "again") == folder_sha256(harbour)
    train_static(HARBOUR[:3], tmp_path / "less", SMALL)
    assert folder_sha256(tmp_path / "less") != folder_sha256(harbour)


@pytest.mark.slow
def test_training_brings_the_languages_together(harbour: Path) -> None:
    trained = StaticEncoder(harbour)
    vectors = [trained.encode([group.texts[lang] for group in HARBOUR]) for lang in range(3)]
    for vector in vectors:
        for other in vectors:
            assert list((vector @ other.T).argmax(axis=1)) == [0, 1, 2, 3]


def test_no_batch_tells_texts_of_one_group_apart() -> None:
    groups = [TokenizedGroup([[f"{name}{part}"] for part in "ab"], [[f"{name}{part}"] for part in "cdefg"]) for name in "uvwxyz"]
    random = np.random.default_rng(0)
    all_batches = [batch for _ in range(5) for batch in batches(groups, SMALL, random)]
    assert all_batches and all(pair[0][0] == other[0][0] for batch in all_batches for pair, other in batch)
    for batch in all_batches:
        names = [pair[0][0] for pair, _ in batch]
        assert len(names) == len(set(names)) >= SMALL.min_batch


def test_vectors_start_from_cooccurrences() -> None:
    groups = [
        TokenizedGroup([["pier", "桟橋"], ["pier", "桟橋", "rope"]], []),
        TokenizedGroup([["gull", "鴎"], ["gull", "鴎", "rope"]], []),
    ]
    tokens = shared_tokens([*groups, TokenizedGroup([["once"]], [])], 2)
    assert tokens == ["gull", "pier", "rope", "桟橋", "鴎"]
    rows = initial_vectors(groups, tokens, 4, seed=1)
    near = {(token, other): float(rows[tokens.index(token)] @ rows[tokens.index(other)]) for token in tokens for other in tokens}
    assert rows.shape == (5, 4)
    assert near["pier", "桟橋"] > near["pier", "rope"] > near["pier", "鴎"]


@pytest.mark.parametrize(
    ("file", "body"),
    [(TOKENIZER_FILE, b"{"), (TOKENIZER_FILE, b"{}"), (WEIGHTS_FILE, b"\0" * 8), ("labels.json", b"[1"), (WEIGHTS_FILE, None)],
)
def test_a_damaged_model_is_one_clear_line(tmp_path: Path, file: str, body: bytes | None) -> None:
    folder = shutil.copytree(SHIPPED_MODEL, tmp_path / "damaged")
    (folder / file).unlink() if body is None else (folder / file).write_bytes(body)
    with pytest.raises(EnvironmentFault, match="make model") as fault:
        StaticEncoder(folder)
    assert "\n" not in str(fault.value)


class TestNamedModels:
    """RULESTONE_MODEL."""

    def test_without_it_the_shipped_model_speaks(self, monkeypatch: pytest.MonkeyPatch, model: StaticEncoder) -> None:
        monkeypatch.setenv("RULESTONE_MODEL", "")
        assert configured_encoder().sha256 == model.sha256

    def test_a_static_model_of_ours_is_read_as_one(self, monkeypatch: pytest.MonkeyPatch, model: StaticEncoder) -> None:
        monkeypatch.setenv("RULESTONE_MODEL", str(SHIPPED_MODEL))
        assert isinstance(configured_encoder(), StaticEncoder) and configured_encoder().dimensions == model.dimensions

    @pytest.mark.slow
    def test_any_sentence_transformer_by_its_folder(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        folder = foreign(tmp_path)
        monkeypatch.setenv("RULESTONE_MODEL", str(folder))
        encoder = configured_encoder()
        assert (encoder.name, encoder.sha256, encoder.dimensions) == (str(folder), folder_sha256(folder), 3)
        assert encoder.encode(["pier"]) == pytest.approx(np.array([[0.6, 0.8, 0.0]]), abs=1e-6)
        assert encoder.encode([]).shape == (0, 3)

    @pytest.mark.parametrize("name", ["nobody/has-this-model", "/no/such/folder", "no such name"])
    def test_a_missing_model_gives_one_clear_line(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        monkeypatch.setenv("RULESTONE_MODEL", name)
        with pytest.raises(EnvironmentFault, match="RULESTONE_MODEL") as fault:
            configured_encoder()
        assert name in str(fault.value) and "\n" not in str(fault.value)

    def test_a_folder_without_a_model_is_refused_before_its_files_are_read(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("RULESTONE_MODEL", str(tmp_path))
        monkeypatch.setattr("search.encode.choice.folder_sha256", pytest.fail)
        with pytest.raises(EnvironmentFault, match="contains no SentenceTransformer") as fault:
            configured_encoder()
        assert "\n" not in str(fault.value)

    @pytest.mark.slow
    def test_a_folder_that_is_no_model_is_one_clear_line(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / "modules.json").write_text(json.dumps([{"idx": 0, "name": "0", "path": "", "type": "os.path"}]))
        monkeypatch.setenv("RULESTONE_MODEL", str(tmp_path))
        with pytest.raises(EnvironmentFault, match="cannot be loaded") as fault:
            configured_encoder().encode(["pier"])
        assert "\n" not in str(fault.value)


def foreign(folder: Path) -> Path:
    """A model as sentence-transformers writes one; it knows two words."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    from search.encode.encoder import word_level_tokenizer

    rows = np.array([[0, 0, 0], [0, 0, 2], [3, 4, 0]], dtype=np.float32)
    model = SentenceTransformer(
        modules=[StaticEmbedding(word_level_tokenizer([UNKNOWN_TOKEN, "gull", "pier"]), embedding_weights=rows)], device="cpu"
    )
    model.save(str(folder / "foreign"), create_model_card=False)
    return folder / "foreign"
