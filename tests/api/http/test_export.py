"""`/v1/export`: the lines as they are made, and 304 for clients that have them already."""

import gzip
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
from starlette.testclient import TestClient

from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN

LINES = "application/x-ndjson"


def test_it_is_the_export_of_the_command_line(client: TestClient, library: Library) -> None:
    answer = client.get("/v1/export")
    assert (answer.status_code, answer.headers["content-type"]) == (200, LINES)
    assert answer.content == b"".join(library.export("jsonl"))


@pytest.mark.parametrize(("coding", "unpack"), [("br", brotli.decompress), ("gzip", gzip.decompress)])
def test_it_is_compressed_on_the_way(client: TestClient, coding: str, unpack: Callable[[bytes], bytes]) -> None:
    plain = client.get("/v1/export", headers={"Accept-Encoding": "identity"})
    with client.stream("GET", "/v1/export", headers={"Accept-Encoding": coding}) as response:
        raw = b"".join(response.iter_raw())
    assert unpack(raw) == plain.content
    assert response.headers["content-encoding"] == coding
    assert "Accept-Encoding" in response.headers["vary"]
    assert response.headers["etag"] != plain.headers["etag"]
    second = client.get("/v1/export", headers={"Accept-Encoding": coding, "If-None-Match": response.headers["etag"]})
    assert second.status_code == 304


def test_head_has_the_tag_and_costs_nothing(client: TestClient) -> None:
    answer = client.head("/v1/export")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["etag"] == client.get("/v1/export").headers["etag"]


@pytest.mark.usefixtures("books_alone")
def test_other_lines_have_another_tag(tmp_path: Path) -> None:
    book = tmp_path / "ferry.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    with Library.open(tmp_path / "home") as library:
        library.build(later=True)
        before = library.lines()
        assert b"".join(before.lines) == b"".join(library.lines().lines)
        library.add(book, game="ferry", later=True)
        after = library.lines()
        assert before.seal != after.seal == library.lines().seal
        assert len(list(after.lines)) > 0
