"""Rulings through every face: the same bodies on the command line, over HTTP and from the library, and pages for people."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from rulestone import Library
from tests.support.bodies import fits
from tests.support.commands import call
from tests.support.editions import EDITIONS, text
from tests.support.homes import books_alone
from tests.support.texts import ROOT

FILES = ROOT / "tests" / "support" / "rulings"
OWN = "Can two ropes be tied to the same post?"
AT = "https://w3id.org/rulestone/id/ferry/rulings/desk/106"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A book and two files of rulings of The Game of Ferrymen."""
    folder = tmp_path_factory.mktemp("faces")
    (folder / "book.txt").write_text(text(EDITIONS[0]))
    with books_alone():
        book = ("--book", "cr", "--edition", EDITIONS[0], "--lang", "en")
        assert call(folder / "home", "add", folder / "book.txt", "--game", "ferry", *book).code == 0
        files = (FILES / "ferrymen.en.json", FILES / "ferrymen.ja.csv")
        ended = call(folder / "home", "add", *files, "--game", "ferry", "--source", "desk", "--authority", "official", "-v")
        assert ended.code == 0, ended.err
        assert "ferry/rulings/desk · en · 12 rulings" in ended.out
        assert "ferry/rulings/desk · ja · 9 rulings · 3 new, 6 unchanged" in ended.out
        yield folder / "home"


@pytest.fixture(scope="module")
def client(home: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Library.open(home, create=False))) as client:
        yield client


def test_a_ruling_is_one_thing_at_its_address(home: Path, client: TestClient) -> None:
    body = client.get("/v1/rulings/ferry/desk/106").json()
    fits("ruling", body)
    assert (body["iri"], body["question"]["en"], body["answer"]["ja"]) == (AT, OWN, "はい、それぞれが別に効果を持ちます。")
    assert client.get("/id/ferry/rulings/desk/106", headers={"Accept": "application/json"}).json() == body
    assert call(home, "show", AT, "--json").json() == {"total": 1, "rulings": [body]}
    assert call(home, "rulings", AT, "--json").json()["rulings"] == [body]
    output = call(home, "show", AT, "--lang", "en").out
    assert f"Q: {OWN}\n   A: Yes. Each of them holds on its own." in output
    assert "ferry ruling 106 · desk · 2023-03-08 · official · en" in output
    turtle = client.get("/id/ferry/rulings/desk/106", headers={"Accept": "text/turtle"}).text
    assert "Each of them holds on its own." in turtle
    assert client.get("/v1/rulings/ferry/desk/999").status_code == 404
    assert call(home, "show", f"{AT}9").code == 1


@pytest.mark.parametrize(
    ("query", "first"),
    [
        (OWN, "106"),
        ("同じ杭に綱を二本結べますか", "106"),
        ("two ropes, one post", "106"),
        ("水先案内人 霧", "201"),
        ("FR-041", "112"),
    ],
)
def test_rulings_are_found_by_question_or_name(home: Path, query: str, first: str) -> None:
    body = call(home, "rulings", query, "--json").json()
    fits("rulings", body)
    assert body["rulings"][0]["id"] == first


def test_rulings_are_listed_by_card_and_source(home: Path, client: TestClient) -> None:
    by_card = client.get("/v1/rulings", params={"card": "rope of hemp"}).json()
    fits("rulings", by_card)
    assert [ruling["id"] for ruling in by_card["rulings"]] == ["106", "111", "105"]
    assert call(home, "rulings", "Rope of Hemp", "--json").json() == by_card
    page = client.get("/v1/rulings", params={"source": "desk", "limit": 2, "offset": 1}).json()
    assert (page["total"], len(page["rulings"])) == (15, 2)
    assert client.get("/v1/rulings", params={"q": "rope post", "card": "Lantern"}).json()["total"] == 0
    assert client.get("/v1/rulings", params={"changed": "true"}).json()["total"] == 0
    assert client.get("/v1/rulings", params={"changed": "maybe"}).status_code == 400
    assert client.get("/v1/rulings", params={"colour": "red"}).status_code == 400
    assert client.get("/v1/rulings", params={"rule": "ferry:999.9"}).status_code == 404
    result = call(home, "rulings", "--source", "nobody")
    assert (result.code, result.out) == (1, "no rulings\n")


def test_the_rulings_of_a_rule_have_a_route_of_their_own(client: TestClient) -> None:
    body = client.get("/v1/rules/ferry/102.2/rulings").json()
    fits("rulings", body)
    assert client.get("/v1/rules/ferry/999.9/rulings").status_code == 404


@pytest.mark.parametrize(
    "query",
    ["keyforge does a goat count as one traveller", "ポケモン 同じ杭に綱を二本結べますか", "hearthstone two ropes one post"],
)
@pytest.mark.parametrize("kind", [(), ("--kind", "ruling")])
def test_no_ruling_answers_for_a_game_that_the_library_lacks(home: Path, query: str, kind: tuple[str, ...]) -> None:
    ended = call(home, "search", query, *kind, "--json")
    body = json.loads(ended.out)
    assert (body["abstained"], body["total"], body["hits"], ended.code) == (True, 0, [], 1)
    assert body["reason"]
    assert not call(home, "search", query.split(" ", 1)[1], *kind, "--json").json()["abstained"]


def test_search_shows_rulings_beside_rules_and_says_which_is_which(home: Path, client: TestClient) -> None:
    body = client.get("/v1/search", params={"q": OWN, "game": "ferry"}).json()
    fits("search", body)
    first = body["hits"][0]
    assert (first["kind"], first["number"], first["text"]) == ("ruling", None, f"{OWN}\nYes. Each of them holds on its own.")
    kinds = [hit["kind"] for hit in client.get("/v1/search", params={"q": "ferry travellers goat", "game": "ferry"}).json()["hits"]]
    assert "rule" in kinds
    assert "ruling" in kinds
    assert kinds.count("ruling") <= 3
    alone = client.get("/v1/search", params={"q": "ferry travellers goat", "kind": "ruling"}).json()
    assert {hit["kind"] for hit in alone["hits"]} == {"ruling"}
    assert len(alone["hits"]) > 3
    rules = client.get("/v1/search", params={"q": "ferry travellers goat", "game": "ferry", "kind": "rule"}).json()
    assert "ruling" not in {hit["kind"] for hit in rules["hits"]}
    assert client.get("/v1/search", params={"q": "x", "kind": "card"}).status_code == 400
    assert (
        f"1. ferry ruling 106 · desk · 2023-03-08 · official · en · Rope of Hemp, 麻の綱\n   {OWN}" in call(home, "search", OWN).out
    )


def test_every_face_gives_the_answer_that_stood_as_of_a_moment(home: Path, client: TestClient) -> None:
    late, early = {"as_of": "2025"}, {"as_of": "2023-03-07"}
    now = client.get("/v1/rulings/ferry/desk/106").json()
    assert client.get("/v1/rulings/ferry/desk/106", params=late).json() == now
    missing = client.get("/v1/rulings/ferry/desk/106", params=early)
    assert (missing.status_code, "had no answer then" in missing.json()["detail"]) == (404, True)
    totals = [client.get("/v1/rulings", params={"card": "rope of hemp", **moment}).json()["total"] for moment in (late, early)]
    assert totals[0] > totals[1]
    assert call(home, "rulings", "Rope of Hemp", "--as-of", "2023-03-07", "--json").json()["total"] == totals[1]
    assert call(home, "show", AT, "--as-of", "2025", "--json").json()["rulings"] == [now]
    assert call(home, "show", AT, "--as-of", "2023-03-07").code == 1
    assert call(home, "rulings", "--as-of", "2023-02-31").code == 2
    html = {"Accept": "text/html"}
    assert client.get("/id/ferry/rulings/desk/106", params=late, headers=html).status_code == 200
    assert client.get("/id/ferry/rulings/desk/106", params=early, headers=html).status_code == 404
    assert client.get("/v1/rules/ferry/102.2/rulings", params=early).status_code == 200


def test_people_get_pages(client: TestClient) -> None:
    html = {"Accept": "text/html"}
    page = client.get("/id/ferry/rulings/desk/106", headers=html)
    assert page.status_code == 200
    assert OWN in page.text
    assert "Each of them holds on its own." in page.text
    results = client.get("/", params={"q": OWN}, headers=html)
    assert "/id/ferry/rulings/desk/106" in results.text


def test_rulings_add_prints_the_next_command(home: Path) -> None:
    ended = call(home, "rulings", "add", "faq.json")
    assert (ended.code, ended.out) == (2, "")
    assert "rulestone add faq.json --game GAME" in ended.err
