"""Bounds on requests: address, header fields, Host, and the size and time of a body."""

import asyncio
import http.client
import json
import os
import socket
import time
from collections.abc import Awaitable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient
from starlette.types import Message, Scope

from api.http import request_limits
from api.http.request_limits import BODY_BYTES, RequestLimits
from api.http.streaming import MAX_STREAMS, streamed_response
from corpus.errors import BusyError
from tests.support.servers import Server, serving


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Server]:
    with serving(home, env={**os.environ, "RULESTONE_HOSTS": "here"}) as server:
        while raw_response(server, b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")[:1] == b"":
            time.sleep(0.1)
        yield server


def raw_response(server: Server, request: bytes, seconds: float = 60) -> bytes:
    """All that comes back until the server closes; empty where it refuses the connection."""
    try:
        with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as connection:
            data = b""
            with suppress(ConnectionError):  # it closed before everything was sent; its answer can still be read
                connection.sendall(request)
            with suppress(ConnectionError):
                while piece := connection.recv(65536):
                    data += piece
            return data
    except ConnectionRefusedError:
        return b""


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_an_address_that_is_too_long(client: TestClient) -> None:
    answer = client.get("/v1/search", params={"q": "graveyard", "game": "a," * 6_000})
    assert (answer.status_code, answer.headers["content-type"]) == (414, "application/problem+json")
    assert "8192" in answer.json()["detail"]
    assert len(answer.content) < 500


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (b"Host: here", 200),
        (b"Host: here:8000", 200),
        (b"Host: [::1]:8000", 200),
        (b"Host: here\r\nHost: there", 400),
        (b"Host: here:port", 400),
        (b"Host: user@here", 400),
        (b"X-Other: here", 400),
        (b"Host: here\r\nX-Long: " + b"y" * (60 << 10), 200),
        (b"Host: here\r\nX-Long: " + b"y" * (70 << 10), 431),
        (b"Host: here\r\n" + b"\r\n".join(b"X-%d: y" % nth for nth in range(4_000)), 431),
    ],
)
def test_header_fields(server: Server, fields: bytes, expected: int) -> None:
    assert status(raw_response(server, b"GET /healthz HTTP/1.1\r\n" + fields + b"\r\nConnection: close\r\n\r\n")) == expected


@pytest.mark.parametrize("target", [b"CONNECT evil.example:80", b"OPTIONS *", b"CONNECT evil.example:80/"])
def test_it_is_no_proxy(server: Server, target: bytes) -> None:
    response = raw_response(server, target + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
    assert status(response) == 400
    assert b"location" not in response.lower()


def test_a_header_of_many_megabytes_ends_its_own_connection_alone(server: Server) -> None:
    long = b"GET /healthz HTTP/1.1\r\nHost: here\r\nX-Long: " + b"y" * (32 << 20)
    assert raw_response(server, long)[:12] in (b"", b"HTTP/1.1 431")  # a client that is still sending may miss the answer
    assert status(raw_response(server, b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")) == 200


def test_trailers_without_end(server: Server) -> None:
    trailers = b"".join(b"X-%d: yyyyyyyyyyyyyyyyyyyy\r\n" % nth for nth in range(20_000))
    chunked = b"POST /v1/verify HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    assert status(raw_response(server, chunked + b"2\r\n{}\r\n0\r\n" + trailers + b"\r\n")) in (400, 431)


@pytest.mark.parametrize(
    ("path", "size"),
    [
        *(("/v1/verify", size) for size in (BODY_BYTES // 2, BODY_BYTES + 1, 4 * BODY_BYTES)),
        *(("/v1/search:batch", size) for size in (300 << 10, 4 * BODY_BYTES)),
        ("/check", BODY_BYTES),
        ("/mcp", 300 << 10),
        ("/sparql", BODY_BYTES + 1),
    ],
)
def test_a_body_that_is_too_large_is_413(server: Server, path: str, size: int) -> None:
    for _ in range(5):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        connection.request("POST", path, b" " * size, headers)
        assert connection.getresponse().status == 413
        connection.close()


def scope(*headers: tuple[bytes, bytes]) -> Scope:
    fields = [(b"host", b"here"), *headers]
    return {
        "type": "http",
        "method": "POST",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "headers": fields,
        "http_version": "1.1",
    }


async def _unasked(*_: object) -> None:
    pytest.fail("it came through")


def test_a_body_that_does_not_come_is_408(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "BODY_SECONDS", 0.05)
    messages: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(60)
        raise AssertionError

    async def send(part: Message) -> None:
        messages.append(part)

    asyncio.run(RequestLimits(_unasked)(scope((b"content-length", b"5")), receive, send))
    assert messages[0]["status"] == 408
    assert json.loads(messages[1]["body"])["title"] == "Request Timeout"


def test_the_body_arrives_in_one_piece() -> None:
    parts: list[Message] = [
        {"type": "http.request", "body": b"one ", "more_body": True},
        {"type": "http.request", "body": b"two", "more_body": False},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Message:
        return parts.pop(0)

    async def app(_: Scope, read: object, __: object) -> None:
        assert callable(read)
        assert await read() == {"type": "http.request", "body": b"one two", "more_body": False}
        assert (await read())["type"] == "http.disconnect"

    async def send(_: Message) -> None:
        pytest.fail("nothing is sent")

    asyncio.run(RequestLimits(app)(scope((b"transfer-encoding", b"chunked")), receive, send))
    assert parts == []


def test_the_feed_does_not_repeat_a_name_that_a_client_made_up(client: TestClient) -> None:
    feeds = [client.get("/v1/changes.atom", headers={"Host": host}) for host in ("evil.example", "rules.example")]
    assert feeds[0].content == feeds[1].content
    assert b"evil.example" not in feeds[0].content


def streaming_scope() -> Scope:
    return {
        "type": "http",
        "method": "GET",
        "path": "/v1/export",
        "headers": [],
        "query_string": b"",
        "asgi": {"spec_version": "2.3"},
    }


def test_only_a_few_exports_are_sent_at_once_and_each_ends_with_its_client() -> None:
    numbers: list[int] = []

    def pieces() -> Iterator[bytes]:
        for nth in range(1_000_000):
            numbers.append(nth)
            yield b"-" * (64 << 10)

    async def main() -> None:
        disconnection = asyncio.Event()

        async def receive() -> Message:
            await disconnection.wait()
            return {"type": "http.disconnect"}

        async def send(part: Message) -> None:
            await asyncio.sleep(0.01 if part["type"] == "http.response.start" else 0.05)

        def export() -> Awaitable[None]:
            response = streamed_response(Request(streaming_scope()), pieces(), "text/plain", '"tag"', {})
            return response(streaming_scope(), receive, send)

        sending = [asyncio.ensure_future(export()) for _ in range(MAX_STREAMS)]
        await asyncio.sleep(0.2)
        with pytest.raises(BusyError):
            await export()
        disconnection.set()
        await asyncio.wait_for(asyncio.gather(*sending), 60)
        assert len(numbers) < 1000
        await asyncio.wait_for(export(), 60)  # there is room again, and its client is gone already

    asyncio.run(main())


def test_exports_whose_clients_leave_make_room_for_others(server: Server) -> None:
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as leaving:
            leaving.sendall(b"GET /v1/export HTTP/1.1\r\nHost: here\r\n\r\n")
            leaving.recv(100)
    begun = time.monotonic()
    while status(raw_response(server, b"GET /v1/export HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")) != 200:
        assert time.monotonic() < begun + 120
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize("request_head", [b"", b"GET /healthz HTTP/1.1\r\nHost: h", b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"])
def test_a_connection_that_says_nothing_is_closed(server: Server, request_head: bytes) -> None:
    begun = time.monotonic()
    raw_response(server, request_head, seconds=120)
    assert time.monotonic() - begun > 15
