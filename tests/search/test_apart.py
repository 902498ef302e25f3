"""Vectors made by a process of its own are those that would be made here."""

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from search.encode.apart import Apart
from search.encode.encoder import SHIPPED, StaticEncoder

TEXTS = ["a ferry holds six tokens", "渡し守は船倉を見てよい", "", "船夫可以看货舱"]


@pytest.fixture(scope="module")
def encoder() -> StaticEncoder:
    return StaticEncoder(SHIPPED)


def test_another_process_makes_the_same_vectors(encoder: StaticEncoder) -> None:
    with Apart(encoder, TEXTS, many=1) as made:
        vectors = made.vectors()
    assert np.array_equal(vectors, encoder.encode(TEXTS).astype(np.float16).astype(np.float32))


def test_a_few_texts_need_no_process(encoder: StaticEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    with Apart(encoder, TEXTS) as made:
        assert np.array_equal(made.vectors(), encoder.encode(TEXTS))


def test_where_the_process_fails_they_are_made_here(encoder: StaticEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Apart(encoder, TEXTS, many=1) as made:
        assert np.array_equal(made.vectors(), encoder.encode(TEXTS))


def test_who_gives_up_leaves_no_process(encoder: StaticEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def start(command: Sequence[str], **given: object) -> subprocess.Popen[bytes]:
        started.append(real(command, **given))  # type: ignore[call-overload]
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    with pytest.raises(KeyboardInterrupt), Apart(encoder, TEXTS, many=1):
        raise KeyboardInterrupt
    assert [process.returncode is not None for process in started] == [True]
