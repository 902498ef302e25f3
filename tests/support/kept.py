"""Homes that are built once a run, by whichever process of it asks first, and copied from then on; each is opened once."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.store.home import Home
from corpus.store.home.disk import locked
from rulestone.library.current import OpenBundle


class OpenBundles:
    """Opens the bundle of a home that nobody writes to once for every library and command of a process."""

    def __init__(self) -> None:
        self.read_only: set[Path] = set()
        self._open: dict[tuple[Path, frozenset[tuple[str, str]]], OpenBundle] = {}

    def open(self, home: Home) -> OpenBundle:
        """The bundle, for these settings; any other home is opened anew."""
        if home.path not in self.read_only:
            return OpenBundle(home)
        key = home.path, frozenset(setting for setting in os.environ.items() if setting[0].startswith("RULESTONE_"))
        bundle = self._open.get(key)
        if bundle is None or bundle.path != home.current_folder():
            bundle = self._open[key] = OpenBundle(home)
        return bundle


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
