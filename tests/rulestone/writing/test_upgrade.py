"""A home that another version wrote is built anew from the kept files, and says so in one line."""

import json
from pathlib import Path

import pytest

from corpus.errors import EnvironmentFault
from corpus.store.home.checksums import seal
from rulestone import Library
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN

pytestmark = pytest.mark.usefixtures("books_alone")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A home with one added book, as 0.1.0 left it: another number of its format, and an index whose parts had other names."""
    home, file = tmp_path / "home", tmp_path / "ferry.txt"
    file.write_text(HUNDREDS_EN, encoding="utf-8")
    assert call(home, "add", file, "--game", "ferry").code == 0
    bundle = home / "bundles" / (home / "current").read_text().strip()
    for path, changes in (
        (bundle / "manifest.json", {"format": 1}),
        (bundle / "search" / "index.json", {"format": 4, "cards": [], "kin": []}),
    ):
        path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")
    seal(bundle)
    return home


@pytest.mark.parametrize("arguments", ["show ferry:101.1 --lang en", "search goose toll --game ferry", "export jsonl"])
def test_the_next_command_rebuilds_it_with_added_files(old: Path, arguments: str) -> None:
    ended = call(old, *arguments.split())
    assert ended.code == 0
    assert len(ended.err.splitlines()) == 1
    assert "was written by another version; rebuilding it from the stored files" in ended.err
    assert "ferry" in ended.out
    again = call(old, *arguments.split())
    assert (again.code, again.err, again.out) == (0, "", ended.out)


@pytest.mark.slow
def test_an_add_builds_it_anew_first(old: Path, tmp_path: Path) -> None:
    (tmp_path / "duck.txt").write_text(HUNDREDS_EN.replace("goose", "duck"), encoding="utf-8")
    ended = call(old, "add", tmp_path / "duck.txt", "--game", "duck")
    assert ended.code == 0, ended.err
    for game in ("ferry", "duck"):
        assert call(old, "show", f"{game}:101.1").code == 0


def test_without_write_permission_the_error_names_the_remedy(old: Path) -> None:
    with Library.open(old, create=False) as library, pytest.raises(EnvironmentFault, match="another version of Rulestone; run"):
        library.rules("ferry:101.1")
