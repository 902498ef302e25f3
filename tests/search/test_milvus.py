"""Terms and vectors in Milvus: the same answers as from the arrays, and one line for whatever goes wrong."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from corpus.errors import EnvironmentFault, InputError
from corpus.store.home import Home, checksums
from rulestone import Library
from rulestone.search_bodies import search_body
from search.index.milvus.collections import STATIC, Collections, MilvusAddress, parse_address
from search.index.milvus.engine import MilvusEngine
from search.index.milvus.push import push_index
from search.searcher import Request, Searcher
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import searching
from tests.support.pier import PIER

QUERIES = (*(case["text"] for case in PIER["query"]), "渡船", "who goes first", "how many gooses may I hold")


@pytest.fixture
def lite() -> None:
    """Milvus Lite, which the extra `milvus` brings."""
    reason = "tests of Milvus need Milvus Lite: pip install 'rulestone[milvus]'"
    pytest.importorskip("pymilvus", reason=reason)
    pytest.importorskip("milvus_lite", reason=reason)


@pytest.fixture
def file(lite: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Milvus Lite keeps collections, as the environment names it."""
    monkeypatch.setenv("RULESTONE_INDEX", f"milvus://{tmp_path}/index.db")
    return tmp_path / "index.db"


@pytest.fixture
def collections(file: Path) -> Iterator[Collections]:
    opened = Collections.from_environment()
    yield opened
    opened.close()


def pushed(home: Home, collections: Collections, own: Searcher) -> Searcher:
    """Search in a home whose index is in Milvus, as another process finds it."""
    seal = sealed(home)
    push_index(collections, seal, own.indexes)
    for collection in collections.stored_collections():
        collections.client.release_collection(collection.name)
    return Searcher(own.folder.parent, own.knowledge, open_engine=partial(MilvusEngine, collections, seal))


def sealed(home: Home) -> str:
    """The seal of the current bundle."""
    bundle = home.current_folder()
    assert bundle is not None
    return checksums.seal_hash(bundle)


def same(own: Searcher, theirs: Searcher, request: Request) -> None:
    """Both answer a question with the same rules for the same reasons."""
    mine, other = search_body(own, request), search_body(theirs, request)
    assert [hit["iri"] for hit in mine["hits"]] == [hit["iri"] for hit in other["hits"]], request
    assert mine["reason"] == other["reason"]
    for hit, again in zip(mine["hits"], other["hits"], strict=True):
        assert hit["why"]["terms"] == again["why"]["terms"]
        assert hit["score"] == pytest.approx(again["score"], abs=2e-4)


def test_a_small_book_is_answered_from_milvus(editions: Home, collections: Collections) -> None:
    own = searching(editions)
    theirs = pushed(editions, collections, own)
    for query in ("who decides who boards first", "101.4", "a ferry that leaks"):
        assert search_body(own, Request(query))["hits"]
        same(own, theirs, Request(query))


@pytest.mark.slow
def test_milvus_answers_as_the_arrays(home: Home, searcher: Searcher, collections: Collections) -> None:
    theirs = pushed(home, collections, searcher)
    for query in QUERIES:
        for request in (Request(query), Request(query, book_lang="ja"), Request(query, games=("harbour",))):
            same(searcher, theirs, request)


@pytest.mark.usefixtures("books_alone")
def test_a_new_bundle_is_pushed_beside_the_one_that_is_served(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, book, ask = tmp_path / "home", tmp_path / "ferry.txt", ("search", "who decides who boards first")
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    assert call(home, "build", "--later").code == 0
    assert call(home, "push").code == 0
    with Library.open(home, create=False) as library:
        before = library.search(ask[1])
        assert call(home, "add", book, "--game", "ferry", "--later").code == 0
        assert "rulestone push" in call(home, *ask).err
        assert "passages written" in call(home, "push").out
        after = library.search(ask[1])
    assert [any(hit["game"] == "ferry" for hit in body["hits"]) for body in (before, after)] == [False, True]
    monkeypatch.delenv("RULESTONE_INDEX")
    assert [hit["iri"] for hit in call(home, *ask, "--json").json()["hits"]] == [hit["iri"] for hit in after["hits"]]


@pytest.mark.slow
def test_the_bundle_before_stays_and_older_ones_go(editions: Home, collections: Collections) -> None:
    searcher = searching(editions)
    seals = ["c" * 32, "b" * 32, "a" * 32, "a" * 32]
    for seal in seals:
        push_index(collections, seal, searcher.indexes)
    assert {collection.seal for collection in collections.stored_collections()} == {"b" * 16, "a" * 16}


@pytest.mark.slow
def test_an_incomplete_collection_is_not_used(editions: Home, collections: Collections) -> None:
    searcher = searching(editions)
    pushed(editions, collections, searcher)
    collections.client.drop_collection(
        next(collection.name for collection in collections.stored_collections() if collection.signal == STATIC)
    )
    with pytest.raises(EnvironmentFault, match="rulestone push"):
        Searcher(searcher.folder.parent, searcher.knowledge, open_engine=partial(MilvusEngine, collections, sealed(editions)))


@pytest.mark.parametrize(
    "address", ["milvus://host:19530", "http://host:19530/rules", "milvus://host:19530/a-b", "milvus:///folder/"]
)
def test_a_malformed_address_is_reported(address: str) -> None:
    with pytest.raises(InputError, match="expected milvus://HOST:PORT/COLLECTION"):
        parse_address(address)


def test_addresses() -> None:
    assert parse_address("milvus://host:19530/rules") == MilvusAddress("http://host:19530", "rules")
    assert parse_address("milvus+https://host:19530/rules") == MilvusAddress("https://host:19530", "rules")
    assert parse_address("milvus:///folder/file.db") == MilvusAddress("/folder/file.db", "rulestone")


def test_without_a_setting_nothing_is_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULESTONE_INDEX", raising=False)
    with pytest.raises(InputError, match="set RULESTONE_INDEX"):
        Collections.from_environment()


def test_a_server_that_is_gone_is_one_line(editions: Home, lite: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.index.milvus.collections.TIMEOUT_S", 0.5)
    monkeypatch.setenv("RULESTONE_INDEX", "milvus://127.0.0.1:9/rules")
    ended = call(editions.path, "search", "toll")
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "does not respond" in ended.err


def test_a_server_that_takes_too_long_is_told(collections: Collections) -> None:
    from grpc import RpcError

    class Late(RpcError):  # type: ignore[misc, unused-ignore]  # no types where grpc is not installed
        def details(self) -> str:
            return "Deadline Exceeded"

    with pytest.raises(EnvironmentFault, match="does not respond: Deadline Exceeded"), collections.convert_errors():
        raise Late


def test_without_pymilvus_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    with pytest.raises(EnvironmentFault, match=r"pip install 'rulestone\[milvus\]'"):
        Collections(MilvusAddress("http://127.0.0.1:9", "rules"))
