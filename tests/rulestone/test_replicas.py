"""Homes that follow what another one publishes: the same answers, only what changed is fetched, and nothing unsound is taken in."""

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ontology.store.home import Home
from rulestone import Library
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN

pytestmark = pytest.mark.slow


class _Folder(SimpleHTTPRequestHandler):
    """Serves a folder and notes what is asked for."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""


@contextmanager
def web(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A web server with a folder: its address, and what it is asked for."""
    asked: list[str] = []
    handler = type("Noting", (_Folder,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def own(digest_home: Home, tmp_path: Path) -> Path:
    """A home that is written to."""
    return Path(shutil.copytree(digest_home.path, tmp_path / "own"))


@pytest.fixture
def published(own: Path, tmp_path: Path) -> Path:
    """What it publishes."""
    ended = call(own, "publish", tmp_path / "published")
    assert ended.code == 0, ended.err
    return tmp_path / "published"


def exported(home: Path) -> bytes:
    with Library.open(home, create=False) as library:
        return b"".join([*library.export("jsonl"), *library.export("nquads")])


def test_a_home_that_follows_answers_as_the_one_that_is_published(own: Path, published: Path, tmp_path: Path) -> None:
    ended = call(tmp_path / "copy", "pull", published)
    assert (ended.code, ended.err) == (0, "")
    assert exported(tmp_path / "copy") == exported(own)
    assert "nothing new" in call(tmp_path / "copy", "pull", published).out


def test_only_what_changed_is_fetched(own: Path, published: Path, tmp_path: Path) -> None:
    book = tmp_path / "ferry.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    with web(published) as (address, asked):
        assert call(tmp_path / "copy", "pull", f"{address}/").code == 0
        first = len(asked)
        assert call(own, "add", book, "--game", "ferry").code == 0
        assert call(own, "publish", published).code == 0
        assert "copied" in call(tmp_path / "copy", "pull", address).out
        assert 2 < len(asked) - first < first
    assert exported(tmp_path / "copy") == exported(own)
    assert call(tmp_path / "copy", "doctor").code == 0


def test_what_is_no_longer_needed_goes_when_nobody_can_be_reading_it(own: Path, published: Path, tmp_path: Path) -> None:
    first = set((published / "files").iterdir())
    for nth in range(2):
        book = tmp_path / f"ferry{nth}.txt"
        book.write_text(HUNDREDS_EN.replace("goose", f"goose of kind {nth}"), encoding="utf-8")
        assert call(own, "add", book, "--game", f"ferry{nth}").code == 0
        assert call(own, "publish", published).code == 0
        assert (first <= set((published / "files").iterdir())) == (nth == 0)


def test_a_home_that_follows_is_not_written_to(published: Path, tmp_path: Path) -> None:
    copy, book = tmp_path / "copy", tmp_path / "ferry.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    call(copy, "pull", published)
    before = exported(copy)
    for command in (("add", book, "--game", "ferry"), ("build",), ("remove", "dm:undated")):
        ended = call(copy, *command)
        assert ended.code in (1, 3)
        assert ended.code == 1 or f"follows {published}" in ended.err
    assert exported(copy) == before


def test_a_home_with_books_of_its_own_does_not_follow(own: Path, published: Path, tmp_path: Path) -> None:
    book = tmp_path / "ferry.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    assert call(own, "add", book, "--game", "ferry").code == 0
    before = exported(own)
    ended = call(own, "pull", published)
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "books of its own" in ended.err
    assert exported(own) == before


@pytest.mark.parametrize("damage", ["gone", "short", "long", "other"])
def test_a_file_that_is_not_what_the_list_says_is_refused(own: Path, published: Path, tmp_path: Path, damage: str) -> None:
    copy = tmp_path / "copy"
    call(copy, "pull", published)
    before = exported(copy)
    book = tmp_path / "ferry.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    known = set((published / "files").iterdir())
    call(own, "add", book, "--game", "ferry")
    call(own, "publish", published)
    file = max(set((published / "files").iterdir()) - known, key=lambda path: path.stat().st_size)
    whole = file.read_bytes()
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes({"short": whole[:-1], "long": whole + b"x", "other": whole[:-1] + b"\x01x"[:1]}[damage])
    ended = call(copy, "pull", published)
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert exported(copy) == before


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/passwd", "store/../../outside", "a\\b", "", ".", "store//x", "C:x", "x" * 200, "a/b/c/d/e/f"]
)
def test_a_list_names_nothing_outside_the_bundle(published: Path, tmp_path: Path, name: str) -> None:
    file = published / "current.json"
    body = json.loads(file.read_text(encoding="utf-8"))
    body["files"][name] = next(iter(body["files"].values()))
    file.write_text(json.dumps(body), encoding="utf-8")
    ended = call(tmp_path / "copy", "pull", published)
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "publishes no knowledge base" in ended.err
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (b"", "publishes no knowledge base"),
        (b"<html>", "publishes no knowledge base"),
        (b'{"format": 1, "bundle_format": 1, "files": {"a": [1, "0"]}}', "another version"),
        (b'{"format": 9, "bundle_format": 1, "files": {}}', "another version"),
        (b'{"format": 1}', "publishes no knowledge base"),
    ],
)
def test_what_is_no_publication_is_one_line(tmp_path: Path, written: bytes, told: str) -> None:
    (tmp_path / "current.json").write_bytes(written)
    ended = call(tmp_path / "copy", "pull", tmp_path)
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert told in ended.err


def test_sources_that_are_none(tmp_path: Path) -> None:
    assert "no such file or folder" in call(tmp_path / "copy", "pull", tmp_path / "none").err
    assert "expected a folder, or an http or https address" in call(tmp_path / "copy", "pull", "ftp://ferry").err
    with web(tmp_path) as (address, _):
        assert "404" in call(tmp_path / "copy", "pull", address).err
    ended = call(tmp_path / "copy", "pull", address)
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)


def test_a_damaged_bundle_is_not_published_and_a_damaged_copy_is_fetched_again(own: Path, published: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    call(copy, "pull", published)
    for home in (own, copy):
        [fields] = home.glob("bundles/*/search/fields.npy")
        fields.write_bytes(bytes(reversed(fields.read_bytes())))
    assert call(own, "publish", published).code == 3
    assert call(copy, "doctor", "--mend").code == 0
    assert call(copy, "search", "graveyard").code == 0
