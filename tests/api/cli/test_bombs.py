"""Files that are bombs, and adds that fail: one line, the knowledge base as it was, and nothing left among the sources."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from corpus.store.home import Home
from rulestone.writing.draft.bundle import BundleWriter
from tests.support.bombs import BOMBS
from tests.support.commands import call, untouched
from tests.support.ferrymen import HUNDREDS_EN


def sources(home: Path) -> list[str]:
    return sorted(str(path.relative_to(home)) for path in (home / "sources").rglob("*"))


@contextmanager
def nothing_left(home: Path) -> Iterator[None]:
    before = sources(home)
    with untouched(home):
        yield
    assert sources(home) == before


def test_a_bomb_is_refused_in_one_line(home: Path, tmp_path: Path) -> None:
    name, data, message = BOMBS["digits"]
    (tmp_path / name).write_bytes(data())
    with nothing_left(home):
        ended = call(home, "add", tmp_path / name, "--game", "ferry")
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert message in ended.err


def test_a_bomb_takes_the_sound_file_beside_it_along(home: Path, tmp_path: Path) -> None:
    (tmp_path / "sound.txt").write_text(HUNDREDS_EN.replace("six tokens", "nine tokens"), encoding="utf-8")
    name, data, message = BOMBS["nested"]
    (tmp_path / name).write_bytes(data())
    options = ("--game", "ferry", "--edition", "2023-01-01")
    with nothing_left(home):
        ended = call(home, "add", tmp_path / "sound.txt", tmp_path / name, *options)
    assert (ended.code, message in ended.err) == (2, True)


@pytest.mark.usefixtures("books_alone")
@pytest.mark.parametrize("step", ["_write_store", "_write_index"])
def test_an_add_that_fails_halfway_leaves_nothing(
    alone_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    home = Path(shutil.copytree(alone_home.path, tmp_path / "home"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "new.txt").write_text(HUNDREDS_EN.replace("six tokens", "nine tokens"), encoding="utf-8")
    with nothing_left(home):
        monkeypatch.setattr(BundleWriter, step, full)
        ended = call(home, "add", tmp_path / "new.txt", "--game", "ferry", "--edition", "2023-01-01")
        monkeypatch.undo()
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
