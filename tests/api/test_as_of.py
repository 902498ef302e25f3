"""Texts and rules of a day, the same in every way in: what changed since, the numbers of today, and what nobody can know."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft7Validator
from starlette.testclient import TestClient

from api.http.app import create_app
from api.mcp.tools import tools
from rulestone import Library
from tests.support.commands import call
from tests.support.schemas import published_json

OLD = "---\ndate: 2019-03-01\n---\nFerry rule 101.2 sinks it; by rule 101.2a all is lost, and rule 201.3 is odd.\n"
LATER = "---\ndate: 2025-06-30\n---\nFerry rule 201.1 is due, and rule 999.9z lets geese win.\n"
UNKNOWN = "2025-06-30 is after the newest loaded edition, 2024-09-20: a later one may have another rule {}"


@pytest.fixture(scope="module")
def home(crossings_home: Path) -> Path:
    return crossings_home


@pytest.fixture(scope="module")
def client(home: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Library.open(home, create=False))) as client:
        yield client


@pytest.fixture
def old(tmp_path: Path) -> Path:
    file = tmp_path / "old.md"
    file.write_text(OLD, encoding="utf-8")
    return file


def test_a_copy_has_the_numbers_of_today(home: Path, old: Path, tmp_path: Path) -> None:
    copy = tmp_path / "new.md"
    ended = call(home, "verify", old, "--fixed", copy)
    assert copy.read_text("utf-8") == OLD.replace("101.2 ", "101.4 ").replace("101.2a", "101.4a").replace("201.3", "203.1")
    assert ended.err.splitlines() == [
        f"{old}:4:12: 101.2 → 101.4",
        f"{old}:4:36: 101.2a → 101.4a",
        f"{old}:4:65: 201.3 → 203.1",
        f"3 numbers changed in {copy}; check it with: --as-of latest",
    ]
    assert call(home, "verify", copy, "--as-of", "latest", "--game", "ferry").code == 0


def test_sarif_has_the_numbers_of_today_as_fixes(home: Path, old: Path, tmp_path: Path) -> None:
    assert call(home, "verify", old, "--sarif", tmp_path / "found.sarif").code == 1
    [run] = json.loads((tmp_path / "found.sarif").read_text("utf-8"))["runs"]
    replaced = [fix for result in run["results"] for fix in result["fixes"]]
    assert [fix["description"]["text"] for fix in replaced] == ["101.2 → 101.4", "101.2a → 101.4a", "201.3 → 203.1"]
    lines = OLD.split("\n")
    for fix in replaced:
        [change] = fix["artifactChanges"]
        [replacement] = change["replacements"]
        region = replacement["deletedRegion"]
        line = lines[region["startLine"] - 1]
        number, _, today = fix["description"]["text"].partition(" → ")
        assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == number
        assert replacement["insertedContent"] == {"text": today}
        assert change["artifactLocation"] == run["artifacts"][0]["location"] | {"index": 0}


@pytest.mark.parametrize("text", [OLD, LATER])
def test_sarif_fits_the_published_schema(home: Path, tmp_path: Path, text: str) -> None:
    schema = published_json("sarif-2.1.0-rtm.5.json")
    file = tmp_path / "post.md"
    file.write_text(text, encoding="utf-8")
    assert call(home, "verify", file, "--sarif", tmp_path / "found.sarif").code == 1
    Draft7Validator(schema).validate(json.loads((tmp_path / "found.sarif").read_text("utf-8")))


def test_the_page_has_a_table_of_changes(client: TestClient) -> None:
    page = client.post("/check", data={"text": OLD, "game": "", "as_of": ""}).text
    table = page[page.index("<tbody>") : page.index("</tbody>")]
    rows = [row for row in table.split("<tr>") if "<td>" in row]
    numbers = [("101.2", "101.4"), ("101.2a", "101.4a"), ("201.3", "203.1")]
    assert len(rows) == len(numbers)
    for row, (number, today) in zip(rows, numbers, strict=True):
        assert f"/id/ferry/cr/2019-03-01/{number}" in row
        assert f"/id/ferry/cr/2024-09-20/{today}" in row
    assert page.index("is checked against 1 Mar 2019") < page.index("<table")
    assert "<table" not in client.post("/check", data={"text": "Ferry rule 201.1.", "game": "", "as_of": ""}).text


def test_a_text_later_than_every_edition_is_unchecked_everywhere(home: Path, client: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "later.md"
    file.write_text(LATER, encoding="utf-8")
    notes = [UNKNOWN.format(number) for number in ("201.1", "999.9z")]
    ended = call(home, "verify", file, "--sarif", tmp_path / "found.sarif")
    assert [ended.out.count(note) for note in notes] == [1, 1]
    body = json.loads(call(home, "verify", file, "--json").out)
    assert [(one["status"], one["checked"], one["note"]) for one in body["citations"]] == [
        ("unchecked", None, note) for note in notes
    ]
    assert [len(one["candidates"]) for one in body["citations"]] == [1, 0]
    assert client.post("/v1/verify", json={"text": LATER}).json() == body
    with Library.open(home, create=False) as library:
        assert tools()["verify_citations"].answer(library, {"text": LATER})["citations"] == body["citations"]
    [run] = json.loads((tmp_path / "found.sarif").read_text("utf-8"))["runs"]
    assert [(one["ruleId"], one["level"]) for one in run["results"]] == [("unchecked", "note")] * 2
    assert all(note in one["message"]["text"] for note, one in zip(notes, run["results"], strict=True))
    page = client.post("/check", data={"text": LATER, "game": "", "as_of": ""}).text
    assert [page.count(note) for note in notes] == [1, 1]
    assert (ended.code, call(home, "verify", file, "--fail-on", "wrong,stale").code) == (1, 0)


def test_a_rule_of_a_day_between_editions_says_so_everywhere(home: Path, client: TestClient) -> None:
    note = "no edition of 2020-07-15 is loaded; 101.2 of 2019-03-01 and of 2021-05-03 have different words"
    first, second = call(home, "show", "ferry:101.2", "--as-of", "2020-07-15").out.splitlines()[:2]
    assert first == "The Game of Ferrymen · CR, 1 Mar 2019 · 101.2 · as of 2020-07-15 · official · en"
    assert second == note
    day = {"asked": "2020-07-15", "next": "2021-05-03", "certain": False, "note": note}
    for path in ("/v1/rules?ref=ferry:101.2&as_of=2020-07-15", "/v1/rules/ferry/101.2?as_of=2020-07-15"):
        assert client.get(path).json()["rules"][0]["as_of"] == day
    with Library.open(home, create=False) as library:
        assert tools()["get_rule"].answer(library, {"ref": "ferry:101.2", "as_of": "2020-07-15"})["rules"][0]["as_of"] == day
    page = client.get("/id/ferry/cr/2019-03-01/101.2?as_of=2020-07-15", headers={"Accept": "text/html"}).text
    assert note in page
    assert ">as of 2020-07-15</span>" in page
    assert '<span class="badge current">' not in page
