"""Homes and disks for commands."""

import gc
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.publisher import Publisher, certificate, publishing, trust_local_publisher

NOBODY = 65534


@pytest.fixture(scope="session")
def home(translated_home: Path) -> Path:
    """The digest and two editions of The Game of Ferrymen, the later one in two languages; nobody writes to it."""
    return translated_home


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return certificate(tmp_path_factory.mktemp("publisher"))


@pytest.fixture
def publisher(pair: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Publisher]:
    """A publisher on this machine."""
    with publishing(*pair, tmp_path) as server:
        trust_local_publisher(monkeypatch, pair[0])
        yield server


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder of a user who may not do everything."""
    folder = Path(tempfile.mkdtemp(prefix="rulestone-"))
    if os.geteuid() != 0:
        yield folder
    else:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(0)
    shutil.rmtree(folder)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(tmp_path)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk, and some containers forbid even that")
    yield tmp_path
    gc.collect()  # what failed leaves mapped files in the traceback's frames
    subprocess.run(["umount", str(tmp_path)], check=True)
