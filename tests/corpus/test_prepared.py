"""Values made from the shipped data: made once, kept in the user's cache, made again where the file is of no use."""

from pathlib import Path

import pytest

from corpus import prepared as module
from corpus.prepared import prepared

VALUE = {"graph": b"quads", "labels": [("mtg/graveyard", "en", True, None, 0.5)], "games": frozenset({"mtg"})}


class Counted:
    """Makes the value and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> object:
        self.times += 1
        return VALUE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "rulestone" / "shipped"


def test_a_value_is_made_once(folder: Path) -> None:
    make = Counted()
    assert [prepared("value", make) for _ in range(3)] == [VALUE] * 3
    assert make.times == 1
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"\0" * 200, None])
def test_a_damaged_file_is_made_again(folder: Path, damage: bytes | None) -> None:
    make = Counted()
    prepared("value", make)
    [file] = folder.iterdir()
    file.write_bytes(file.read_bytes()[:-1] if damage is None else damage)
    assert [prepared("value", make) for _ in range(2)] == [VALUE] * 2
    assert make.times == 2


def test_without_a_cache_the_value_is_made_each_time(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_bytes(b"a file where the folder should be")
    make = Counted()
    assert [prepared("value", make) for _ in range(2)] == [VALUE] * 2
    assert make.times == 2


def test_another_version_of_the_data_has_its_own_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = Counted()
    prepared("value", make)
    monkeypatch.setattr(module, "shipped_version", lambda: "0" * 32)
    prepared("value", make)
    assert make.times == 2
    assert len(list(folder.iterdir())) == 2


def test_the_version_follows_the_data_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ontology" / "data" / "labels.tsv"
    file.parent.mkdir(parents=True)
    monkeypatch.setattr(module, "_ROOT", tmp_path)
    versions = []
    for text in ("a", "b", "a"):
        file.write_text(text, encoding="utf-8")
        versions.append(module.shipped_version.__wrapped__())
    assert versions[0] == versions[2] != versions[1]
