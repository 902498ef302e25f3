"""The HTTP API answers with the same bodies as the command line, in the language asked for."""

import json
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.cli.app import main
from tests.support.bodies import fits


def cli(home: Path, *arguments: str) -> Any:  # noqa: ANN401
    out = TextIOWrapper(BytesIO(), "utf-8")
    with redirect_stdout(out):
        assert main(["--home", str(home), *arguments, "--json"]) == 0
    out.seek(0)
    return json.loads(out.read())


@pytest.mark.parametrize(
    ("path", "schema", "arguments"),
    [
        ("/v1/rules?ref=ferry:101", "rules", ["show", "ferry:101", "--lang", "en"]),
        ("/v1/rules?ref=dm:400.3b&lang=ja", "rules", ["show", "dm:400.3b", "--lang", "ja"]),
        ("/v1/rules?ref=ferry:101.1&in=en&lang=zh", "rules", ["show", "ferry:101.1", "--in", "en", "--lang", "zh"]),
        ("/v1/rules?ref=dm%20400.3", "rules", ["show", "dm", "400.3", "--lang", "en"]),
        ("/v1/cites?ref=ferry:101.2", "cites", ["cites", "ferry:101.2"]),
        ("/v1/concepts?ref=yard&lang=ja", "concepts", ["concept", "yard", "--lang", "ja"]),
        ("/v1/concepts?ref=graveyard", "concepts", ["concept", "graveyard", "--lang", "en"]),
        ("/v1/concepts/mtg/graveyard?lang=zh-Hant", "concepts", ["concept", "mtg/graveyard", "--lang", "zh-Hant"]),
        ("/v1/topics?games=dm,mtg&lang=ja", "topics", ["compare", "topics", "--games", "dm,mtg", "--lang", "ja"]),
        ("/v1/topics?topic=mulligan&lang=zh", "topics", ["compare", "topics", "--topic", "マリガン", "--lang", "zh"]),
        ("/v1/terms?label=%E5%B1%B1%E6%9C%AD&lang=ja", "terms", ["term", "山札", "--lang", "ja"]),
        (
            "/v1/terms?label=yard&in=zh&game=mtg&offset=1&limit=2",
            "terms",
            ["term", "yard", "--in", "zh", "--game", "mtg", "--offset", "1", "--limit", "2"],
        ),
    ],
)
def test_bodies_equal_those_of_the_command_line(
    client: TestClient, home: Path, path: str, schema: str, arguments: list[str]
) -> None:
    response = client.get(path)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    fits(schema, response.json())
    assert response.json() == cli(home, *arguments)


@pytest.mark.parametrize(
    ("path", "editions"),
    [
        ("ferry/101.1", ["2021-05-03", "2020-01-01"]),
        ("ferry/2020-01-01:101.1", ["2020-01-01"]),
        ("ferry/cr/2020-01-01/101.1", ["2020-01-01"]),
        ("ferry/cr/latest/101.1", ["2021-05-03", "2020-01-01"]),
        ("ferry/glossary/goose", ["2021-05-03", "2020-01-01"]),
        ("dm/zones-summary/400.3b", ["undated"]),
        ("dm/zones-summary/undated/400.3b", ["undated"]),
        ("DM/400.3B", ["undated"]),
    ],
)
def test_rules_by_path(client: TestClient, path: str, editions: list[str]) -> None:
    body = client.get(f"/v1/rules/{path}").json()
    assert body["ref"] == path
    assert [rule["edition"] for rule in body["rules"]] == editions
    assert client.get(f"/v1/cites/{path}").json()["rule"]["edition"] == editions[0]


def test_editions(client: TestClient) -> None:
    body = client.get("/v1/editions").json()
    fits("editions", body)
    ferry = [
        (edition["edition"], edition["current"], edition["rules"]) for edition in body["editions"] if edition["game"] == "ferry"
    ]
    assert ferry == [("2020-01-01", False, 18), ("2021-05-03", True, 18)]


def test_the_list_of_concepts(client: TestClient) -> None:
    body = client.get("/v1/concepts?game=mtg&kind=zone&limit=4&offset=2&lang=ja").json()
    fits("concept_list", body)
    assert (len(body["concepts"]), body["offset"], body["limit"]) == (4, 2, 4)
    assert {(concept["game"], concept["kind"], concept["lang"]) for concept in body["concepts"]} == {("mtg", "zone", "ja")}
    assert len(client.get("/v1/concepts").json()["concepts"]) == 100


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/v1/concepts/mtg/exile", "zh-Hant"),
        ("/v1/concepts/exile", "zh-Hant"),
        ("/v1/concepts", "zh-Hant"),
        ("/v1/terms?label=exile", "zh-Hant"),
        ("/id/concept/mtg/exile", "zh-Hant"),
        ("/v1/terms?label=exile&lang=ja", "ja"),
    ],
)
def test_concepts_say_which_language_they_are_told_in(client: TestClient, path: str, language: str) -> None:
    """A request for traditional Chinese gets the names in traditional characters, marked as such."""
    response = client.get(path, headers={"Accept-Language": "fr, zh-TW;q=0.9, en;q=0.1", "Accept": "application/json"})
    assert response.headers["content-language"] == language
    assert "Accept-Language" in response.headers["vary"]
    tag = response.headers["etag"]
    second = client.get(path, headers={"Accept-Language": "zh-TW", "Accept": "application/json", "If-None-Match": tag})
    assert second.status_code == 304


def test_health(client: TestClient, home: Path) -> None:
    body = client.get("/healthz").json()
    fits("health", body)
    assert body["bundle"] == (home / "current").read_text().strip()
    assert body["rules"] > 36


@pytest.mark.parametrize(
    ("query", "header", "lang"),
    [
        ("", None, "en"),
        ("", "ja", "ja"),
        ("", "fr, zh-TW;q=0.8, ja;q=0.7", "zh-Hant"),
        ("", "en;q=0, ja;q=0.1", "ja"),
        ("", "*;q=0.5, fr", "en"),
        ("", ";;q=,,q=x;ja", "en"),
        ("&lang=zh", "ja", "zh-Hans"),
    ],
)
def test_the_clients_language(client: TestClient, query: str, header: str | None, lang: str) -> None:
    response = client.get(f"/v1/rules?ref=dm:400.3b{query}", headers={"Accept-Language": header} if header else {})
    assert response.json()["rules"][0]["lang"] == lang
    assert response.headers["content-language"] == lang
    assert "Accept-Language" in response.headers["vary"]
