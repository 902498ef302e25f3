"""No command sends anything but `get` and `update`, not even to this machine, and no other one imports what does."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from api.cli.app import COMMANDS
from tests.support.alone import in_a_network_of_its_own, watched
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.texts import ROOT

GIVEN = {
    "build": "",
    "add": "FILE --game ferry --edition 2022-01-01",
    "remove": "ferry:2022-01-01",
    "index": "",
    "push": "",
    "doctor": "",
    "editions": "",
    "show": "ferry:101.1",
    "search": "tokens --game ferry",
    "ask": "tokens --game ferry",
    "rulings": "tokens",
    "cites": "ferry:101.1",
    "diff": "ferry 2020",
    "thread": "ferry:101.1",
    "verify": "FILE",
    "align": "ferry/cr/2020-01-01 ferry/cr/2021-05-03",
    "drift": "ferry/cr --source en --target ja",
    "export": "nquads",
    "compare": "zones",
    "concept": "mtg/墓地",
    "term": "yard",
    "concordance": "token",
    "terms": "list",
    "cards": "Fog",
    "grounds": "",
    "sparql": "QUERY",
    "propose": "ferry",
    "mappings": "",
    "check": "references ferry",
    "mcp": "",
}
"""The arguments of each command; `serve`, which runs until a signal, is started beside them."""
COMMANDS_RUN = """
import sys
from api.cli.app import main
home, *lines = sys.argv[1:]
for line in lines:
    print(line.split()[0], main(["--home", home, *line.split()]), file=sys.stderr)
print([name for name in sys.modules if name.startswith("rulestone.publishers")], file=sys.stderr)
"""
SERVED = """
import signal, subprocess, sys
command = [sys.executable, "-m", "api.cli.app", "--home", sys.argv[1], "serve", "--port", "0"]
serving = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
print(serving.stderr.readline(), file=sys.stderr)
serving.send_signal(signal.SIGTERM)
serving.communicate(timeout=300)
"""
needs_a_network = pytest.mark.skipif(not in_a_network_of_its_own(), reason="no network namespace can be made here")


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT)


def test_every_command_is_watched() -> None:
    assert {*GIVEN, "serve"} == {*COMMANDS} - {"get", "update"}


@pytest.mark.slow
@needs_a_network
def test_no_command_but_two_sends_anything(ferry_home: Path, tmp_path: Path) -> None:
    home = shutil.copytree(ferry_home, tmp_path / "home")
    (tmp_path / "ferry.txt").write_text(HUNDREDS_EN.replace("six tokens", "seven tokens"))
    (tmp_path / "query.rq").write_text("ASK { ?s ?p ?o }")
    files = {"FILE": str(tmp_path / "ferry.txt"), "QUERY": str(tmp_path / "query.rq")}
    lines = [" ".join([name, *(files.get(word, word) for word in words.split())]) for name, words in GIVEN.items()]
    ended = run(watched([sys.executable, "-c", COMMANDS_RUN, str(home), *lines]))
    assert ended.returncode == 0, ended.stderr
    log = ended.stderr.splitlines()
    assert {name for name in GIVEN if not {f"{name} 0", f"{name} 1"} & {*log}} == {"index", "push"}, ended.stderr
    assert log[-1] == "[]"


@pytest.mark.slow
@needs_a_network
def test_a_server_that_nobody_asks_talks_to_nobody(ferry_home: Path) -> None:
    ended = run(watched([sys.executable, "-c", SERVED, str(ferry_home)], serves=True))
    assert (ended.returncode, "serving " in ended.stderr) == (0, True), ended.stderr


@pytest.mark.slow
@needs_a_network
@pytest.mark.parametrize("serves", [False, True])
def test_what_is_sent_is_seen(*, serves: bool) -> None:
    script = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'?', ('192.0.2.1', 53))"
    assert "sent: " in run(watched([sys.executable, "-c", script], serves=serves)).stderr
