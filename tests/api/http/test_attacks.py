"""A running server under attack: its memory stays bounded and is given back, and other clients are answered."""

import http.client
import resource
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from bench.speed.abuse import LARGE, LARGE_BOOK
from tests.support.homes import books_alone, put
from tests.support.kept import Homes
from tests.support.servers import Server, serving, workers

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads memory in /proc")]
PREFERENCES = ("Accept", "Accept-Language", "Accept-Encoding")


@pytest.fixture(scope="module")
def server(homes: Homes) -> Iterator[Server]:
    with books_alone():
        home = homes.copy("large", lambda path: put(path, LARGE_BOOK, "2020-01-01"))
    with serving(home) as server:
        while True:
            with suppress(OSError):
                if answer(server, "/healthz", "/v1/search?q=ferry")[0] == 200:  # after which all that is loaded once is in memory
                    break
            time.sleep(0.1)
        yield server


def answer(server: Server, *paths: str) -> tuple[int, int]:
    """Status and number of bytes of the last answer, on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for path in paths:
        connection.request("GET", path)
        response = connection.getresponse()
        size = len(response.read())
    connection.close()
    return response.status, size


def megabytes(server: Server) -> float:
    """Memory of the server's processes."""
    pids = {server.process.pid, *workers(server)}
    return sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids) * resource.getpagesize() / 1e6


def settled_megabytes(server: Server) -> float:
    """Memory after ordinary requests, during which freed objects are returned."""
    answer(server, *["/healthz", "/v1/rules/ferry/101.1"] * 1000)
    return megabytes(server)


def test_long_headers_of_cached_answers_take_no_memory(server: Server) -> None:
    before = settled_megabytes(server)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for nth in range(6_000):
        made_up = f"x/{nth}{'z' * 15_000}"
        connection.request("GET", "/v1/rules/ferry/101.1", headers=dict.fromkeys(PREFERENCES, made_up))
        response = connection.getresponse()
        assert (response.status, len(response.read()) > 0) == (200, True)
    connection.close()
    assert settled_megabytes(server) - before < 30


def unread(server: Server, path: str, buffer: int = 4096) -> socket.socket:
    """A connection on which an answer was requested and nothing is read yet."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    client.settimeout(60)
    client.connect(("127.0.0.1", server.port))
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    return client


def connections(server: Server) -> int:
    """Number of sockets of the worker; a client that sends nothing does not notice that its connection was closed."""
    [worker] = workers(server)
    count = 0
    for file in Path(f"/proc/{worker}/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            count += file.readlink().name.startswith("socket:")
    return count


def test_clients_that_never_read_share_one_answer_and_are_disconnected(server: Server) -> None:
    status, size = answer(server, LARGE)
    assert (status, size > 3_000_000) == (200, True)
    before, idle = settled_megabytes(server), connections(server)
    with ExitStack() as stack:
        for _ in range(700):
            stack.enter_context(unread(server, LARGE))
        begun, most = time.monotonic(), 0.0
        while (still := connections(server)) > idle:
            most = max(most, megabytes(server))
            assert answer(server, "/healthz")[0] == 200
            assert time.monotonic() - begun < 600, still
            time.sleep(0.5)
    assert most - before < 200
    while settled_megabytes(server) - before > 60:  # the allocator returns memory by and by
        assert time.monotonic() - begun < 600


def test_a_client_that_reads_slowly_gets_the_whole_answer(server: Server) -> None:
    size = answer(server, LARGE)[1]
    with unread(server, LARGE, buffer=64 << 10) as client:
        data = b""
        while len(data.partition(b"\r\n\r\n")[2]) < size:
            if len(data) < 2_000_000:  # which takes 32 seconds
                time.sleep(0.8)
            data += client.recv(50_000, socket.MSG_WAITALL)
    assert len(data.partition(b"\r\n\r\n")[2]) == size
