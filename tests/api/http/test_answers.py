"""`/v1/answers`: the body, the same as events, and what is refused."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.support.bodies import fits

Json = dict[str, Any]
PATH = "/v1/answers?q=order+of+cards+in+the+graveyard&game=dm&lang=en"


def events(text: str) -> list[tuple[str, Json]]:
    """The events of a stream, as the standard has them read."""
    pairs = []
    for block in text.removesuffix("\n\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        pairs.append((fields["event"], json.loads(fields["data"])))
    return pairs


def test_an_answer(client: TestClient) -> None:
    response = client.get(PATH)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert {"Accept", "Accept-Language"} <= set(response.headers["vary"].replace(",", "").split())
    body = response.json()
    fits("ask", body)
    for claim in body["claims"]:
        [rule] = client.get(f"/v1/rules?ref={claim['ref']}").json()["rules"]
        quote = claim["quote"]
        assert rule["iri"] == claim["rule"]
        assert rule["digest"]["en"][quote["start"] : quote["end"]] == quote["text"] == claim["text"]
        assert (claim["source"], claim["authority"], "unofficial" in claim["note"]) == ("digest", None, True)
    assert client.get(PATH, headers={"If-None-Match": response.headers["etag"]}).status_code == 304


def test_the_same_as_events(client: TestClient) -> None:
    body = client.get(PATH).json()
    response = client.get(PATH, headers={"Accept": "text/event-stream"})
    assert response.headers["content-type"].startswith("text/event-stream")
    stream = events(response.text)
    assert [name for name, _ in stream] == [
        "answer",
        *["claim"] * len(body["claims"]),
        *["difference"] * len(body["differences"]),
        "end",
    ]
    assert stream[0][1] == {name: body[name] for name in ("query", "lang", "as_of", "state", "abstained", "reason")}
    assert [data for name, data in stream if name == "claim"] == body["claims"]


def test_any_accepted_media_type_gets_one_body(client: TestClient) -> None:
    assert client.get(PATH, headers={"Accept": "*/*"}).headers["content-type"] == "application/json"


def test_an_abstention(client: TestClient) -> None:
    body = client.get("/v1/answers?q=pokemon+prize+cards").json()
    fits("ask", body)
    assert (body["abstained"], body["claims"], body["differences"], body["rulings"]) == (True, [], [], [])
    stream = events(client.get("/v1/answers?q=pokemon+prize+cards", headers={"Accept": "text/event-stream"}).text)
    assert [name for name, _ in stream] == ["answer", "end"]
    assert stream[0][1]["reason"] == body["reason"]


@pytest.mark.parametrize(
    ("query", "detail"),
    [
        ("", "missing: q; e.g. ?q=graveyard order"),
        ("q=", "q is empty; give e.g. graveyard order"),
        ("q=a&game=chess", "no rules of that game"),
        ("q=a&limit=3", "has no parameter limit"),
        ("q=a&lang=fr", "lang 'fr': expected one of ja, zh, zh-Hans, zh-Hant, en"),
        ("q=a&as_of=9999-99-99", "is not a date"),
        ("q=" + "a" * 1001, "q has more than 1000 characters"),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_refused_questions(client: TestClient, query: str, detail: str, accept: str) -> None:
    response = client.get(f"/v1/answers?{query}", headers={"Accept": accept})
    assert (response.status_code, response.headers["content-type"]) == (400, "application/problem+json")
    assert detail in response.json()["detail"]


def test_a_brief_answer_has_the_fields_of_a_citation(client: TestClient) -> None:
    brief, full = client.get(f"{PATH}&view=brief").json(), client.get(PATH).json()
    assert brief["claims"]
    assert list(brief) == ["query", "lang", "state", "abstained", "reason", "claims"]
    for claim, whole in zip(brief["claims"], full["claims"], strict=True):
        assert claim == {name: whole[name] for name in claim}
        assert {"text", "rule", "ref", "edition", "current", "source"} <= claim.keys()


def test_a_brief_search_has_the_text_or_the_gloss(client: TestClient) -> None:
    path = "/v1/search?q=graveyard&limit=10"
    brief, full = client.get(f"{path}&view=brief"), client.get(path)
    assert len(brief.content) < 5_000 < len(full.content)
    for hit, whole in zip(brief.json()["hits"], full.json()["hits"], strict=True):
        words = "text" if whole["text"] else "gloss"
        assert hit.keys() == {"iri", "ref", "game", "edition", "current", "number", "heading", words, "score"}
        assert hit == {name: whole[name] for name in hit}
        assert client.get("/v1/rules", params={"ref": hit["ref"]}).json()["rules"][0]["iri"] == hit["iri"]


def test_a_search_leaves_out_read_rules_and_names_their_neighbours(client: TestClient) -> None:
    first = client.get("/v1/search?q=graveyard&game=dm&lang=en&view=brief&siblings=true").json()
    refs = ",".join(hit["ref"] for hit in first["hits"][:2])
    for view in ("brief", "full"):
        params = {"q": "graveyard", "game": "dm", "lang": "en", "view": view, "seen": refs}
        second = client.get("/v1/search", params=params).json()
        assert [hit.get("seen", False) for hit in second["hits"][:3]] == [True, True, False]
        assert [bool(hit.get("text") or hit.get("gloss")) for hit in second["hits"][:3]] == [False, False, True]
        fits("search", second) if view == "full" else None
    assert any(hit["siblings"] for hit in first["hits"])
    assert [client.get(f"/v1/sections/{section['ref']}").status_code for section in first["sections"]] == [200] * 3


@pytest.mark.parametrize(
    ("refs", "status", "detail"),
    [
        (",".join(["dm:400.3b"] * 201), 400, "seen has 201 references; give at most 200"),
        ("dm:999.99", 400, "seen: "),
        ("dm:400.3b, 7§", 400, "seen: "),
        ("", 400, "seen is empty; give e.g. dm:400.3b"),
    ],
)
def test_references_of_read_rules(client: TestClient, refs: str, status: int, detail: str) -> None:
    response = client.get("/v1/search", params={"q": "graveyard", "seen": refs})
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    assert detail in response.json()["detail"]


def test_another_view_is_refused(client: TestClient) -> None:
    response = client.get("/v1/search?q=graveyard&view=short")
    assert response.status_code == 400
    assert "full, brief" in response.json()["detail"]
