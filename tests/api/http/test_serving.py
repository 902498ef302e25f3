"""A running server: it picks up a new bundle, lets the old one go, and ends quietly."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from api.http.delivery import serving
from corpus.errors import NotFoundError
from ontology.store.home import Home
from rulestone import Library
from rulestone.live import Live
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put
from tests.support.texts import ROOT


@pytest.mark.usefixtures("books_alone")
def test_a_new_bundle_is_picked_up_and_the_old_one_let_go(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home, HUNDREDS_EN, "2021-05-03")
    live = Live(Home(home), every=0)
    with TestClient(create_app(Library(Home(home), create=False, every=0))) as client:
        assert client.get("/v1/rules/ferry/101.1").json()["rules"][0]["edition"] == "2021-05-03"
        in_flight = live.bundle()
        put(home, HUNDREDS_EN.replace("six tokens", "seven tokens"), "2022-02-02")
        rules = client.get("/v1/rules/ferry/101.1").json()["rules"]
        assert [(rule["edition"], rule["current"]) for rule in rules] == [("2022-02-02", True), ("2021-05-03", False)]
        assert live.bundle() is not in_flight
        assert "2022-02-02" not in {edition["edition"] for edition in in_flight.knowledge.editions()}
        old = in_flight.path
        del in_flight
        put(home, HUNDREDS_EN.replace("six tokens", "eight tokens"), "2023-03-03")
        assert not old.exists()
    live.close()


def test_live_looks_only_so_often(home: Path) -> None:
    live = Live(Home(home), every=60)
    assert live.bundle() is live.bundle()
    with pytest.raises(NotFoundError, match="rulestone build"):
        Live(Home(home / "nowhere")).bundle()
    live.close()


def test_serve(home: Path) -> None:
    command = [sys.executable, "-m", "api.cli.app", "--home", str(home), "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr
        address = process.stderr.readline().split()[1].removesuffix(":")
        with urllib.request.urlopen(f"{address}/v1/rules/ferry/101.1", timeout=300) as response:
            assert json.load(response)["rules"][0]["game"] == "ferry"
        process.send_signal(2)
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_threads_of_a_server_take_short_turns(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_HOME", str(home))
    before = sys.getswitchinterval()
    try:
        serving.create()
        assert sys.getswitchinterval() == pytest.approx(serving.TURN, rel=0.01)
    finally:
        sys.setswitchinterval(before)
    assert before > 5 * serving.TURN
