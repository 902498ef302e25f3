"""Processes that take the place of others when a bundle has come."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from api.http.delivery import generations, warming
from api.http.delivery import gently as gentle
from api.http.delivery.forked import LOADED
from api.http.delivery.generations import Generation, Generations
from api.http.delivery.kept import Key
from api.http.delivery.shelf import Shelf, shelf_between_processes
from corpus.errors import EnvironmentFault
from ontology.store.home import Home
from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put
from tests.support.texts import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
RULE = "/v1/rules/ferry/101.1"
_SERVER = """
import signal, sys
from contextlib import suppress
from pathlib import Path
from api.cli.commands.server import listening, run
from api.http.delivery import connections, forked
connections.LINGER = float(sys.argv[3])
signal.signal(forked.RETIRE, forked._retire)
if __name__ == "__main__":
    with listening("127.0.0.1", 0) as listener, suppress(KeyboardInterrupt):
        print(listener.getsockname()[1], flush=True)
        run(Path(sys.argv[1]), listener, int(sys.argv[2]))
"""


def _serving(home: Path, workers: int, linger: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _SERVER, str(home), str(workers), str(linger)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def _port(process: subprocess.Popen[str]) -> int:
    assert process.stdout
    return int(process.stdout.readline())


def _asked(connection: http.client.HTTPConnection, path: str) -> http.client.HTTPResponse:
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200
    return answer


def _edition(port: int) -> str:
    """The edition of a rule, asked on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    edition: str = json.load(_asked(connection, RULE))["rules"][0]["edition"]
    connection.close()
    return edition


def _children(process: int) -> set[int]:
    return set(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))


def _forks(process: int) -> set[int]:
    """The processes that answer, of a server's process."""
    return {grandchild for child in _children(process) for grandchild in _children(child)}


def test_a_new_bundle_has_processes_of_its_own_and_the_old_ones_end(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home, HUNDREDS_EN, "2021-05-03")
    old = Home(home).current()
    with _serving(home, 2, linger=0) as process:
        port = _port(process)
        assert _edition(port) == "2021-05-03"
        before = _forks(process.pid)
        assert len(before) == 3  # one that listens, two that search
        put(home, HUNDREDS_EN.replace("six tokens", "seven tokens"), "2022-02-02")
        while _edition(port) == "2021-05-03":
            """Every question is answered meanwhile."""
        while before & _forks(process.pid):
            assert _edition(port)
        assert len(_forks(process.pid)) == 3
        put(home, HUNDREDS_EN.replace("six tokens", "eight tokens"), "2023-03-03")
        assert old
        assert not old.exists()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0


def test_one_that_retires_says_that_its_answer_is_the_last(home: Path) -> None:
    with _serving(home, 1, linger=600) as process:
        connection = http.client.HTTPConnection("127.0.0.1", _port(process), timeout=120)
        assert _asked(connection, RULE).read()
        process.send_signal(signal.SIGUSR1)
        while (answer := _asked(connection, RULE)).getheader("connection") != "close":
            assert answer.read()
        assert answer.read()
        process.wait()  # nobody else is connected


def test_a_connection_that_rests_is_closed_when_its_time_is_over(home: Path) -> None:
    with _serving(home, 1, linger=0.1) as process:
        connection = http.client.HTTPConnection("127.0.0.1", _port(process), timeout=120)
        assert _asked(connection, RULE).read()
        process.send_signal(signal.SIGUSR1)
        assert connection.sock.recv(1) == b""
        connection.close()
        process.wait()


def test_those_that_retire_do_not_keep_a_server_from_ending(home: Path, tmp_path: Path) -> None:
    own = tmp_path / "home"
    put(own, HUNDREDS_EN, "2021-05-03")
    with _serving(own, 2, linger=0) as process:
        port = _port(process)
        assert _edition(port)
        before = _children(process.pid)
        with socket.create_connection(("127.0.0.1", port), timeout=120) as slow:
            slow.sendall(b"GET /healthz HTTP/1.1\r\n")
            process.send_signal(signal.SIGHUP)
            while _children(process.pid) <= before:
                assert _edition(port)
            process.send_signal(signal.SIGTERM)
            assert process.wait() == 0


def test_what_processes_share_is_loaded_without_a_thread(home: Path) -> None:
    script = (
        "import threading\nfrom importlib import import_module\nfrom api.http.delivery.gently import gently\n"
        f"gently(lambda: import_module('{LOADED}'))\n"
        "from search import shared\nprint(len(shared._shared), threading.active_count())"
    )
    environment = os.environ | {"RULESTONE_HOME": str(home)}
    command = [sys.executable, "-c", script]
    assert subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, check=True).stdout == "1 1\n"


def test_what_is_done_gently_gives_way_and_nothing_else_does() -> None:
    def done() -> tuple[int, int]:
        return threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = os.getpriority(os.PRIO_PROCESS, 0)
    thread, priority = gentle.gently(done)
    assert priority == max(before, gentle.NICE)
    assert thread != threading.get_native_id()
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_a_process_that_stays_answers_from_the_first_bundle_there_is(tmp_path: Path) -> None:
    library = Library(Home(tmp_path), create=False, every=0)
    with library, library.staying():
        assert library.bundle_name() is library.newest_bundle() is None
        put(tmp_path, HUNDREDS_EN, "2021-05-03")
        stays = library.bundle_name()
        assert stays == library.newest_bundle() is not None
        put(tmp_path, HUNDREDS_EN.replace("six tokens", "seven tokens"), "2022-02-02")
        assert library.bundle_name() == stays != library.newest_bundle()
    with library:
        assert library.bundle_name() == library.newest_bundle()


def test_a_new_bundle_is_asked_what_the_one_before_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    monkeypatch.setattr(warming, "give_way", lambda: None)
    monkeypatch.setenv("RULESTONE_HOME", str(home))
    put(home, HUNDREDS_EN, "2021-05-03")
    with shelf_between_processes():
        with TestClient(create_app(Library.open(create=False))) as client:
            client.get(RULE, headers={"Accept-Language": "ja"})
        put(home, HUNDREDS_EN.replace("six tokens", "seven tokens"), "2022-02-02")
        shelf, bundle = Shelf.of(), Library.open(create=False).newest_bundle()
        assert shelf
        assert bundle
        keys = shelf.asked_before(bundle)
        assert [(key.path, key.lang) for key in keys] == [(RULE, "ja")]
        warming.ask(keys)
        [(key, answer)] = shelf.of_bundle(bundle)
        with TestClient(create_app(Library.open(create=False))) as client:
            fresh = client.get(RULE, headers={"Accept-Language": "ja"})
    assert key == keys[0]
    assert answer.codings["identity"] == fresh.content
    assert b"2022-02-02" in fresh.content


class _Scripted(Generation):
    """One that begins and ends as a test has it."""

    def __init__(self, bundle: str | None) -> None:
        self.bundle = bundle
        self.begins, self.lives = False, True
        self.told: list[str] = []

    @property
    def is_alive(self) -> bool:
        return self.lives

    def has_begun(self) -> bool:
        return self.begins

    def retire(self) -> None:
        self.told.append("retire")

    def end(self) -> None:
        self.told.append("end")

    def join(self) -> None:
        """It has ended."""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[_Scripted]]:
    """Those that were started."""
    started: list[_Scripted] = []

    def start(_: object, __: Sequence[object], bundle: str | None) -> _Scripted:
        started.append(_Scripted(bundle))
        return started[-1]

    monkeypatch.setattr(generations, "Generation", start)
    yield started


def _server(bundles: list[str]) -> Generations:
    return Generations(None, [], lambda: bundles[-1])  # type: ignore[arg-type]  # nothing is configured


def test_one_generation_after_another(made: list[_Scripted]) -> None:
    bundles = ["1"]
    server = _server(bundles)
    for step in ("start", "wait", "begin", "rest", "new", "wait", "begin", "rest"):
        if step == "begin":
            made[-1].begins = True
        if step == "new":
            bundles.append("2")
        server._step()
    assert [(generation.bundle, generation.told) for generation in made] == [("1", ["retire"]), ("2", [])]


def test_one_that_does_not_begin_leaves_the_one_before_at_work(made: list[_Scripted]) -> None:
    bundles = ["1"]
    server = _server(bundles)
    server._step()
    made[0].begins = True
    server._step()
    bundles.append("2")
    server._step()
    made[1].lives = False
    for _ in range(3):
        server._step()
    assert [generation.told for generation in made] == [[], []]
    bundles.append("3")
    server._step()
    assert made[-1].bundle == "3"


def test_a_server_ends_where_the_first_do_not_begin(made: list[_Scripted]) -> None:
    server = _server(["1"])
    server._step()
    made[0].lives = False
    with pytest.raises(EnvironmentFault, match="before they answered"):
        server._step()


def test_those_that_end_unasked_have_others_in_their_place(made: list[_Scripted]) -> None:
    server = _server(["1"])
    server._step()
    made[0].begins = True
    server._step()
    made[0].lives = False
    server._step()
    assert [generation.bundle for generation in made] == ["1", "1"]


def test_a_bundle_waits_while_too_many_before_it_have_answers_under_way(made: list[_Scripted]) -> None:
    bundles = ["0"]
    server = _server(bundles)
    for number in range(1, 5):
        server._step()
        made[-1].begins = True
        server._step()
        bundles.append(str(number))
    server._step()
    assert [generation.bundle for generation in made] == ["0", "1", "2"]
    made[0].lives = False
    server._step()
    assert [generation.bundle for generation in made] == ["0", "1", "2", "4"]


def test_a_key_is_the_request_that_it_was_given_to() -> None:
    scope = warming._scope(Key("/v1/zones", b"lang=en", None, b""))
    assert (scope["path"], scope["query_string"], scope["headers"]) == ("/v1/zones", b"lang=en", [])
