"""Search as people and programs meet it: bad input, damaged files, full disks, and what an answer says of itself."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from api.cli import main
from ontology.home import Home
from search import arrays
from search.bundle import build

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """What a fresh clone has: the digest of four games."""
    home = Home(tmp_path_factory.mktemp("asking") / "home")
    build(home)
    return home


def refused(capsys: pytest.CaptureFixture[str], home: Path, *arguments: str) -> str:
    """The one line of a search that ends with exit code 3."""
    assert main(["--home", str(home), "search", *arguments]) == 3
    told = capsys.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    return told.err


@pytest.mark.parametrize("file", ["index.json", "terms.json", "labels.json", "data.npy", "langs.npy", "vectors.npy"])
@pytest.mark.parametrize("damage", ["gone", "empty", "half", "other bytes"])
def test_a_damaged_index_is_one_line_that_says_what_to_do(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str, damage: str
) -> None:
    copy = Path(shutil.copytree(home.path, tmp_path / "home"))
    [found] = copy.glob(f"bundles/*/search/{file}")
    whole = found.read_bytes()
    found.unlink() if damage == "gone" else found.write_bytes(
        {"empty": b"", "half": whole[: len(whole) // 2], "other bytes": bytes(range(255, 0, -1)) * 9}[damage]
    )
    assert "run: rulestone build" in refused(capsys, copy, "yard")


def test_a_bundle_of_an_earlier_version_is_one_line_until_it_is_built_anew(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(home.path, tmp_path / "home"))
    [index] = copy.glob("bundles/*/search")
    shutil.rmtree(index)
    assert "holds no search index of this version; run: rulestone build" in refused(capsys, copy, "yard")
    assert main(["--home", str(copy), "build"]) == 0
    assert main(["--home", str(copy), "search", "graveyard order"]) == 0


def test_a_disk_that_takes_no_more_of_an_array_says_why(tmp_path: Path) -> None:
    script = f"""
import resource
import numpy as np
from pathlib import Path
from ontology.disk import os_faults
from search import arrays
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with os_faults("write"):
        arrays.save(Path({str(tmp_path / "array.npy")!r}), np.zeros(5000))
except Exception as error:
    print(type(error).__name__, error)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True, env=os.environ)
    assert ended.stdout.startswith("EnvironmentFault cannot write: the file grew beyond the size allowed here (ulimit -f)")


@pytest.mark.parametrize("shape", [(0,), (7,), (0, 3), (5, 3)])
@pytest.mark.parametrize("kind", [np.int8, np.int32, np.float32])
def test_an_array_comes_back_as_it_was(tmp_path: Path, shape: tuple[int, ...], kind: type) -> None:
    values = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    arrays.save(tmp_path / "array.npy", values)
    found = arrays.load(tmp_path / "array.npy")
    assert (found.dtype, found.shape, found.tolist()) == (values.dtype, shape, values.tolist())
