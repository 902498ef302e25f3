"""What takes long is worked out by other processes, and comes back as if it were worked out by the one that was asked."""

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from api.http.app import KEPT, LONG
from api.http.delivery.replying import KEEP
from api.http.delivery.serving import NICE
from api.http.delivery.upstream import Upstream
from rulestone import Library
from tests.support.servers import SCRIPT
from tests.support.texts import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
_TOOLS = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
_JSON, _LINES = {"Content-Type": "application/json"}, {"Content-Type": "application/x-ndjson"}
_ASKED: list[tuple[str, str, dict[str, str], bytes]] = [
    ("GET", "/v1/search?q=how+many+tokens", {}, b""),
    ("GET", "/v1/search?q=%E8%88%B9%20ferry&lang=ja", {"Accept-Encoding": "br"}, b""),
    ("GET", "/v1/search/?q=ferry", {"Accept-Encoding": "gzip", "Origin": "https://example.org"}, b""),
    ("GET", "/v1/search?q=", {"Accept-Language": "zh"}, b""),
    ("GET", "/v1/search?nothing=known", {}, b""),
    ("HEAD", "/v1/search?q=ferry", {}, b""),
    ("PUT", "/v1/search?q=ferry", {}, b""),
    ("OPTIONS", "/v1/search", {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}, b""),
    ("GET", "/v1/answers?q=how+many+tokens", {"Accept": "text/event-stream"}, b""),
    ("POST", "/v1/search:batch", _LINES, b'{"q": "ferry"}\n{"q": "tokens"}\n'),
    ("POST", "/v1/search:batch", {**_LINES, "Transfer-Encoding": "chunked"}, b'{"q": "ferry"}\n'),
    ("POST", "/v1/verify", _JSON, b'{"text": "A player has six tokens (101.1).", "game": "ferry"}'),
    ("POST", "/v1/verify", _JSON, b"{"),
    ("GET", "/v1/export", {"Accept-Encoding": "gzip"}, b""),
    ("HEAD", "/v1/export", {}, b""),
    ("GET", "/v1/terms?label=ferry", {"Accept-Encoding": "br", "Origin": "https://example.org"}, b""),
    ("GET", "/v1/terms?label=ferry", {"Accept-Encoding": "br", "Origin": "https://example.org"}, b""),
    ("GET", "/v1/zones", {"Accept-Encoding": "gzip"}, b""),
    ("GET", "/v1/zones", {}, b""),
    ("HEAD", "/v1/zones", {}, b""),
    ("GET", "/v1/zones?games=nowhere", {}, b""),
    ("GET", "/v1/concepts", {}, b""),
    ("GET", "/v1/rulings?q=ferry", {}, b""),
    ("GET", "/", {"Accept": "text/html", "Accept-Language": "ja"}, b""),
    ("GET", "/?q=tokens", {"Accept": "text/html", "Cookie": "lang=zh-Hans", "Accept-Encoding": "br"}, b""),
    ("GET", "/terms?label=ferry", {"Accept": "text/html"}, b""),
    ("POST", "/check", {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}, b"text=ferry&game=ferry"),
    ("GET", "/pack", {}, b""),
    ("GET", "/languages?lang=ja&back=https%3A%2F%2Fexample.org", {"X-Forwarded-Proto": "https", "Accept": "text/html"}, b""),
    ("GET", "/v1/rules/ferry/101.1", {}, b""),
    ("GET", "/healthz", {}, b""),
    (
        "POST",
        "/mcp",
        {**_JSON, "Accept": "application/json, text/event-stream"},
        _TOOLS,
    ),
    ("POST", "/mcp", {**_JSON, "Origin": "https://example.org"}, _TOOLS),
    ("GET", "/mcp", {}, b""),
]


@contextmanager
def _serving(home: Path, workers: int) -> Iterator[tuple[int, int]]:
    """The process and the port of a server."""
    command = [sys.executable, "-c", SCRIPT, str(home), str(workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        yield process.pid, int(process.stdout.readline())
        process.send_signal(signal.SIGINT)


def _answers(port: int) -> list[tuple[int, list[tuple[str, str]], bytes]]:
    """Status, fields but the time, and body of each."""
    answers = []
    for method, path, fields, body in _ASKED:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        pieces = iter([body[:5], body[5:]]) if "Transfer-Encoding" in fields else body or None
        connection.request(method, path, pieces, fields, encode_chunked=True)
        answer = connection.getresponse()
        answers.append((answer.status, sorted(field for field in answer.getheaders() if field[0] != "date"), answer.read()))
        connection.close()
    return answers


def test_what_is_passed_on_comes_back_as_it_is(home: Path) -> None:
    with _serving(home, 1) as (_, port):
        alone = _answers(port)
    with _serving(home, 2) as (_, port):
        passed = _answers(port)
    for asked, direct, there in zip(_ASKED, alone, passed, strict=True):
        assert there == direct, asked


def test_somebody_answers_while_those_that_search_are_killed(home: Path) -> None:
    with _serving(home, 2) as (process, port):
        assert _hits(port)
        gone = _searching(process)
        assert len(gone) == 2
        for number in gone:
            os.kill(number, signal.SIGKILL)
        assert _hits(port)
        while len(_searching(process) - gone) < 2:
            assert _hits(port)


def _hits(port: int) -> int:
    hits: int = json.loads(_got(port, "/v1/search?q=how+many+tokens"))["total"]
    return hits


def _searching(process: int) -> set[int]:
    """The processes of a server that let others go first."""
    lowest = os.getpriority(os.PRIO_PROCESS, 0) + NICE
    return {child for child in _below(process) if os.getpriority(os.PRIO_PROCESS, child) == min(lowest, 19)}


def _below(process: int) -> Iterator[int]:
    for child in map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()):
        yield child
        yield from _below(child)


def test_every_path_is_one_of_the_api(library: Library) -> None:
    from api.http.app import create_app

    paths = {*create_app(library).openapi()["paths"]}
    assert set(LONG) <= paths
    assert {path for path in paths if path.startswith(KEPT)} >= set(KEPT)


@asynccontextmanager
async def _there(folder: Path, answer: bytes) -> AsyncIterator[str]:
    """Where somebody answers so whatever is asked, and hangs up."""

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()
        asked.set()

    file, asked = str(folder / "socket"), asyncio.Event()
    async with await asyncio.start_unix_server(answering, file):
        try:
            yield file
        finally:
            await asked.wait()
            await asyncio.sleep(0)  # the connection is closed in the loop's next round


async def _asked(file: str, *, kept: bool = False, body: bytes = b"", gone: bool = False) -> tuple[list[Message], Scope]:
    """What is sent back, and the scope afterwards; 299 stands for an answer that is worked out here."""

    async def here(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 299, "headers": []})

    async def receive() -> Message:
        return {"type": "http.disconnect"} if gone else {"type": "http.request", "body": body, "more_body": False}

    async def send(part: Message) -> None:
        parts.append(part)

    parts: list[Message] = []
    headers = [(b"host", b"here"), (b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": "POST", "raw_path": b"/", "query_string": b"", "headers": headers, "scheme": "http"}
    await Upstream(here, file, lambda _: True, kept=kept)(scope, receive, send)
    return parts, scope


@pytest.mark.parametrize("keep", [b"Rulestone-Keep: yes\r\n", b""])
def test_fields_of_a_connection_stay_with_it(tmp_path: Path, keep: bytes) -> None:
    head = b"HTTP/1.1 200 OK\r\nServer: x\r\nConnection: close\r\nETag: y\r\nTransfer-Encoding: chunked\r\n"
    answer = head + keep + b"\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"

    async def asking() -> tuple[list[Message], Scope]:
        async with _there(tmp_path, answer) as file:
            return await _asked(file, kept=True)

    (start, *rest), scope = asyncio.run(asking())
    assert (start["status"], start["headers"]) == (200, [(b"etag", b"y")])
    assert b"".join(part["body"] for part in rest) == b"abcd"
    assert [part.get("more_body", False) for part in rest][-1] is False
    assert scope[KEEP] is bool(keep)


def test_whoever_is_asked_works_out_what_nobody_takes(tmp_path: Path) -> None:
    async def asking() -> list[list[Message]]:
        async with _there(tmp_path, b"") as file:
            ended = await _asked(file)
        return [ended[0], (await _asked(file))[0]]

    assert [parts[0]["status"] for parts in asyncio.run(asking())] == [299, 299]


@pytest.mark.parametrize(("answer", "body"), [(b"", b"read"), (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", b"")])
def test_an_answer_that_breaks_off_is_not_begun_again(tmp_path: Path, answer: bytes, body: bytes) -> None:
    async def asking() -> None:
        async with _there(tmp_path, answer) as file:
            await _asked(file, body=body)

    with pytest.raises(ConnectionError):
        asyncio.run(asking())


def test_who_goes_away_is_not_answered(tmp_path: Path) -> None:
    async def asking() -> list[Message]:
        async with _there(tmp_path, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as file:
            return (await _asked(file, body=b"some", gone=True))[0]

    assert asyncio.run(asking()) == []


def test_a_socket_that_is_no_more_is_no_hindrance(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "left"))
    assert asyncio.run(_asked(str(tmp_path / "left")))[0][0]["status"] == 299


def test_what_is_kept_is_asked_for_once_and_no_search_is(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path))
        with _serving(home, 2) as (_, port):
            for path in ("/v1/zones", "/v1/zones", "/v1/rulings?q=ferry", "/v1/search?q=ferry"):
                _got(port, path)
            kept = [file.read_bytes() for file in tmp_path.glob("rulestone-shelf-*/*/*")]
    assert [json.loads(left.partition(b"\n")[0])[0][0] for left in kept] == ["/v1/zones"]


def _got(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("GET", path)
    body = connection.getresponse().read()
    connection.close()
    return body
