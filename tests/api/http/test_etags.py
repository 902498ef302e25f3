"""Whatever can be asked for with GET is known again: an entity tag, 304 to who has it, and the description says both."""

from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

EXCEPT = {"/healthz"}
"""Routes of momentary state, never cached."""
GIVEN: dict[str, dict[str, str]] = {
    "/v1/rules": {"ref": "ferry:101.1"},
    "/v1/cites": {"ref": "ferry:101.2"},
    "/v1/threads": {"ref": "ferry:101.1"},
    "/v1/changes": {"book": "ferry/cr", "from": "2020-01-01"},
    "/v1/search": {"q": "ferry tokens"},
    "/v1/answers": {"q": "how many tokens may a ferry hold"},
    "/v1/suggestions": {"q": "101"},
    "/v1/terms": {"label": "graveyard"},
    "/v1/alignments": {"old": "ferry/cr/2020-01-01:en", "new": "ferry/cr/2021-05-03:en"},
    "/v1/termbase": {"format": "csv"},
    "/v1/sections": {"ref": "ferry:101.1"},
    "/v1/outline": {"book": "ferry/cr"},
    "/v1/checks": {"book": "ferry/cr"},
    "/v1/concordance": {"q": "token"},
    "/sparql": {"query": "ASK {}"},
}
FILLED = {
    "/v1/rules/{game}/{ref}": "/v1/rules/ferry/101.1",
    "/v1/rules/{game}/{ref}/rulings": "/v1/rules/ferry/101.1/rulings",
    "/v1/cites/{game}/{ref}": "/v1/cites/ferry/101.2",
    "/v1/threads/{game}/{ref}": "/v1/threads/ferry/101.1",
    "/v1/sections/{ref}": "/v1/sections/ferry:101.1",
    "/v1/concepts/{slug}": "/v1/concepts/graveyard",
    "/v1/concepts/{game}/{slug}": "/v1/concepts/dm/graveyard",
    "/id/{path}": "/id/ferry/cr/2021-05-03/101.1",
}
ELSEWHERE = {"/v1/rulings/{game}/{source}/{id}", "/v1/cards", "/v1/drift", "/v1/bitext"}
"""Routes without data in these books: rulings, cards, and a book in two languages. They answer by the same `reply`."""
BESIDE = ["/openapi.json", "/docs", "/redoc", "/", "/library", "/compare", "/?q=ferry+tokens", "/check", "/terms?label=graveyard"]
"""Pages, which the description does not have."""


def get_routes(client: TestClient) -> dict[str, Any]:
    paths: dict[str, Any] = client.get("/openapi.json").json()["paths"]
    return {path: item["get"] for path, item in paths.items() if "get" in item}


def test_every_route_that_is_asked_with_get_is_known_again(client: TestClient) -> None:
    routes = get_routes(client)
    failures = []
    for path in routes.keys() - EXCEPT - ELSEWHERE:
        url = httpx2.URL(FILLED.get(path, path), params=GIVEN.get(path, {}))
        first = client.get(url)
        assert first.status_code == 200, (path, first.text)
        tag = first.headers.get("etag", "")
        second = client.get(url, headers={"If-None-Match": tag})
        if (tag[:1], second.status_code, second.content) != ('"', 304, b""):
            failures.append(path)
    assert failures == []
    assert "etag" not in client.get("/healthz").headers


def test_the_description_says_so(client: TestClient) -> None:
    for path, operation in get_routes(client).items():
        if path not in EXCEPT:
            assert "ETag" in operation["responses"]["200"]["headers"], path
            assert "ETag" in operation["responses"]["304"]["headers"], path
            assert "If-None-Match" in [parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "header"], (
                path
            )


@pytest.mark.parametrize("path", BESIDE)
def test_so_are_pages(client: TestClient, path: str) -> None:
    headers = {"Accept": "text/html", "Accept-Encoding": "gzip"}
    first = client.get(path, headers=headers)
    assert first.status_code == 200
    second = client.get(path, headers=headers | {"If-None-Match": first.headers["etag"]})
    assert (second.status_code, second.content) == (304, b"")
