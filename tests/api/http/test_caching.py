"""How answers leave: entity tags, codings, and what is kept of one bundle."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import brotli
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.datastructures import Headers
from starlette.testclient import TestClient

from api.http.app import create_app
from api.http.caching import OFFERED_MEDIA, CachedResponse, CacheKey, ResponseCache, cache_key
from api.http.negotiation import best_coding, best_media
from api.web.static import static_path
from corpus.store.home import Home
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
def counting_client(edition: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, list[str]]]:
    """A client, and every question that the library was asked."""
    queries = list[str]()
    for method, question in (("rules", "ref"), ("search", "query")):
        monkeypatch.setattr(Library, method, _counting(getattr(Library, method), question, queries))
    with TestClient(create_app(Library(Home(edition), create=False, poll_seconds=0))) as client:
        yield client, queries


def _counting(method: Callable[..., object], question: str, queries: list[str]) -> Callable[..., object]:
    def call(library: Library, *args: str, **kwargs: str) -> object:
        queries.append(args[0] if args else kwargs[question])
        return method(library, *args, **kwargs)

    return call


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
    assert best_coding(header) == coding


@pytest.mark.parametrize(("coding", "unpack"), [("br", brotli.decompress), ("gzip", gzip.decompress)])
@pytest.mark.parametrize("path", ["/v1/zones?lang=en", "/v1/search?q=graveyard+order"], ids=["kept", "fresh"])
def test_codings_give_the_same_bytes(client: TestClient, path: str, coding: str, unpack: object) -> None:
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    with client.stream("GET", path, headers={"Accept-Encoding": coding}) as response:
        raw = b"".join(response.iter_raw())
    assert callable(unpack)
    assert unpack(raw) == plain.content
    assert response.headers["content-encoding"] == coding
    assert int(response.headers["content-length"]) == len(raw) < len(plain.content)
    assert "Accept-Encoding" in response.headers["vary"]
    assert response.headers["etag"] != plain.headers["etag"]  # other bytes, another tag
    second = client.get(path, headers={"Accept-Encoding": coding, "If-None-Match": response.headers["etag"]})
    assert (second.status_code, second.content) == (304, b"")


def test_a_rule_is_worked_out_once_a_bundle(counting_client: tuple[TestClient, list[str]], edition: Path) -> None:
    client, queries = counting_client
    bodies = [client.get(RULE).content for _ in range(3)]
    assert queries == ["ferry:101.1"]
    assert bodies == bodies[:1] * 3
    put(edition, HUNDREDS_EN.replace("six tokens", "nine tokens"), "2021-05-03")
    assert "nine tokens" in client.get(RULE).text
    assert queries == ["ferry:101.1"] * 2


def test_answers_that_depend_on_the_client_are_cached_apart(counting_client: tuple[TestClient, list[str]]) -> None:
    client, queries = counting_client
    english, japanese = (client.get(RULE, headers={"Accept-Language": lang}) for lang in ("en", "ja"))
    assert len(queries) == 2
    assert english.headers["etag"] == client.get(RULE, headers={"Accept-Language": "en-GB, ja;q=0.5"}).headers["etag"]
    assert len(queries) == 2
    assert japanese.status_code == 200


def test_answers_to_questions_are_not_kept(counting_client: tuple[TestClient, list[str]]) -> None:
    client, queries = counting_client
    for _ in range(2):
        assert client.get("/v1/search?q=ferry").status_code == 200
    assert queries == ["ferry", "ferry"]


def test_refusals_are_not_kept(counting_client: tuple[TestClient, list[str]]) -> None:
    client, queries = counting_client
    assert [client.get("/v1/rules?ref=ferry:999.9").status_code for _ in range(2)] == [404, 404]
    assert len(queries) == 2


@pytest.mark.parametrize(
    ("path", "other"),
    [
        (RULE, f"{RULE}&"),
        ("/v1/rules?ref=ferry:101.1&lang=en", "/v1/rules?lang=en&&ref=ferry:101.1"),
        ("/v1/rules/ferry/101.1", "/v1/rules/ferry/101%2E1"),
    ],
)
def test_one_answer_is_kept_once(counting_client: tuple[TestClient, list[str]], path: str, other: str) -> None:
    client, queries = counting_client
    accepts = ["*/*", "application/json", "application/json;x=1", "x/" + "y" * 50_000, "text/plain;q=0.1, application/*"]
    answers = {client.get(address, headers={"Accept": accept}).content for address in (path, other) for accept in accepts}
    assert len(answers) == 1
    assert len(queries) == 3  # for headers that allow everything, JSON alone, and what is of `application`
    assert [client.get(f"{path}{'&' if '?' in path else '?'}unknown={nth}").status_code for nth in range(2)] == [400, 400]


@given(st.lists(st.tuples(st.sampled_from([*OFFERED_MEDIA, "*/*", "application/*", "text/*", "x/y", ""]), st.integers(0, 4))))
@example([("text/turtle", 2), ("application/json", 2)])
def test_the_media_of_a_key_decide_as_the_header_does(ranges: list[tuple[str, int]]) -> None:
    header = ", ".join(f"{name};q=0.{weight}" for name, weight in ranges)
    scope = {"type": "http", "path": "/ns", "query_string": b"", "headers": [(b"accept", header.encode())]}
    media = cache_key(scope, Headers(scope=scope)).media
    for offers in (OFFERED_MEDIA[:2], OFFERED_MEDIA[1:]):
        assert next((kind for kind in media if kind in offers), None) == best_media(header, offers)


def test_a_long_header_is_read_up_to_a_length() -> None:
    values = ["gzip;q=0.5", *["x" * 90] * 30, "br"]
    assert best_coding(", ".join(values)) == "gzip"
    assert best_coding("x" * 70_000) == "identity"


def test_the_cache_is_bounded() -> None:
    keys = [CacheKey(f"/{place}{'-' * 5_000}", b"", None, ()) for place in range(9)]
    small = CachedResponse('"x"', [], {"identity": b"-" * 600})
    cache = ResponseCache(limit=4 * (keys[0].size + small.size))
    for key in keys:
        cache.put("one", key, CachedResponse('"x"', [], {"identity": b"-" * 600}))
        cache.get("one", keys[0])
    assert cache.get("one", keys[0])
    assert keys[0].size > 5_000
    assert sum(cache.get("one", key) is not None for key in keys) == 4
    assert cache.get("two", keys[0]) is None
    cache.put("two", keys[1], CachedResponse('"y"', [], {"identity": b"-"}))
    assert cache.get("one", keys[0]) is None


def test_static_files_are_kept_once_whatever_is_asked_of_them(client: TestClient) -> None:
    path = static_path("icon.svg")
    answers = [client.get(address, headers={"Accept-Encoding": "br"}) for address in (path, f"{path}?v=1", f"{path}?v=2&w")]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.headers["etag"] for answer in answers}) == 1
