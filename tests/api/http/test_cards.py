"""Cards over HTTP and on the command line: one body, and a question that names one says so."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from rulestone import Library
from tests.support.bodies import fits
from tests.support.commands import call
from tests.support.homes import CARDS


@pytest.fixture(scope="module")
def desk(cards_home: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Library.open(cards_home, create=False)), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(
    ("query", "arguments"),
    [
        ("name=Oarbreaker", ["Oarbreaker", "--lang", "en"]),
        ("name=オール折り&lang=ja", ["オール折り", "--lang", "ja"]),
        ("name=静林谕令&game=mtg&lang=zh", ["静林谕令", "--game", "mtg", "--lang", "zh"]),
    ],
)
def test_both_faces_answer_alike(desk: TestClient, cards_home: Path, query: str, arguments: list[str]) -> None:
    response = desk.get(f"/v1/cards?{query}")
    fits("cards", response.json())
    assert response.json() == call(cards_home, "cards", *arguments, "--json").json()


@pytest.mark.parametrize(
    ("query", "status", "detail"),
    [("", 400, "missing: name"), ("?name=Nobody", 404, "no card is called Nobody"), ("?name=", 400, "name is empty")],
)
def test_an_unanswerable_request_is_a_problem(desk: TestClient, query: str, status: int, detail: str) -> None:
    response = desk.get(f"/v1/cards{query}")
    fits("problem", response.json())
    assert (response.status_code, detail in response.json()["detail"]) == (status, True)


def test_a_search_says_which_card_it_heard(desk: TestClient) -> None:
    body = desk.get("/v1/search?q=does the Ferryman's Oath let me draw a card&game=ferry").json()
    fits("search", body)
    assert [card["name"] for card in body["understood"]["cards"]] == ["The Ferryman's Oath"]


def test_the_terminal_shows_a_card(cards_home: Path) -> None:
    result = call(cards_home, "cards", "川底の鐘")
    assert (result.code, result.out.splitlines()[0]) == (
        0,
        "ferry · 川底の鐘 (ja) · 河底之钟 (zh-Hans) · Bell of the Riverbed (en)",
    )
    assert "also 底の鐘" in result.out.replace("ja: ", "")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.csv"], 2, "there is no such file"),
        (["Nobody"], 1, "no card is called Nobody"),
        (["Nobody", "--lang", "ja"], 1, "Nobody という名のカードはありません"),
        ([], 2, "FILE|NAME is missing"),
    ],
)
def test_an_error_is_one_line(cards_home: Path, arguments: list[str], code: int, message: str) -> None:
    ended = call(cards_home, "cards", *arguments)
    assert (ended.code, message in ended.err, ended.err.count("\n")) == (code, True, 1)


def test_a_removed_file_takes_its_cards_along(cards_home: Path, tmp_path: Path) -> None:
    home = shutil.copytree(cards_home, tmp_path / "home")
    known = call(home, "cards", CARDS, "--json").json()
    fits("cards_added", known)
    assert (known["added"]["status"], known["added"]["cards"]) == ("known", 5)
    assert call(home, "remove", "ferry.csv").out.strip() == "removed 5 cards of ferry, mtg · ferry.csv"
    assert call(home, "cards", "Fog").code == 1
