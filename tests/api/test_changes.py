"""Changes between editions on the command line and over HTTP, and the thread on a rule's page."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from corpus.address import iri_of
from corpus.store.home import Home
from rulestone import Library
from tests.support.bodies import SCHEMAS, component
from tests.support.commands import call
from tests.support.editions import MIDDLE, NEWEST, OLDEST

ATOM = "{http://www.w3.org/2005/Atom}"


def iri(edition: str, locator: str) -> str:
    return iri_of(f"ferry/cr/{edition}/{locator}")


@pytest.fixture(scope="module")
def client(editions: Home) -> Iterator[TestClient]:
    with TestClient(create_app(Library.open(editions.path, create=False)), raise_server_exceptions=False) as client:
        yield client


def held(name: str, body: Any) -> Any:  # noqa: ANN401
    """A body that fits its schema, with no field that the schema does not name."""
    schemas = json.loads(json.dumps(SCHEMAS))
    for schema in schemas.values():
        schema |= {"additionalProperties": False} if "properties" in schema else {}
    jsonschema.validate(body, {"$ref": f"#/components/schemas/{component(name)}", "components": {"schemas": schemas}})
    return body


def test_changes_of_two_editions(client: TestClient) -> None:
    body = held("changes", client.get("/v1/changes", params={"book": "ferry/cr", "from": OLDEST}).json())
    assert (body["from"], body["to"]) == (OLDEST, NEWEST)
    moves = [
        (change["kind"], change["old"] and change["old"]["locator"], change["new"] and change["new"]["locator"])
        for change in body["changes"]
    ]
    assert moves == [
        ("added", None, "101.2"),
        ("added", None, "101.3"),
        ("moved-edited", "101.2", "101.4"),
        ("moved-edited", "101.3", "101.5"),
    ]
    move, reference_change = body["changes"][2:]
    assert move["reused"] == iri(NEWEST, "101.2")
    assert (move["only_references"], reference_change["only_references"]) == (False, True)
    edits = [(span["op"], move["new"]["text"][slice(*span["new"])]) for span in move["spans"] if span["op"] != "equal"]
    assert edits == [("insert", "alone ")]
    assert (body["counts"]["added"], body["counts"]["moved-edited"], body["counts"]["reused"]) == (2, 2, 2)
    assert body["summary"] == "2 new rules, 101.2 → 101.4 and 1 more move, 1 reworded, 1 with renumbered references only"


@pytest.mark.parametrize(("kind", "rules"), [("added", 2), ("moved-edited", 2), ("only_references", 1), ("reused", 2)])
def test_the_page_of_changes_shows_those_of_each_kind_that_is_counted(client: TestClient, kind: str, rules: int) -> None:
    page = client.get("/changes", params={"book": "ferry/cr", "from": OLDEST, "kind": kind}, headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert page.text.count('<li><p class="meta">') == rules
    assert f"kind={kind}" in page.text


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"book": "ferry", "from": "2020", "to": "2021"}, 3),
        ({"book": "ferry/cr", "from": "2021-06", "section": "101"}, 3),
        ({"book": "ferry/cr", "from": "2021-06", "section": "102"}, 0),
    ],
)
def test_editions_by_date_and_sections(client: TestClient, query: dict[str, str], count: int) -> None:
    assert len(client.get("/v1/changes", params=query).json()["changes"]) == count


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ({"book": "ferry/cr"}, 400, "from"),
        ({"book": "chess", "from": "2020"}, 400, "ferry/cr"),
        ({"book": "ferry/cr", "from": "1999"}, 404, OLDEST),
        ({"book": "ferry/cr", "from": NEWEST}, 400, "newest"),
        ({"book": "ferry/cr", "from": NEWEST, "to": OLDEST}, 400, "later"),
        ({"book": "ferry/cr", "from": OLDEST, "section": "999"}, 404, "999"),
        ({"book": "ferry/cr", "from": OLDEST, "sektion": "7"}, 400, "section"),
    ],
)
def test_incomparable_texts(client: TestClient, query: dict[str, str], status: int, words: str) -> None:
    answer = client.get("/v1/changes", params=query)
    assert (answer.status_code, words in answer.json()["detail"]) == (status, True)


def test_a_thread(client: TestClient) -> None:
    body = held("thread", client.get("/v1/threads", params={"ref": f"ferry:{MIDDLE}:101.3"}).json())
    assert [(step["edition"], step["iri"], step["kind"]) for step in body["steps"]] == [
        (OLDEST, iri(OLDEST, "101.2"), "first"),
        (MIDDLE, iri(MIDDLE, "101.3"), "moved"),
        (NEWEST, iri(NEWEST, "101.4"), "moved-edited"),
    ]
    assert body["steps"][1]["reused"] == iri(MIDDLE, "101.2")
    assert client.get("/v1/threads/ferry/101.1").json()["steps"][2]["kind"] == "same"


def test_the_feed_is_atom(client: TestClient) -> None:
    answer = client.get("/v1/changes.atom")
    feed = ET.fromstring(answer.content)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}id") for entry in entries] == [
        iri_of(f"ferry/cr/{edition}") for edition in (NEWEST, MIDDLE, OLDEST)
    ]
    for part in (feed, *entries):
        assert all(part.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated"))
    assert "1 new rule" in (entries[0].findtext(f"{ATOM}summary") or "")


def test_a_rule_has_its_new_place_and_the_new_rule_of_its_number(client: TestClient) -> None:
    [old] = client.get("/v1/rules", params={"ref": f"ferry:{OLDEST}:101.2"}).json()["rules"]
    assert [rule["iri"] for rule in old["successor"]["mapped"]] == [iri(NEWEST, "101.4")]
    assert (old["successor"]["reused"], old["successor"]["same_number"]) == (True, iri(NEWEST, "101.2"))
    history = held("history", old["history"])
    assert [rule["iri"] for rule in history["moved_to"]] == [iri(NEWEST, "101.4")]
    assert history["number_is"]["iri"] == iri(MIDDLE, "101.2")
    assert history["edited_since"] == [NEWEST]
    assert any(span["op"] == "insert" for span in history["changes"])


def test_a_current_rule_tells_where_it_was(client: TestClient) -> None:
    rules = client.get("/v1/rules", params={"ref": "ferry:101.2"}).json()["rules"]
    [current] = [rule for rule in rules if rule["edition"] == NEWEST]
    assert (current["history"]["number_was"]["iri"], current["history"]["moved_from"]) == (iri(OLDEST, "101.2"), [])
    [moved_rule] = client.get("/v1/rules", params={"ref": f"ferry:{NEWEST}:101.4"}).json()["rules"]
    assert [rule["iri"] for rule in moved_rule["history"]["moved_from"]] == [iri(MIDDLE, "101.3")]


def test_a_hit_says_so_too(client: TestClient, editions: Home) -> None:
    query = "who decides who boards the ferry first"
    hits = client.get("/v1/search", params={"q": query, "game": "ferry"}).json()["hits"]
    [hit] = [held("hit", hit) for hit in hits if hit["iri"] == iri(NEWEST, "101.4")]
    assert [rule["iri"] for rule in hit["history"]["moved_from"]] == [iri(MIDDLE, "101.3")]
    assert "was 101.3 in 2021-01-01" in call(editions.path, "search", query, "--game", "ferry").out


def test_the_page_says_so(editions: Home) -> None:
    words = call(editions.path, "show", f"ferry:{OLDEST}:101.2").out
    assert "101.2 is ANOTHER RULE; see its 101.4 (moved and reworded)" in words
    assert "was 101.3 in 2021-01-01" in call(editions.path, "show", f"ferry:{NEWEST}:101.4").out


def test_diff_marks_words_without_colour(editions: Home) -> None:
    words = call(editions.path, "diff", "ferry/cr", OLDEST).out
    assert "101.2 → 101.4 · moved and reworded, 101.2 is another rule now" in words
    assert "The ferryman {+alone +}decides" in words
    assert "\x1b" not in words


def test_a_page_that_can_be_mailed(editions: Home, tmp_path: Path) -> None:
    page = tmp_path / "changes.html"
    assert call(editions.path, "diff", "ferry/cr", OLDEST, "--html", page).code == 0
    words = page.read_text(encoding="utf-8")
    assert "<ins>alone </ins>" in words
    assert "http" not in words
    assert call(editions.path, "diff", "ferry/cr", OLDEST, "--html", page, "--json").code == 2


def test_commands_and_http_give_the_same_bodies(editions: Home, client: TestClient) -> None:
    query = {"book": "ferry/cr", "from": OLDEST, "to": MIDDLE}
    diff = call(editions.path, "diff", "ferry/cr", OLDEST, MIDDLE, "--json").json()
    assert diff == client.get("/v1/changes", params=query).json()
    thread = call(editions.path, "thread", "ferry:101.1", "--json").json()
    assert thread == client.get("/v1/threads", params={"ref": "ferry:101.1"}).json()
    assert "101.1 · unchanged" in call(editions.path, "thread", "ferry:101.1").out
