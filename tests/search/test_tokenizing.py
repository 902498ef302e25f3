"""The tokenizer's worker process splits texts as this process does."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from corpus.words.lexicon import Lexicon
from search.encode.encoder import SHIPPED_MODEL, StaticEncoder
from search.index import tokenizing
from search.index.embeddings import StaticVectorBuilder
from search.index.passages import Passage
from search.index.tokenizing import PassageTokenizer, SplitTask, TokenizerWorker, split_text
from search.settings import Field

TEXTS = ["a ferry holds six tokens", "渡し守は船倉を見てよい", "", "船夫可以看货舱"]
GIVEN = [SplitTask(text, "ferry", nth != 1) for nth, text in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("labels") / "labels.json"
    Lexicon([("ferry", "ferry hold"), ("船倉", "ferry hold")]).save(file)
    return file


@pytest.fixture(scope="module")
def encoder() -> StaticEncoder:
    return StaticEncoder(SHIPPED_MODEL)


def bags(labels: Path, encoder: StaticEncoder) -> list[list[str]]:
    passages = [Passage(place, field, "en", text) for place, text in enumerate(TEXTS) for field in (Field.CONTEXT, Field.GLOSS)]
    return PassageTokenizer(Lexicon.load(labels), labels, StaticVectorBuilder(passages, encoder)).passage_bags(
        passages, ["ferry"] * len(passages)
    )


def test_another_process_splits_the_same(labels: Path, encoder: StaticEncoder) -> None:
    with TokenizerWorker(labels, SHIPPED_MODEL, GIVEN, worker_from=1) as begun:
        assert [*begun.results()] == [split_text(text, Lexicon.load(labels), encoder) for text in GIVEN]


def test_both_processes_split_alike(labels: Path, encoder: StaticEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = bags(labels, encoder)
    monkeypatch.setattr(
        tokenizing, "TokenizerWorker", lambda labels, model, texts: TokenizerWorker(labels, model, texts, worker_from=1)
    )
    assert bags(labels, encoder) == alone
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert bags(labels, encoder) == alone


def test_a_few_texts_need_no_process(labels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    with TokenizerWorker(labels, SHIPPED_MODEL, GIVEN) as begun:
        assert [*begun.results()] == []


def test_an_abandoned_split_leaves_no_process(labels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def start(command: Sequence[str], **options: object) -> subprocess.Popen[bytes]:
        started.append(real(command, **options))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    with pytest.raises(KeyboardInterrupt), TokenizerWorker(labels, SHIPPED_MODEL, GIVEN, worker_from=1):
        raise KeyboardInterrupt
    assert [process.returncode is not None for process in started] == [True]
