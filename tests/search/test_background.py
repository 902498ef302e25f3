"""A question never waits for the encoder to load."""

import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from search.encode import pretrained


def test_a_process_in_the_background_makes_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, commands = threading.Event(), list[str]()

    def run(command: Sequence[str], **_: object) -> None:
        commands.append(command[-1])
        started.set()

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert (pretrained.shared_encoder(), pretrained.shared_encoder()) == (None, None)
    assert started.wait(60)
    assert len(commands) == 1 and "build_folder()" in commands[0]


def test_once_made_it_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    model_file = pretrained.cache_folder() / pretrained.MODEL_FILE
    model_file.parent.mkdir(parents=True)
    model_file.touch()
    first = pretrained.shared_encoder()
    assert first is not None and pretrained.shared_encoder() is first and pretrained.wait_for_encoder() is first
