"""`/v1/export`: the lines as they are made, the mark that names them, and what changed since one."""

import gzip
import json
from collections.abc import Callable

import brotli
import pytest
from starlette.testclient import TestClient

from rulestone import Library

LINES = "application/x-ndjson"


def test_it_is_the_export_of_the_command_line(client: TestClient, library: Library) -> None:
    answer = client.get("/v1/export")
    assert (answer.status_code, answer.headers["content-type"]) == (200, LINES)
    assert answer.content == b"".join(library.export("jsonl"))
    assert answer.headers["rulestone-mark"] == library.lines().mark


def test_since_nothing_gives_everything_and_the_mark(client: TestClient) -> None:
    whole, answer = client.get("/v1/export"), client.get("/v1/export?since=0")
    *lines, end = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["line"] for line in lines] == [json.loads(line) for line in whole.text.splitlines()]
    assert {line["change"] for line in lines} == {"added"}
    assert end == {"mark": whole.headers["rulestone-mark"], "added": len(lines), "changed": 0, "removed": 0}


@pytest.mark.parametrize("path", ["/v1/export", "/v1/export?since=0"])
def test_who_has_it_is_sent_nothing(client: TestClient, path: str) -> None:
    tag = client.get(path).headers["etag"]
    for header in (tag, f"W/{tag}", "*"):
        again = client.get(path, headers={"If-None-Match": header})
        assert (again.status_code, again.content, again.headers["etag"][:17]) == (304, b"", tag[:17])
        assert "rulestone-mark" in again.headers
    assert client.get(path, headers={"If-None-Match": '"x"'}).status_code == 200


@pytest.mark.parametrize(("coding", "unpack"), [("br", brotli.decompress), ("gzip", gzip.decompress)])
def test_it_is_compressed_on_the_way(client: TestClient, coding: str, unpack: Callable[[bytes], bytes]) -> None:
    plain = client.get("/v1/export", headers={"Accept-Encoding": "identity"})
    with client.stream("GET", "/v1/export", headers={"Accept-Encoding": coding}) as packed:
        raw = b"".join(packed.iter_raw())
    assert unpack(raw) == plain.content
    assert packed.headers["content-encoding"] == coding
    assert "Accept-Encoding" in packed.headers["vary"]
    assert packed.headers["etag"] != plain.headers["etag"]
    again = client.get("/v1/export", headers={"Accept-Encoding": coding, "If-None-Match": packed.headers["etag"]})
    assert again.status_code == 304


def test_head_has_the_mark_and_costs_nothing(client: TestClient) -> None:
    answer = client.head("/v1/export")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["rulestone-mark"] == client.get("/v1/export").headers["rulestone-mark"]


@pytest.mark.parametrize(
    ("since", "status", "words"),
    [
        ("0123456789abcdef", 404, "is not known here, or no longer; take everything anew, with since=0"),
        ("2001-01-01", 404, "changes are kept from"),
        ("9999", 400, "lies ahead"),
        ("", 400, "expected a mark that an export gave"),
    ],
)
def test_what_cannot_be_brought_up_to_date_is_a_problem(client: TestClient, since: str, status: int, words: str) -> None:
    answer = client.get("/v1/export", params={"since": since})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert words in answer.json()["detail"]
