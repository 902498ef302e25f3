"""An empty home, and a disk that is soon full."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.store.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "rulestone-test", str(folder)]
    if not sys.platform.startswith("linux") or os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("needs the permission to mount a tmpfs of 1 MiB")
    yield folder
    subprocess.run(["umount", folder], check=True)
