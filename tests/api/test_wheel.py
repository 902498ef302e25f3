"""The wheel in an environment of its own: it has everything that the server and its pages need."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from corpus.store.home import Home
from tests.support.servers import serving

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PATIENCE = 180
"""Seconds that a busy machine may take for the first page."""


def _run(*command: object, cwd: Path = ROOT) -> str:
    words = [str(part) for part in command]
    process = subprocess.run(words, check=False, capture_output=True, text=True, env=_environment(), cwd=cwd)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def _environment() -> dict[str, str]:
    """The environment without a way to the sources."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel, which takes what it depends on from the developing environment."""
    place = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    options = ("--no-deps", "--retries", "1", "--build-constraint", ROOT / "constraints.txt", "--wheel-dir", place)
    words = [str(part) for part in (*pip, "wheel", *options, ROOT)]
    process = subprocess.run(words, check=False, capture_output=True, text=True)
    if process.returncode and "hatchling" in process.stderr:
        pytest.skip("hatchling, which builds the wheel, cannot be downloaded here")
    assert process.returncode == 0, process.stderr
    [wheel] = place.glob("rulestone-*.whl")
    _run(sys.executable, "-m", "venv", "--without-pip", place / "venv")
    programs = place / "venv" / "bin"
    site = Path(_run(programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "developing.pth").write_text(sysconfig.get_path("purelib"))
    _run(*pip, "--python", programs / "python", "install", "--no-deps", "--no-compile", wheel)
    return programs


@pytest.fixture
def address(installed: Path, digest_home: Home, tmp_path: Path) -> Iterator[str]:
    """A server that the installed program runs, far from this folder."""
    program = [str(installed / "rulestone")]
    with serving(digest_home.path, program=program, cwd=tmp_path, env=_environment()) as server:
        yield f"http://127.0.0.1:{server.port}"


def _page(address: str) -> str:
    body: bytes = urlopen(Request(address, headers={"Accept": "text/html"}), timeout=PATIENCE).read()
    return body.decode()


def test_the_installed_program_serves_the_pages(installed: Path, address: str, tmp_path: Path) -> None:
    place = _run(installed / "python", "-c", "import rulestone; print(rulestone.__file__)", cwd=tmp_path)
    assert Path(place.strip()).is_relative_to(installed.parent)
    home = _page(address)
    assert "<h1>" in home
    style = home.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    assert b"--ink" in urlopen(address + style, timeout=PATIENCE).read()
    assert '<ol class="hits"' in _page(f"{address}/?q=graveyard")
