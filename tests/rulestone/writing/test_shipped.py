"""New homes start from a bundle of the shipped data in the user's cache; a damaged or unusable cache changes nothing."""

import errno
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import NoReturn

import pytest

from corpus.model import Authority
from corpus.store.home import Home, checksums
from corpus.store.home.manifest import Manifest
from ingest.recognise import Hints
from rulestone.writing import add as module
from rulestone.writing.add import add, build
from rulestone.writing.draft import shipped
from rulestone.writing.draft.bundle import BundleWriter
from tests.rulestone.writing.test_ontology import LATER
from tests.support.homes import opened

HINTS = Hints("mtg", "cr", "2031-01-01", "en", Authority.OFFICIAL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "rulestone" / "bundles"


def content(home: Home) -> dict[str, object]:
    """The statements, records and files of a home."""
    knowledge, bundle = opened(home), home.current_folder()
    assert bundle is not None
    names = [*map(str, knowledge.manifest.editions), "names/concepts", "claims/concepts", "mappings/concepts"]
    records = {name: [(entry.name, entry.content, entry.own) for entry in knowledge.documents.entries(name)] for name in names}
    files = {file.name: file.read_bytes() for part in ("search", "editions") for file in (bundle / part).iterdir()}
    manifest = {each.name: getattr(knowledge.manifest, each.name) for each in fields(Manifest) if each.name != "dropped"}
    return {"quads": [*knowledge.quads()], "manifest": manifest, **records, **files}


def home_with(tmp_path: Path, name: str, *files: Path) -> Home:
    """A new home with some files; with none it is built."""
    home = Home(tmp_path / name)
    if files:
        add(home, files, HINTS)
    else:
        build(home)
    return home


@pytest.mark.usefixtures("books_alone")
def test_a_home_that_starts_from_it_equals_one_from_nothing(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_equal_with_a_book(tmp_path, monkeypatch)
    assert len(list(folder.iterdir())) == 1


@pytest.mark.slow
def test_it_equals_one_from_nothing_with_the_ontology(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert_equal_with_a_book(tmp_path, monkeypatch)


def assert_equal_with_a_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two new homes with an edition have the same content: one starts from the shipped bundle, the other from nothing."""
    file = tmp_path / "book.txt"
    file.write_text(LATER, encoding="utf-8")
    started = content(home_with(tmp_path, "started", file))
    with monkeypatch.context() as patch:
        patch.setattr(module, "start_from_shipped", lambda *_, **__: False)
        assert content(home_with(tmp_path, "alone", file)) == started


@pytest.mark.usefixtures("books_alone")
def test_it_is_written_once_and_shares_no_file(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home_with(tmp_path, "first")
    monkeypatch.setattr(BundleWriter, "write", None)
    second = home_with(tmp_path, "second")
    [cached] = folder.iterdir()
    damage(cached)
    bundle = second.current_folder()
    assert bundle is not None
    assert not list(checksums.find_damage(bundle))
    assert second.given() == []
    assert second.leftovers() == []


@pytest.mark.usefixtures("books_alone")
def test_a_damaged_one_is_written_again(folder: Path, tmp_path: Path) -> None:
    first = content(home_with(tmp_path, "first"))
    [cached] = folder.iterdir()
    damage(cached)
    assert content(home_with(tmp_path, "second")) == first
    (cached / "current").write_text("nothing", encoding="utf-8")
    assert content(home_with(tmp_path, "third")) == first
    bundle = Home(cached).current_folder()
    assert bundle is not None
    assert not list(checksums.find_damage(bundle))


@pytest.mark.usefixtures("books_alone")
def test_without_a_cache_a_home_is_written_from_nothing(folder: Path, tmp_path: Path) -> None:
    first = content(home_with(tmp_path, "first"))
    shutil.rmtree(folder)
    folder.write_bytes(b"a file where the folder should be")
    assert content(home_with(tmp_path, "second")) == first


@pytest.mark.usefixtures("books_alone")
def test_a_whole_one_in_a_cache_that_cannot_be_written_is_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = content(home_with(tmp_path, "first"))
    [cached] = folder.iterdir()
    utime: Callable[..., None] = os.utime

    def refuse_cached(path: Path, *times: float, **options: object) -> None:
        if path == cached:
            refuse(path)
        utime(path, *times, **options)

    monkeypatch.setattr(BundleWriter, "write", None)
    monkeypatch.setattr(os, "utime", refuse_cached)
    assert content(home_with(tmp_path, "second")) == first


@pytest.mark.usefixtures("books_alone")
def test_if_it_cannot_be_copied_a_home_is_written_from_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = content(home_with(tmp_path, "first"))
    [cached] = folder.iterdir()
    copytree: Callable[..., Path] = shutil.copytree

    def copy_half(source: Path, target: Path, *arguments: object, **options: object) -> None:
        if cached in source.parents:
            target.mkdir()
            (target / "half").write_bytes(b"a file")
            refuse(source)
        copytree(source, target, *arguments, **options)

    monkeypatch.setattr(shutil, "copytree", copy_half)
    halves: list[Path] = []
    write: Callable[..., None] = BundleWriter.write

    def write_and_look(self: BundleWriter, *arguments: object, **options: object) -> None:
        halves.extend((tmp_path / "second").rglob("half"))
        write(self, *arguments, **options)

    monkeypatch.setattr(BundleWriter, "write", write_and_look)
    second = home_with(tmp_path, "second")
    assert content(second) == first
    assert (halves, second.leftovers()) == ([], [])


@pytest.mark.usefixtures("books_alone")
def test_versions_that_another_process_deletes_do_no_harm(folder: Path, tmp_path: Path) -> None:
    folder.mkdir(parents=True)
    (folder / f"{1:032x}").symlink_to(folder / "deleted")
    assert not list(checksums.find_damage(home_with(tmp_path, "home").current_folder() or folder))


@pytest.mark.usefixtures("books_alone")
def test_versions_that_are_no_longer_used_are_deleted(folder: Path, tmp_path: Path) -> None:
    names = [f"{nth:032x}" for nth in range(1, shipped._MAX_OTHERS + 4)]
    for name in names:
        (folder / name).mkdir(parents=True)
    for name, ago in zip(names, (1e9, 8 * 24 * 3600, 100), strict=False):
        os.utime(folder / name, (time.time() - ago, time.time() - ago))
    home_with(tmp_path, "home")
    versions = {path.name for path in folder.iterdir()}
    assert len(versions) == shipped._MAX_OTHERS + 1
    assert versions >= {*names[3:]}


@pytest.mark.usefixtures("books_alone")
def test_other_libraries_make_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    before = shipped._version()
    assert shipped._version() == before
    monkeypatch.setattr(shipped, "version", lambda _: "0.0")
    assert shipped._version() != before


def refuse(path: Path) -> NoReturn:
    raise PermissionError(errno.EROFS, os.strerror(errno.EROFS), str(path))


def damage(cached: Path) -> None:
    """Changes one byte of the records."""
    [file] = cached.glob("bundles/*/records.db")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
