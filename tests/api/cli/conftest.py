"""Homes and disks for commands."""

import gc
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.store.home import Home
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA
from tests.support.kept import Homes

NOBODY = 65534
OLD = HUNDREDS_EN.replace("at most six tokens", "at most five tokens")


@pytest.fixture(scope="session")
def home(homes: Homes, digest_home: Home) -> Path:
    """The digest and three files of The Game of Ferrymen: two editions, the later one in two languages."""
    return homes.copy("commands", lambda path: _fill(Path(shutil.copytree(digest_home.path, path))))


def _fill(home: Path) -> None:
    for name, text, options in (
        ("old.en.txt", OLD, "--edition 2020-01-01 --authority official"),
        ("new.en.txt", HUNDREDS_EN, "--edition 2021-05-03 --authority official"),
        ("new.ja.txt", HUNDREDS_JA, "--edition 2021-05-03 --lang ja --authority translation"),
    ):
        file = home.with_name(name)
        file.write_text(text, encoding="utf-8")
        ended = call(home, "add", file, "--game", "ferry", *options.split())
        assert ended.code == 0, ended.err


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
