"""Exports and packs for other machines: no words of a book that the operator does not share; for the own machine, all words."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from granian.utils.proxies import wrap_asgi_with_proxy_headers
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from api.http.app import create_app
from api.http.server import TRUSTED_PROXY
from api.http.settings import Rate, Settings
from corpus.errors import InputError
from rulestone import Library

STRANGER = "192.0.2.1"
FILES = (
    "/v1/bitext?format=tmx&book=ferry/cr",
    "/v1/termbase?format=csv&games=ferry&with_texts=true",
    "/v1/concordance?q=token&format=csv",
)


@contextmanager
def client_for(home: Path, address: str, **settings: Any) -> Iterator[TestClient]:  # noqa: ANN401
    behind_proxy = wrap_asgi_with_proxy_headers(create_app(Library.open(home, create=False), Settings(**settings)), TRUSTED_PROXY)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await behind_proxy(scope, receive, send)

    with TestClient(app, base_url="http://127.0.0.1", client=(address, 50000)) as client:
        yield client


def export(client: TestClient) -> tuple[list[dict[str, Any]], str]:
    answer = client.get("/v1/export")
    return [json.loads(line) for line in answer.text.splitlines()], answer.headers["etag"]


def pack(client: TestClient) -> str:
    bundle = client.get("/healthz").json()["bundle"]
    return client.get(f"/pack/{bundle}/ferry.en").text


@pytest.fixture(scope="module")
def words(library: Library) -> set[str]:
    """Every sentence of the books."""
    texts = [text["text"] for rule in map(json.loads, library.export("jsonl")) for text in rule["texts"].values()]
    return {text for text in texts if text.endswith(".")}


@pytest.mark.parametrize(
    ("address", "settings"),
    [
        (STRANGER, {}),
        ("2001:db8::1", {}),
        ("127.0.0.1", {"hosts": ("rules.example.org",)}),
        ("127.0.0.1", {"total": Rate(100, 1), "keys": {}, "anonymous": True}),
        (STRANGER, {"shared_books": ("mtg/cr",)}),
    ],
)
def test_strangers_get_no_words_of_a_book(home: Path, words: set[str], address: str, settings: dict[str, Any]) -> None:
    with client_for(home, address, **settings) as client:
        rules, _ = export(client)
        packs = pack(client)
        assert [client.get(file).status_code for file in FILES] == [404, 404, 404]
    assert len(words) > 10
    assert not [rule for rule in rules if rule["texts"] or rule["examples"] or rule["notes"] or rule["table"]]
    assert not [text for text in words if json.dumps(text, ensure_ascii=False)[1:-1] in packs]
    assert any(rule["digest"] for rule in rules)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_on_the_own_machine_everything_is_there(home: Path, library: Library, words: set[str], address: str) -> None:
    with client_for(home, address) as client:
        assert client.get("/v1/export").content == b"".join(library.export("jsonl"))
        assert pack(client) == library.pack("ferry.en").decode()
        assert client.get(FILES[2]).status_code == 200
    assert any(json.dumps(text)[1:-1] in library.pack("ferry.en").decode() for text in words)


def test_a_book_is_shared_by_name(home: Path, library: Library) -> None:
    with client_for(home, STRANGER, shared_books=("ferry/cr",)) as client:
        rules, tag = export(client)
        assert client.get(FILES[2] + "&games=ferry").status_code == 200
    assert [rule for rule in rules if rule["game"] == "ferry"] == [
        rule for rule in map(json.loads, library.export("jsonl")) if rule["game"] == "ferry"
    ]
    with client_for(home, STRANGER) as client:
        assert export(client)[1] != tag
        assert client.get("/v1/export", headers={"If-None-Match": tag}).status_code == 200


def test_rulings_are_shared_by_name(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruling = {"kind": "ruling", "game": "ferry", "answer": {"en": "No."}}
    monkeypatch.setattr("rulestone.library.exports.all_bodies", lambda _: iter([ruling]))
    with Library.open(home, create=False) as library:
        assert list(library.lines(frozenset({"ferry/cr"})).lines) == []
        assert [json.loads(line) for line in library.lines(frozenset({"ferry/rulings"})).lines] == [ruling]


def test_whoever_comes_through_a_proxy_is_a_stranger(home: Path) -> None:
    with client_for(home, "127.0.0.1") as client:
        answer = client.get("/v1/export", headers={"X-Forwarded-For": STRANGER})
    assert not [rule for rule in map(json.loads, answer.text.splitlines()) if rule["texts"]]


def test_a_page_links_downloads_only_where_they_are_served(home: Path) -> None:
    for address, offered in (("127.0.0.1", True), (STRANGER, False)):
        with client_for(home, address) as client:
            assert ("/v1/bitext" in client.get("/terms").text) <= offered


@pytest.mark.parametrize("book", ["mtg", "mtg/cr/2024-06-07", "mtg/cr,*"])
def test_a_book_is_named_by_game_and_slug(book: str) -> None:
    with pytest.raises(InputError, match="RULESTONE_SHARED_BOOKS"):
        Settings.from_environment({"RULESTONE_SHARED_BOOKS": book})
    assert Settings.from_environment({"RULESTONE_SHARED_BOOKS": "mtg/cr, mtg/rulings"}).download_sharing.books == {
        "mtg/cr",
        "mtg/rulings",
    }
