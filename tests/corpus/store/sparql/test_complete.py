"""The store with all editions: written once for a bundle when it is first asked for, checked, and replaced if it is damaged."""

import errno
import os
import shutil
import sys
from pathlib import Path

import pytest

from corpus.errors import BusyError, DamagedError, EnvironmentFault, InputError
from corpus.store.books import Books
from corpus.store.engine import Store
from corpus.store.home import Home
from corpus.store.home.checksums import is_intact
from corpus.store.home.disk import lock, open_lock
from corpus.store.sparql import complete, querying
from corpus.store.sparql.querying import QueryService
from corpus.store.sparql.question import QueryLimits, SparqlQuestion
from rulestone import Library
from tests.support.editions import NEWEST, OLDEST

GRAPHS = SparqlQuestion("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }", ("text/csv",), (), (), None, None)


@pytest.fixture
def bundle(editions: Home, tmp_path: Path) -> Path:
    """A bundle with superseded editions and without a store of all editions."""
    folder = Home(Path(shutil.copytree(editions.path, tmp_path / "home"))).current_folder()
    assert folder is not None
    shutil.rmtree(folder / "complete", ignore_errors=True)
    return folder


def graphs(bundle: Path, editions: str) -> bytes:
    """The names of the graphs that a query over `editions` covers, asked of a newly opened bundle."""
    pieces, service = list[bytes](), QueryService(bundle, Books.open(bundle))
    try:
        service.ask(GRAPHS, 30, pieces.append, editions)
    finally:
        service.close()
    return b"".join(pieces)


def test_the_current_editions_are_the_default_and_write_nothing(bundle: Path) -> None:
    with Library.open(bundle.parents[1]) as library:
        answer = library.sparql(GRAPHS.query).body
    assert f"/{OLDEST}/en".encode() not in answer
    assert f"/{NEWEST}/en".encode() in answer
    assert not (bundle / "complete").exists()


def test_it_is_written_once_and_kept(bundle: Path) -> None:
    assert f"/{OLDEST}/en".encode() in graphs(bundle, "all")
    mtime = (bundle / "complete" / "checksums.json").stat().st_mtime_ns
    assert f"/{OLDEST}/en".encode() in graphs(bundle, "all")
    assert (bundle / "complete" / "checksums.json").stat().st_mtime_ns == mtime
    assert not (bundle / "complete.tmp").exists()


@pytest.mark.slow
def test_the_next_bundle_does_not_copy_it(bundle: Path) -> None:
    graphs(bundle, "all")
    home = bundle.parents[1]
    with Library.open(home) as library:
        library.remove(f"ferry:{NEWEST}")
    current = Home(home).current_folder()
    assert current is not None
    assert current != bundle
    assert not (current / "complete").exists()
    assert not bundle.exists()


def test_a_bundle_without_superseded_editions_needs_none(alone_home: Home) -> None:
    bundle = alone_home.current_folder()
    assert bundle is not None
    assert graphs(bundle, "all") == graphs(bundle, "current")
    assert not (bundle / "complete").exists()
    books = Books.open(bundle)
    with complete.with_complete_store(bundle, books) as result:
        assert result is books  # so its store is verified as ever


def test_a_damaged_one_is_written_again(bundle: Path) -> None:
    sound = graphs(bundle, "all")
    for file in (bundle / "complete" / "store").glob("*.sst"):
        data = file.read_bytes()
        file.unlink()  # it may be a link to a file of the bundle's store
        file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert graphs(bundle, "all") == sound
    assert is_intact(bundle / "complete", "store")


def test_nothing_is_made_of_a_damaged_bundle(bundle: Path) -> None:
    file = next((bundle / "store").glob("*.sst"))
    data = file.read_bytes()
    file.write_bytes(bytes([data[0] ^ 1]) + data[1:])
    with pytest.raises(DamagedError):
        graphs(bundle, "all")
    assert not (bundle / "complete").exists()


@pytest.mark.parametrize("value", ["", "All", "2020-01-01", "superseded"])
def test_other_values_are_refused(bundle: Path, value: str) -> None:
    with pytest.raises(InputError, match="expected current or all"):
        graphs(bundle, value)


def test_while_it_is_written_others_are_told_to_retry(bundle: Path) -> None:
    with open_lock(bundle / "complete.lock") as file:
        assert lock(file, shared=False)
        with pytest.raises(BusyError, match="being written; retry in 10 s"):
            graphs(bundle, "all")
        assert graphs(bundle, "current")
    assert graphs(bundle, "all")


def test_in_a_home_that_is_only_read_the_error_says_what_to_do(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(EnvironmentFault, match="is read-only here") as caught:
        graphs(bundle, "all")
    assert "--editions all" in str(caught.value)
    monkeypatch.undo()
    graphs(bundle, "all")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert graphs(bundle, "all")


def test_checks_of_a_home_that_is_only_read_leave_nothing_in_it(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Library.open(bundle.parents[1]) as library:
        monkeypatch.setattr(os, "access", lambda *_: False)
        findings = library.check()
        assert not (bundle / "complete").exists()
        monkeypatch.undo()
        assert library.check() == findings
    assert (bundle / "complete").exists()


@pytest.mark.parametrize("limits", [QueryLimits(writing_memory=1 << 20), QueryLimits(writing_seconds=0.01)])
def test_it_may_take_neither_more_memory_nor_more_time(bundle: Path, monkeypatch: pytest.MonkeyPatch, limits: QueryLimits) -> None:
    monkeypatch.setattr(complete, "SPARQL_LIMITS", limits)
    with pytest.raises(EnvironmentFault, match="takes more than"):
        graphs(bundle, "all")
    assert not [*bundle.glob("complete*/")]


def test_a_failed_write_is_reported_and_tried_again(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/bin/false")
        for _ in range(2):
            with pytest.raises(EnvironmentFault, match="could not be written"):
                graphs(bundle, "all")
    assert graphs(bundle, "all")


def test_a_server_does_not_write_it_again_at_once(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = QueryService(bundle, Books.open(bundle))
    for writer in ("/bin/false", sys.executable):
        monkeypatch.setattr(sys, "executable", writer)
        with pytest.raises(EnvironmentFault, match="could not be written"):
            service.ask(GRAPHS, 30, lambda _: None, "all")
    monkeypatch.setattr(querying, "_RETRY_SECONDS", 0)
    service = QueryService(bundle, Books.open(bundle))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(EnvironmentFault, match="could not be written"):
        service.ask(GRAPHS, 30, lambda _: None, "all")
    monkeypatch.undo()
    service.ask(GRAPHS, 30, lambda _: None, "all")
    service.close()


def test_a_full_disk_is_named_in_plain_words(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Store, "load_all", fail)
    with pytest.raises(EnvironmentFault, match="the disk is full"):
        complete.write(bundle)
    assert not (bundle / "complete.tmp").exists()


def test_leftovers_of_a_killed_writer_are_removed(bundle: Path) -> None:
    (bundle / "complete.tmp" / "store").mkdir(parents=True)
    (bundle / "complete.tmp" / "store" / "CURRENT").write_text("half")
    assert graphs(bundle, "all")
    assert not (bundle / "complete.tmp").exists()
