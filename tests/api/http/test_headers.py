"""Entity tags, other origins, HEAD, and the media types a client accepts."""

import pytest
from starlette.testclient import TestClient

from api.http.negotiation import best_media


@pytest.mark.parametrize(
    ("header", "media"),
    [
        (None, "a/json"),
        ("*/*", "a/json"),
        ("t/*", "t/turtle"),
        ("t/turtle;q=0.5, a/json;q=0.4", "t/turtle"),
        ("a/json;q=0, */*;q=0.1", "t/turtle"),
        ("t/html", None),
        ("t/turtle; charset=utf-8; q=0.9, a/json;q=nine", "t/turtle"),
        ("", "a/json"),
    ],
)
def test_best_media(header: str | None, media: str | None) -> None:
    assert best_media(header, ("a/json", "t/turtle")) == media


def test_etags(client: TestClient) -> None:
    first = client.get("/v1/rules?ref=ferry:101.1")
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    for header in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        second = client.get("/v1/rules?ref=ferry:101.1", headers={"If-None-Match": header})
        assert (second.status_code, second.content, second.headers["etag"]) == (304, b"", tag)
    assert client.get("/v1/rules?ref=ferry:101.1", headers={"If-None-Match": '"x"'}).status_code == 200
    assert client.get("/v1/rules?ref=dm:400.3b", headers={"If-None-Match": tag}).status_code == 200


def test_head(client: TestClient) -> None:
    assert client.head("/v1/editions").status_code == 200
