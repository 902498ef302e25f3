"""`POST /v1/verify`: bodies, limits, and what is refused."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.support.bodies import fits

PROBLEM = "application/problem+json"


def verify(client: TestClient, body: dict[str, Any]) -> dict[str, Any]:
    response = client.post("/v1/verify", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def test_a_text_is_verified(client: TestClient) -> None:
    body = verify(client, {"text": "rule 101.1 and rule 101.9z", "game": "ferry", "lang": "ja", "as_of": None})
    assert [(citation["surface"], citation["status"]) for citation in body["citations"]] == [
        ("101.1", "exists"),
        ("101.9z", "not_found"),
    ]
    assert (body["lang"], body["as_of"]) == ("ja", None)


def test_a_rule_that_the_writer_has_not_read_is_told(client: TestClient) -> None:
    text = "Ferry rules 101.1, 101.2 and 101.9z."
    citations = verify(client, {"text": text, "allowed": ["ferry/cr:101.1"]})["citations"]
    assert [citation["read"] for citation in citations] == [True, False, None]
    assert [citation["read"] for citation in verify(client, {"text": text})["citations"]] == [None, None, None]
    assert [citation["read"] for citation in verify(client, {"text": text, "allowed": []})["citations"]] == [False, False, None]


def test_an_earlier_edition(client: TestClient) -> None:
    [citation] = verify(client, {"text": "ferry rule 101.1", "as_of": "2020"})["citations"]
    assert (citation["status"], citation["edition"], citation["now"].endswith("/2021-05-03/101.1")) == (
        "edited",
        "2020-01-01",
        True,
    )


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "expected a JSON object"),
        (b"[]", "expected a JSON object"),
        (b'{"text": 1}', "expected a JSON object"),
        (b"[" * 100_000, "expected a JSON object"),
        (b'{"text": "a", "bogus": 1}', "has no field bogus"),
        (b'{"text": "a", "text": "b"}', "text: given more than once"),
        (b'{"text": "a", "game": 1}', "game: expected a string or null"),
        (b'{"text": "a", "game": "chess"}', "no rules of that game are loaded"),
        (b'{"text": "a", "as_of": "soon"}', "expected a date"),
        (b'{"text": "a", "lang": "fr"}', "expected ja, zh"),
        (b'{"text": "a", "strict": "yes"}', "strict: expected true, false or null"),
        (b'{"text": "a", "allowed": "ferry:101.1"}', "allowed: expected a list of strings or null"),
        (b'{"text": "a", "allowed": [1]}', "allowed: expected a list of strings or null"),
        (b'{"text": "a", "allowed": ["ferry:999.9"]}', "allowed: "),
        (b'{"text": "a", "allowed": [' + b'"ferry:101.1",' * 200 + b'"ferry:101.1"]}', "at most 200"),
        (b'{"text": "' + b"rule 101.1 " * 201 + b'", "game": "ferry"}', "at most 200"),
    ],
)
def test_malformed_requests_are_refused(client: TestClient, content: bytes, detail: str) -> None:
    response = client.post("/v1/verify", content=content)
    assert (response.status_code, response.headers["content-type"]) == (400, PROBLEM)
    assert detail in response.json()["detail"]


@pytest.mark.parametrize("size", [(64 << 10) + 1, 10 << 20])
def test_a_text_that_is_too_large(client: TestClient, size: int) -> None:
    response = client.post("/v1/verify", json={"text": "a" * size})
    assert (response.status_code, response.headers["content-type"]) == (413, PROBLEM)
    assert client.post("/v1/verify", json={"text": "a" * (64 << 10)}).status_code == 200


def test_half_a_surrogate_pair_is_answered(client: TestClient) -> None:
    assert client.post("/v1/verify", content=b'{"text": "\\ud800 rule 101.1", "game": "ferry"}').status_code == 200


def test_another_method(client: TestClient) -> None:
    assert client.get("/v1/verify").status_code == 405


def test_a_text_comes_back_through_the_gate(client: TestClient) -> None:
    body = verify(client, {"text": "Pay. By rule 101.9z you win.", "game": "ferry", "strict": True})
    fits("verify", body)
    assert (body["gate"]["verdict"], body["gate"]["kept"]) == ("unproven", "Pay. ")
    assert "gate" not in verify(client, {"text": "rule 101.1", "game": "ferry", "strict": False})
