"""Queries that may ask for superseded editions: the store with everything, and those who wait for it."""

import logging
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from corpus.errors import BusyError, EnvironmentFault, InputError
from corpus.store.books import Books
from corpus.store.home import Home
from corpus.store.sparql import querying
from corpus.store.sparql.querying import QueryService
from corpus.store.sparql.question import SparqlQuestion

EVERYTHING = SparqlQuestion("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", ("text/csv",), (), (), None, None)
CONCEPTS = SparqlQuestion(
    "SELECT (COUNT(*) AS ?n) { ?c a <http://www.w3.org/2004/02/skos/core#Concept> }", ("text/csv",), (), (), None, None
)


def asking(home: Home) -> QueryService:
    bundle = home.current_folder()
    assert bundle
    return QueryService(bundle, Books.open(bundle))


def test_the_log_names_the_written_store_and_its_size(editions: Home, caplog: pytest.LogCaptureFixture) -> None:
    asked, written = asking(editions), list[bytes]()
    with caplog.at_level(logging.WARNING):
        asked.ask(CONCEPTS, 30, written.append)
        assert not caplog.messages
        asked.ask(EVERYTHING, 30, written.append)
        asked.ask(EVERYTHING, 30, written.append)
    begun, ended = caplog.messages
    assert "superseded editions" in begun
    assert "MB" in ended
    asked.close()


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("SELECT * WHERE {\n ?a ?b", r"at line 2, column 7, after: SELECT \* WHERE { \?a \?b"),
        ("SELECT ?a WHERE {\n  ?a a }", "at line 2, column 9, after: "),
        ("SELEC", "at line 1, column 6, after: SELEC"),
    ],
)
def test_a_malformed_query_writes_no_store_and_its_place_is_named(
    editions: Home, caplog: pytest.LogCaptureFixture, query: str, place: str
) -> None:
    asked = asking(editions)
    with caplog.at_level(logging.WARNING), pytest.raises(InputError, match=place):
        asked.ask(SparqlQuestion(query, ("text/csv",), (), (), None, None), 30, lambda _: None)
    assert not caplog.messages
    asked.close()


def test_few_wait_for_the_store_and_nobody_else_does(editions: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, written = asking(editions), list[bytes]()
    begun, go = threading.Event(), threading.Event()
    real = querying.write

    class Slow(querying.CompleteStore):
        def _write(self, bundle: Path) -> None:
            begun.set()
            assert go.wait(60)
            real(bundle, self.path)

    monkeypatch.setattr(querying, "CompleteStore", Slow)
    monkeypatch.setattr(querying, "_MAX_WAITING", 1)
    asked = asking(editions)
    first = threading.Thread(target=asked.ask, args=(EVERYTHING, 30, written.append))
    first.start()
    assert begun.wait(60)
    with pytest.raises(BusyError, match="being written"):
        asked.ask(EVERYTHING, 30, written.append)
    assert asked.ask(CONCEPTS, 30, lambda _: None).rows == 1
    go.set()
    first.join()
    assert written
    asked.close()


def test_a_full_disk_is_told_in_plain_words(editions: Home, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    (small_disk / "full").write_bytes(bytes(960 << 10))
    asked = asking(editions)
    with pytest.raises(EnvironmentFault, match="the disk is full") as caught:
        asked.ask(EVERYTHING, 30, lambda _: None)
    assert "Errno" not in str(caught.value)
    assert [path.name for path in small_disk.iterdir()] == ["full"]
    asked.close()


def test_a_failed_write_is_reported_and_retried(editions: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    asked = asking(editions)
    for _ in range(querying._MAX_WAITING + 1):
        with pytest.raises(EnvironmentFault, match="could not be written"):
            asked.ask(EVERYTHING, 30, lambda _: None)
    asked.close()
