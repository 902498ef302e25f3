"""Homes that are built once a run, by whichever process of it asks first, and copied from then on."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.store.home.disk import locked


class Homes:
    """Builds homes in a folder that all processes of a run share. A copy is its owner's alone: it may be written to."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        own = factory.getbasetemp()
        self._factory = factory
        self._shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "homes"
        self._shared.mkdir(exist_ok=True)

    def copy(self, name: str, make: Callable[[Path], object], to: Path | None = None) -> Path:
        """A copy of the home that `make` builds at the path it is given; a name stands for one way to build."""
        copied = to or self._factory.mktemp(name) / "home"
        return Path(shutil.copytree(self._whole(name, make), copied))

    def _whole(self, name: str, make: Callable[[Path], object]) -> Path:
        folder = self._shared / name
        with locked(self._shared / f"{name}.lock"):
            if not (folder / "whole").exists():
                shutil.rmtree(folder, ignore_errors=True)  # of a process that failed
                folder.mkdir()
                make(folder / "home")
                (folder / "whole").touch()
        return folder / "home"
