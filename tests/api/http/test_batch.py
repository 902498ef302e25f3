"""`/v1/search:batch` and `/v1/answers:batch`: each line is answered, or told why not, by itself."""

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.support.bodies import fits

GOOD = {"id": "1", "query": "order of cards in the graveyard", "game": "dm", "lang": "en"}


def post_lines(client: TestClient, path: str, *lines: object) -> list[Any]:
    content = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    response = client.post(path, content=content)
    assert (response.status_code, response.headers["content-type"]) == (200, "application/x-ndjson")
    return [json.loads(line) for line in response.text.splitlines()]


@pytest.mark.parametrize(("path", "kind", "single"), [("search", "batch_search", "search"), ("answers", "batch_answer", "answer")])
def test_each_line_gets_the_same_answer_as_alone(client: TestClient, path: str, kind: str, single: str) -> None:
    lines = post_lines(client, f"/v1/{path}:batch", GOOD, "", {"id": "2", "query": "pokemon prize cards", "game": None})
    alone = [
        client.get(f"/v1/{path}?q=order of cards in the graveyard&game=dm&lang=en").json(),
        client.get(f"/v1/{path}?q=pokemon prize cards").json(),
    ]
    for line in lines:
        fits(kind, line)
    assert [(line["id"], line[single]) for line in lines] == [("1", alone[0]), ("2", alone[1])]


@pytest.mark.parametrize(
    ("line", "ident", "error"),
    [
        ("{", None, "is not valid JSON"),
        ("[" * 100_000, None, "is not valid JSON"),
        ("[1]", None, "expected a JSON object"),
        ({"query": "a"}, None, 'expected "id" and "query"'),
        ({"id": "x", "query": 1}, "x", 'expected "id" and "query"'),
        ({"id": "x", "query": "a", "limit": 3}, "x", "unknown field limit"),
        ({"id": "x", "query": "a", "game": "chess"}, "x", "no rules of that game"),
        ({"id": "x", "query": ""}, "x", "the query is empty"),
        ({"id": "x", "query": "a" * 1001}, "x", "1001 characters long"),
        ({"id": "x", "query": "a", "lang": "fr"}, "x", "expected ja, zh"),
    ],
)
def test_a_bad_line_says_why_and_the_others_are_answered(client: TestClient, line: object, ident: str | None, error: str) -> None:
    first, bad, last = post_lines(client, "/v1/search:batch", GOOD, line, GOOD)
    fits("batch_fault", bad)
    assert (bad["id"], bad["line"], error in bad["error"]) == (ident, 2, True)
    assert first == last
    assert first["search"]["hits"]


@pytest.mark.parametrize("path", ["/v1/search:batch", "/v1/answers:batch"])
@pytest.mark.parametrize(
    ("content", "status", "detail"),
    [
        ("", 400, "has 0 lines"),
        ("\n \n", 400, "has 0 lines"),
        ("{}\n" * 101, 400, "has 101 lines; give 1 to 100"),
        ("x" * ((256 << 10) + 1), 413, "more than 256 KiB"),
    ],
)
def test_malformed_batches(client: TestClient, path: str, content: str, status: int, detail: str) -> None:
    response = client.post(path, content=content)
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")
    assert detail in response.json()["detail"]


def test_faults_are_told_in_the_language_asked_for(client: TestClient) -> None:
    [bad] = [json.loads(line) for line in client.post("/v1/answers:batch?lang=ja", content="{").text.splitlines()]
    assert not bad["error"].isascii()
