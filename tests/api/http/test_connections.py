"""The server's processes and connections."""

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from api.cli.commands.server import listening
from api.http.delivery import connections
from rulestone import Library
from tests.support.servers import SCRIPT
from tests.support.texts import ROOT


@pytest.fixture
def port(home: Path, request: pytest.FixtureRequest) -> Iterator[int]:
    """A server with some processes."""
    command = [
        sys.executable,
        "-c",
        f"import api.http.delivery.connections as s; s.PATIENCE = 1.0; s.IDLE = 1\n{SCRIPT}",
        str(home),
        str(request.param),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout
        yield int(process.stdout.readline())
        process.send_signal(2)


def test_answers_do_not_wait_for_acknowledgements() -> None:
    with listening("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP  # what asyncio looks at before it turns Nagle's algorithm off


@pytest.mark.parametrize("port", [2], indirect=True)
def test_several_processes_answer(port: int) -> None:
    for _ in range(4):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/v1/rules/ferry/101.1")
        assert json.load(connection.getresponse())["rules"][0]["game"] == "ferry"
        connection.close()


def test_a_home_that_cannot_be_loaded_is_left_to_each_process(tmp_path: Path) -> None:
    Library.open(tmp_path, create=False).load_shared()


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_RATE", "5/hour")


@pytest.mark.parametrize("port", [2], indirect=True)
def test_a_rate_holds_over_all_processes(limited: None, port: int) -> None:
    statuses = []
    for _ in range(16):  # each on a connection of its own, which either process may take
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/v1/editions")
        statuses.append(connection.getresponse().status)
        connection.close()
    assert statuses == [200] * 5 + [429] * 11


@pytest.mark.parametrize("port", [1], indirect=True)
def test_who_sends_too_slowly_is_dropped(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n")
        with suppress(ConnectionResetError):
            assert slow.recv(1) == b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as whole:
        whole.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        assert whole.recv(15) == b"HTTP/1.1 200 OK"
    assert connections.PATIENCE > 1


@pytest.mark.parametrize("port", [1], indirect=True)
def test_a_connection_rests_longer_than_clients_let_it(port: int) -> None:
    """A client that sends on while the server closes loses its request, as the inspector of MCP did on a busy machine."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as resting:
        resting.sendall(b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        assert resting.recv(15) == b"HTTP/1.1 200 OK"
        while resting.recv(4096):
            """What is left of the answer, then the end: the server has closed."""
    assert connections.IDLE > 60, "nginx rests so long with the servers behind it; clients rest for seconds"
