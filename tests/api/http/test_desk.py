"""Downloads for translators: the same bytes as the library gives, with a type and a name."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from rulestone import Library


@pytest.fixture(scope="module")
def library(translated_home: Path) -> Iterator[Library]:
    with Library.open(translated_home, create=False) as library:
        yield library


@pytest.fixture(scope="module")
def client(library: Library) -> Iterator[TestClient]:
    with TestClient(create_app(library), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(("kind", "media"), [("tmx", "application/x-tmx+xml"), ("xliff", "application/xliff+xml")])
def test_bitext_is_a_file_to_download(client: TestClient, library: Library, kind: str, media: str) -> None:
    answer = client.get("/v1/bitext", params={"format": kind, "book": "ferry/cr", "target": "ja"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    assert answer.headers["content-disposition"] == f'attachment; filename="rulestone.{kind}"'
    assert answer.content == b"".join(library.bitext(kind, "ferry/cr", target="ja"))


@pytest.mark.parametrize(
    ("query", "status"),
    [("format=tmx&book=mtg", 404), ("format=docx", 400), ("", 400), ("format=tmx&source=ja&target=ja", 400)],
)
def test_refused_bitext_requests_are_problems(client: TestClient, query: str, status: int) -> None:
    answer = client.get(f"/v1/bitext?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize(
    ("kind", "media", "name"),
    [
        ("tbx", "application/x-tbx+xml", "rulestone.tbx"),
        ("tbx-2008", "application/x-tbx+xml", "rulestone.tbx"),
        ("csv", "text/csv; charset=utf-8", "rulestone.csv"),
        ("skos", "text/turtle; charset=utf-8", "rulestone.ttl"),
    ],
)
def test_a_termbase_is_a_file_to_download(client: TestClient, library: Library, kind: str, media: str, name: str) -> None:
    answer = client.get("/v1/termbase", params={"format": kind, "games": "mtg", "langs": "ja,en", "concepts": "zones"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    plain, _, dialect = kind.partition("-")
    assert answer.content == library.termbase(plain, games="mtg", langs="ja,en", concepts="zones", dialect=dialect or None)


def test_a_workbook_is_one(client: TestClient) -> None:
    answer = client.get("/v1/termbase?format=xlsx&games=mtg&with_texts=true")
    assert (answer.status_code, answer.content[:2]) == (200, b"PK")


@pytest.mark.parametrize("query", ["format=tbx&with_texts=maybe", "format=skos", "format=tbx&concepts=zonez", "games=mtg"])
def test_a_termbase_that_cannot_be_made_is_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"/v1/termbase?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")


def test_a_concordance_is_that_of_the_library(client: TestClient, library: Library) -> None:
    answer = client.get(
        "/v1/concordance", params={"q": "goose|token", "regex": "true", "games": "ferry", "part": "text", "limit": 2}
    )
    assert answer.json() == library.concordance("goose|token", regex=True, games="ferry", parts="text", limit=2)
    table = client.get("/v1/concordance?q=token&format=tsv")
    assert (table.status_code, table.headers["content-type"]) == (200, "text/tab-separated-values; charset=utf-8")
    assert table.content == library.concordance_file(library.concordance("token", limit=10000), "tsv")


@pytest.mark.parametrize("query", ["", "q=(&regex=true", "q=a&regex=maybe", "q=a&part=poem", "q=a&format=doc", "q=a&limit=0"])
def test_a_concordance_that_cannot_be_made_is_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"/v1/concordance?{query}")
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
