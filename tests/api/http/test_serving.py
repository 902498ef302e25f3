"""`rulestone serve`: starting, stopping, replacing a worker, picking up a new bundle."""

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from shutil import which

import pytest
from starlette.testclient import TestClient

from api.cli.commands.server import resolve
from api.http import server as serving_module
from api.http.app import create_app
from bench.speed.serving import free_port
from bench.speed.shutdown import Case, seconds_to_end
from corpus.errors import EnvironmentFault, NotFoundError
from corpus.store.home import Home
from rulestone import Library
from rulestone.library.current import CurrentBundle
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put
from tests.support.publisher import certificate
from tests.support.servers import HANG_SECONDS, Server, serving, workers
from tests.support.texts import ROOT

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
RULE = "/v1/rules/ferry/101.1"


def get(server: Server, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, bytes]:
    """Status and body of an answer, on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG_SECONDS)
    try:
        connection.request("GET", path, headers={"Connection": "close", **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def until(holds: Callable[[], bool], seconds: float = HANG_SECONDS) -> None:
    """Waits until something holds; the limit is for a server that hangs, not for a slow machine."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() < begun + seconds, f"not within {seconds:g} s"
        time.sleep(0.05)


def until_healthy(server: Server) -> None:
    """Waits until `/healthz` answers."""

    def answers() -> bool:
        with suppress(OSError, http.client.HTTPException):
            return get(server, "/healthz")[0] == 200
        return False

    until(answers)


def until_counted(server: Server, path: str, count: int) -> None:
    """Waits until `/metrics` tells `count` requests of a path: a worker counts a request after the client has read the answer."""
    line = f'rulestone_requests_total{{path="{path}",status="200"}} {count}.0'
    until(lambda: line in get(server, "/metrics")[1].decode().splitlines())


@pytest.mark.usefixtures("books_alone")
def test_a_new_bundle_is_picked_up_and_the_old_one_let_go(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home, HUNDREDS_EN, "2021-05-03")
    live = CurrentBundle(Home(home), poll_seconds=0)
    with TestClient(create_app(Library(Home(home), create=False, poll_seconds=0))) as client:
        assert client.get(RULE).json()["rules"][0]["edition"] == "2021-05-03"
        in_flight = live.current_bundle()
        put(home, HUNDREDS_EN.replace("six tokens", "seven tokens"), "2022-02-02")
        rules = client.get(RULE).json()["rules"]
        assert [(rule["edition"], rule["current"]) for rule in rules] == [("2022-02-02", True), ("2021-05-03", False)]
        assert live.current_bundle() is not in_flight
        assert "2022-02-02" not in {edition["edition"] for edition in in_flight.knowledge.editions()}
        old = in_flight.path
        del in_flight
        put(home, HUNDREDS_EN.replace("six tokens", "eight tokens"), "2023-03-03")
        assert not old.exists()
    live.close()


def test_live_looks_only_so_often(home: Path) -> None:
    live = CurrentBundle(Home(home), poll_seconds=60)
    assert live.current_bundle() is live.current_bundle()
    with pytest.raises(NotFoundError, match="rulestone build"):
        CurrentBundle(Home(home / "nowhere")).current_bundle()
    live.close()


@pytest.mark.slow
@pytest.mark.usefixtures("books_alone")
def test_a_running_server_answers_from_a_new_bundle(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home, HUNDREDS_EN, "2021-05-03")
    with serving(home) as server:
        until_healthy(server)
        assert json.loads(get(server, RULE)[1])["rules"][0]["edition"] == "2021-05-03"
        put(home, HUNDREDS_EN.replace("six tokens", "seven tokens"), "2022-02-02")
        until(lambda: json.loads(get(server, RULE)[1])["rules"][0]["edition"] == "2022-02-02")


@pytest.mark.slow
@linux
def test_a_worker_that_dies_is_replaced_and_another_answers_meanwhile(home: Path) -> None:
    with serving(home, "--workers", "2") as server:
        until_healthy(server)
        until(lambda: len(workers(server)) == 2)
        before = workers(server)
        os.kill(min(before), signal.SIGKILL)
        until_healthy(server)
        until(lambda: len(workers(server) - before) == 1)
        assert server.process.poll() is None


@pytest.mark.slow
@linux
def test_workers_end_when_the_main_process_is_killed(home: Path) -> None:
    with serving(home, "--workers", "2") as server:
        until_healthy(server)
        until(lambda: len(workers(server)) == 2)
        workers_before = workers(server)
        server.process.kill()
        server.process.wait()
        until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers_before))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port), timeout=5)


@pytest.mark.slow
@linux
@pytest.mark.parametrize(
    "case",
    [
        Case(signal.SIGTERM, group=True, after=1.0, loaded=True),
        Case(signal.SIGTERM, group=False, after=5.0, loaded=True),
        Case(signal.SIGINT, group=True, after=1.0, loaded=False),
    ],
    ids=str,
)
def test_it_ends_when_it_is_told_to_and_frees_its_port(home: Path, case: Case) -> None:
    port = free_port()
    assert None not in [seconds_to_end(home, case, port, HANG_SECONDS) for _ in range(3)]


@pytest.mark.slow
def test_it_ends_quietly(home: Path) -> None:
    with serving(home) as server:
        until_healthy(server)
        assert get(server, "/v1/search?q=graveyard")[0] == 200  # what it loads in the background must not outlast its 6 s to end
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(HANG_SECONDS) == 0
        assert server.process.stderr
        assert server.process.stderr.read() == ""


@pytest.mark.slow
def test_an_access_log_that_cannot_be_written_is_told_before_anything_listens(home: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "api.cli.app", "--home", str(home), "serve", "--port", "0"]
    environment = {**os.environ, "RULESTONE_ACCESS_LOG": str(tmp_path / "no" / "folder")}
    process = subprocess.run(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False, env=environment)
    assert process.returncode == 3
    assert process.stderr.count("\n") == 1


def test_the_address_to_listen_on_is_resolved(monkeypatch: pytest.MonkeyPatch) -> None:
    address = resolve("localhost", 0)
    assert address.host in ("127.0.0.1", "::1")
    assert address.port > 0
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(EnvironmentFault, match="in use"):
        resolve("127.0.0.1", listener.getsockname()[1])
    with pytest.raises(EnvironmentFault, match="no such address"):
        resolve("192.0.2.1", 0)


@pytest.mark.slow
def test_a_proxy_on_this_machine_is_believed(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "access.log"
    monkeypatch.setenv("RULESTONE_ACCESS_LOG", str(log))
    with serving(home) as server:
        until_healthy(server)
        assert get(server, "/v1/editions", {"X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "https"})[0] == 200
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["caller"] for line in lines if line["path"] == "/v1/editions"] == ["198.51.100.7"]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_metrics_count_all_workers_and_leave_nothing_behind(home: Path, monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    monkeypatch.setenv("RULESTONE_METRICS", "yes")
    before = set(Path(home).iterdir())
    with serving(home, "--workers", str(workers)) as server:
        until_healthy(server)
        for _ in range(12):  # each on a connection of its own, which either worker may take
            assert get(server, "/v1/editions")[0] == 200
        until_counted(server, "/v1/editions", 12)
    assert set(Path(home).iterdir()) == before


@pytest.mark.slow
def test_a_second_server_with_metrics_leaves_the_first_ones(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_METRICS", "yes")
    with serving(home, "--workers", "2") as first:
        until_healthy(first)
        assert get(first, RULE)[0] == 200
        with serving(home, "--workers", "2") as second:
            until_healthy(second)
            assert b'path="/v1/rules"' not in get(second, "/metrics")[1]
        until_counted(first, "/v1/rules", 1)


@pytest.mark.slow
def test_a_forwarded_address_does_not_hide_a_foreign_host(home: Path) -> None:
    with serving(home) as server:
        until_healthy(server)
        for path in ("/healthz", RULE, "/mcp", "/"):
            assert get(server, path, {"Host": "evil.example", "X-Forwarded-For": "198.51.100.7"})[0] == 421


def test_threads_of_a_server_take_short_turns(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_HOME", str(home))
    before = sys.getswitchinterval()
    try:
        serving_module.create_worker_app()
        assert sys.getswitchinterval() < before / 5
    finally:
        sys.setswitchinterval(before)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1 and its key."""
    if which("openssl") is None:
        pytest.skip("no openssl here, which makes the certificate")
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.mark.slow
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_it_answers_over_tls(home: Path, pair: tuple[Path, Path], version: ssl.TLSVersion) -> None:
    cert, key = pair
    with serving(home, "--cert", str(cert), "--key", str(key)) as server:
        trusting = ssl.create_default_context(cafile=str(cert))
        trusting.minimum_version = trusting.maximum_version = version

        def answers() -> bool:
            with suppress(OSError), urllib.request.urlopen(f"https://127.0.0.1:{server.port}/healthz", context=trusting) as answer:
                return bool(json.load(answer)["status"] == "ok")
            return False

        until(answers)
