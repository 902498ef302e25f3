"""`/v1/sections` and `/v1/outline`: a section whole and in order, page by page, and the headings of a book."""

import pytest
from fastapi.testclient import TestClient

from tests.support.bodies import fits


def test_a_section_is_read_whole_in_the_books_order(client: TestClient) -> None:
    body = client.get("/v1/sections/ferry:101.1").json()
    places = [rule["locator"] for rule in body["rules"]]
    assert "101.1" in places
    assert [rule["locator"] for rule in body["rules"] if rule["marked"]] == ["101.1"]
    assert len(places) == body["total"]
    assert body["cursor"] is None
    assert body == client.get("/v1/sections", params={"ref": "ferry:101.1"}).json()


def test_a_small_budget_is_continued_by_the_cursor_and_loses_nothing(client: TestClient) -> None:
    whole = client.get("/v1/sections/dm:4", params={"tokens": 20_000, "lang": "en"}).json()
    places, cursor = [], "0"
    while cursor:
        page = client.get("/v1/sections/dm:4", params={"tokens": 200, "cursor": cursor, "lang": "en"}).json()
        places += [rule["iri"] for rule in page["rules"]]
        cursor = page["cursor"]
    assert places == [rule["iri"] for rule in whole["rules"]]
    assert len(places) == whole["total"] > 10


def test_a_brief_section_has_the_fields_of_a_citation(client: TestClient) -> None:
    path = "/v1/sections/ferry:101.1"
    brief, full = (client.get(path, params={"view": view, "lang": "en"}) for view in ("brief", "full"))
    fits("brief_section_text", brief.json())
    fits("section_text", full.json())
    assert len(brief.content) < len(full.content) * 2 / 3
    assert brief.json()["heading"] == full.json()["heading"]
    assert brief.json()["next"]["title"] == full.json()["next"]["heading"][-1]
    for rule, whole in zip(brief.json()["rules"], full.json()["rules"], strict=True):
        assert rule == {name: whole[name] for name in rule}
        assert {"ref", "number", "text"} <= rule.keys()
        assert rule.get("marked", False) == whole["marked"]


def test_a_cursor_is_of_one_section(client: TestClient) -> None:
    cursor = client.get("/v1/sections/dm:4", params={"tokens": 200, "lang": "en"}).json()["cursor"]
    assert client.get("/v1/sections/dm:4", params={"cursor": cursor, "lang": "ja"}).status_code == 200
    for ref in ("dm:400", "ferry:101.1"):
        response = client.get(f"/v1/sections/{ref}", params={"cursor": cursor, "lang": "en"})
        assert response.status_code == 400
        assert "expected the cursor of the previous answer to the same request" in response.json()["detail"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/sections/ferry:999.9", 404),
        ("/v1/sections/ferry:101.1?cursor=999", 400),
        ("/v1/sections/ferry:101.1?cursor=first", 400),
        ("/v1/sections/dm:4?cursor=1", 400),
        ("/v1/sections/ferry:101.1?tokens=1", 400),
        ("/v1/sections/ferry:101.1?size=1", 400),
        ("/v1/outline?book=no/book", 400),
        ("/v1/outline?book=ferry/cr&depth=0", 400),
        ("/v1/outline", 400),
    ],
)
def test_bad_requests_say_so(client: TestClient, path: str, status: int) -> None:
    reply = client.get(path)
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")


def test_the_sections_beside_it_lead_on(client: TestClient) -> None:
    section = client.get("/v1/sections/dm:401", params={"lang": "en"}).json()
    next_section = client.get(f"/v1/sections/{section['next']['ref']}", params={"lang": "en"}).json()
    assert next_section["previous"]["iri"] == section["iri"]
    assert next_section["heading"] == section["next"]["heading"]


def test_the_outline_is_the_headings_in_order(client: TestClient) -> None:
    shallow = client.get("/v1/outline", params={"book": "dm/zones-summary", "depth": 1, "lang": "en"}).json()
    deep = client.get("/v1/outline", params={"book": "dm/zones-summary", "depth": 2, "lang": "en"}).json()
    assert {part["depth"] for part in shallow["parts"]} == {0}
    assert {part["depth"] for part in deep["parts"]} == {0, 1}
    assert all(part["title"] and part["ref"] for part in deep["parts"])


def test_a_rule_names_its_neighbours_by_reference(client: TestClient) -> None:
    rule = client.get("/v1/rules", params={"ref": "dm:400.3b"}).json()["rules"][0]
    assert rule["ref"] == "dm/zones-summary:undated:400.3b"
    assert client.get("/v1/rules", params={"ref": rule["parent_ref"]}).json()["rules"][0]["iri"] == rule["parent"]
    parent = client.get("/v1/rules", params={"ref": rule["parent_ref"]}).json()["rules"][0]
    assert rule["ref"] in [child["ref"] for child in parent["children"]]
