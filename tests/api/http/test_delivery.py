"""How answers leave: entity tags, codings, and what is kept of one bundle."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import brotli
import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from api.http.delivery.compression import chosen
from api.http.delivery.kept import Answer, Kept, Key
from api.http.delivery.shelf import Shelf, shelf_between_processes
from ontology.store.home import Home
from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put
from tests.support.kept import Homes

RULE = "/v1/rules?ref=ferry:101.1"


@pytest.fixture
def edition(homes: Homes, books_alone: None, tmp_path: Path) -> Path:
    """One edition, and who adds another one need not wait for the ontology."""
    return homes.copy("edition", lambda path: put(path, HUNDREDS_EN, "2020-01-01"), tmp_path / "home")


@pytest.fixture
def counted(edition: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, list[str]]]:
    """A client, and every question that the library was asked."""
    asked = list[str]()
    for method in ("rules", "search"):
        monkeypatch.setattr(Library, method, _counting(getattr(Library, method), asked))
    with TestClient(create_app(Library(Home(edition), create=False, every=0))) as client:
        yield client, asked


def _counting(method: Callable[..., object], asked: list[str]) -> Callable[..., object]:
    def counted(library: Library, given: str, **more: object) -> object:
        asked.append(given)
        return method(library, given, **more)

    return counted


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        (None, "identity"),
        ("gzip", "gzip"),
        ("gzip, deflate, br", "br"),
        ("br;q=0.2, gzip;q=0.8", "gzip"),
        ("br;q=0, gzip;q=0", "identity"),
        ("*", "br"),
        ("*;q=0", "identity"),
        ("identity;q=1, *;q=0", "identity"),
        ("br;q=bogus", "identity"),
    ],
)
def test_the_coding_a_client_likes(header: str | None, coding: str) -> None:
    assert chosen(header) == coding


@pytest.mark.parametrize(("coding", "unpack"), [("br", brotli.decompress), ("gzip", gzip.decompress)])
@pytest.mark.parametrize("path", ["/v1/zones?lang=en", "/v1/search?q=graveyard+order"], ids=["kept", "fresh"])
def test_codings_give_the_same_bytes(client: TestClient, path: str, coding: str, unpack: object) -> None:
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    with client.stream("GET", path, headers={"Accept-Encoding": coding}) as packed:
        raw = b"".join(packed.iter_raw())
    assert callable(unpack)
    assert unpack(raw) == plain.content
    assert packed.headers["content-encoding"] == coding
    assert int(packed.headers["content-length"]) == len(raw) < len(plain.content)
    assert "Accept-Encoding" in packed.headers["vary"]
    assert packed.headers["etag"] != plain.headers["etag"]  # other bytes, another tag
    again = client.get(path, headers={"Accept-Encoding": coding, "If-None-Match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_rule_is_worked_out_once_a_bundle(counted: tuple[TestClient, list[str]], edition: Path) -> None:
    client, asked = counted
    bodies = [client.get(RULE).content for _ in range(3)]
    assert asked == ["ferry:101.1"]
    assert bodies == bodies[:1] * 3
    put(edition, HUNDREDS_EN.replace("six tokens", "nine tokens"), "2021-05-03")
    assert "nine tokens" in client.get(RULE).text
    assert asked == ["ferry:101.1"] * 2


def test_what_depends_on_the_client_is_told_apart(counted: tuple[TestClient, list[str]]) -> None:
    client, asked = counted
    english, japanese = (client.get(RULE, headers={"Accept-Language": lang}) for lang in ("en", "ja"))
    assert len(asked) == 2
    assert english.headers["etag"] == client.get(RULE, headers={"Accept-Language": "en-GB, ja;q=0.5"}).headers["etag"]
    assert len(asked) == 2
    assert japanese.status_code == 200


def test_answers_to_questions_are_not_kept(counted: tuple[TestClient, list[str]]) -> None:
    client, asked = counted
    for _ in range(2):
        assert client.get("/v1/search?q=ferry").status_code == 200
    assert asked == ["ferry", "ferry"]


def test_refusals_are_not_kept(counted: tuple[TestClient, list[str]]) -> None:
    client, asked = counted
    assert [client.get("/v1/rules?ref=ferry:999.9").status_code for _ in range(2)] == [404, 404]
    assert len(asked) == 2


def test_what_is_kept_has_its_bounds() -> None:
    kept, keys = Kept(most=4 * 2048), [Key(f"/{place}", b"", None, b"") for place in range(9)]
    for key in keys:
        kept.put("one", key, Answer('"x"', [], {"identity": b"-" * 600}))
        kept.get("one", keys[0])
    assert kept.get("one", keys[0])
    assert sum(kept.get("one", key) is not None for key in keys) == 4
    assert kept.get("two", keys[0]) is None
    kept.put("two", keys[1], Answer('"y"', [], {"identity": b"-"}))
    assert kept.get("one", keys[0]) is None


def test_what_one_process_worked_out_the_others_find(edition: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    monkeypatch.setattr(Library, "rules", _counting(Library.rules, asked))
    with shelf_between_processes():
        bodies = []
        for _ in range(2):  # two processes have an application each
            with TestClient(create_app(Library(Home(edition), create=False, every=0))) as client:
                answer = client.get(RULE)
                bodies.append((answer.content, answer.headers["etag"], answer.headers["content-type"], answer.headers["vary"]))
        assert asked == ["ferry:101.1"]
        assert bodies[0] == bodies[1]
        put(edition, HUNDREDS_EN.replace("six tokens", "nine tokens"), "2021-05-03")
        with TestClient(create_app(Library(Home(edition), create=False, every=0))) as client:
            assert "nine tokens" in client.get(RULE).text
    assert asked == ["ferry:101.1"] * 2
    assert Shelf.of() is None


def test_what_is_left_for_others_has_its_bounds(tmp_path: Path) -> None:
    shelf, other = Shelf(tmp_path, most=3000), Shelf(tmp_path)
    keys = [Key(f"/{place}", b"", None, b"") for place in range(9)]
    for key in keys:
        shelf.put("one", key, Answer('"x"', [(b"vary", b"Accept")], {"identity": b"-" * 900}))
    assert [other.get("one", key) is not None for key in keys] == [True] * 3 + [False] * 6
    held = other.get("one", keys[0])
    assert held == Answer('"x"', [(b"vary", b"Accept")], {"identity": b"-" * 900})
    assert other.get("two", keys[0]) is None
    shelf.put("two", keys[1], Answer('"y"', [], {"identity": b"-"}))
    assert other.get("one", keys[0]) is None
    assert len([file for file in tmp_path.rglob("*") if file.is_file()]) == 1


def test_a_process_begins_with_what_others_have_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, asked = tmp_path / "home", list[str]()
    put(home, HUNDREDS_EN, "2020-01-01")
    monkeypatch.setattr(Library, "rules", _counting(Library.rules, asked))
    with shelf_between_processes():
        with TestClient(create_app(Library(Home(home), create=False, every=0))) as client:
            first = client.get(RULE)
        with TestClient(create_app(Library(Home(home), create=False, every=0))) as client:
            monkeypatch.setattr(Shelf, "get", lambda *_: pytest.fail("it was at hand"))
            again = client.get(RULE)
    assert asked == ["ferry:101.1"]
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])


def test_what_was_asked_before_is_told_the_dearest_first(tmp_path: Path) -> None:
    shelf, keys = Shelf(tmp_path), [Key(f"/{place}", b"q=%E5", "ja", b"text/html") for place in range(3)]
    assert shelf.asked_before("one") == []
    for key, seconds in zip(keys, (0.1, 2.0, 0.5), strict=True):
        shelf.put("one", key, Answer('"x"', [], {"identity": b"-"}), seconds)
    assert shelf.asked_before("one") == []
    assert Shelf(tmp_path).asked_before("two") == [keys[1], keys[2], keys[0]]
    shelf.keep({"two"})
    assert shelf.asked_before("two") == []


@pytest.mark.parametrize("damage", [lambda file: file.write_bytes(b"half"), lambda file: file.unlink()], ids=["cut", "gone"])
def test_what_cannot_be_read_or_written_there_is_worked_out(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    shelf, key = Shelf(tmp_path / "none"), Key("/", b"", None, b"")
    shelf.put("one", key, Answer('"x"', [], {"identity": b"-"}))
    assert shelf.get("one", key) is None
    shelf = Shelf(tmp_path)
    shelf.put("one", key, Answer('"x"', [], {"identity": b"-"}))
    [file] = [path for path in tmp_path.rglob("*") if path.is_file()]
    damage(file)
    assert shelf.get("one", key) is None


def test_an_address_that_is_too_long_does_not_enter(client: TestClient) -> None:
    answer = client.get("/v1/search", params={"q": "graveyard", "game": "a," * 6_000})
    assert (answer.status_code, answer.headers["content-type"]) == (414, "application/problem+json")
    assert "8192" in answer.json()["detail"]
    assert len(answer.content) < 500
