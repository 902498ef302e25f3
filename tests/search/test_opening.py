"""Who asks a question never waits for the encoder to be made."""

import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from search.encode import opening, pretrained


def test_a_process_in_the_background_makes_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, commands = threading.Event(), list[str]()

    def run(command: Sequence[str], **_: object) -> None:
        commands.append(command[-1])
        started.set()

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert (opening.ready(), opening.ready()) == (None, None)
    assert started.wait(60)
    assert len(commands) == 1 and "make()" in commands[0]


def test_once_made_it_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = pretrained.folder() / pretrained.MODEL
    made.parent.mkdir(parents=True)
    made.touch()
    first = opening.ready()
    assert first is not None and opening.ready() is first and opening.waited_for() is first
