"""Temporary folders of killed processes are removed by the next one, and nobody else's."""

import tempfile
from pathlib import Path

import pytest

from corpus.errors import EnvironmentFault
from corpus.store.temporary import TemporaryFolder, remove_abandoned
from tests.support.writers import first_line, kill, names, start

HOLDING = """
from corpus.store.temporary import TemporaryFolder
folder = TemporaryFolder()
(folder.path / "large").write_bytes(bytes(1 << 20))
pause()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_folder_goes_with_its_process_or_with_the_next(temporary: Path, tmp_path: Path) -> None:
    for home in ("rulestone-of-somebody", "rulestone-temporary-home"):
        (temporary / home).mkdir()
        (temporary / home / "lock").touch()  # as a home has it
    (temporary / "rulestone-link").symlink_to(tmp_path)
    (tmp_path / "lock").touch()
    process = start(HOLDING, tmp_path / "home")
    assert first_line(process) == "paused"
    with TemporaryFolder() as folder:
        assert folder.path.is_dir()
        assert len(names(temporary)) == 5, "both processes live"
    assert len(names(temporary)) == 4
    kill(process)
    remove_abandoned(temporary)
    assert names(temporary) == ["rulestone-link", "rulestone-of-somebody", "rulestone-temporary-home"]
    assert (tmp_path / "lock").exists()


def test_a_folder_that_cannot_be_made_is_one_line(temporary: Path) -> None:
    temporary.rmdir()
    with pytest.raises(EnvironmentFault, match=f"cannot make a folder in {temporary}: .*no such file or folder"):
        TemporaryFolder()


def test_a_closed_folder_is_gone(temporary: Path) -> None:
    folder = TemporaryFolder()
    folder.close()
    folder.close()
    assert names(temporary) == []
