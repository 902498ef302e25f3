"""A home that any tool has copied: a server there answers from the new bundle, and half a copy is noticed."""

import gc
import math
import shutil
import subprocess
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from corpus.errors import DamagedError
from corpus.memory import frozen_grown, scan_everything
from corpus.store.home import Home
from rulestone import Library, NotFoundError
from rulestone.library import current
from rulestone.library.current import POLL_SECONDS
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN


def copy(tool: str, home: Path, target: Path) -> None:
    """Copies all of a home but `current`."""
    target.mkdir(exist_ok=True)
    if tool == "cp":
        command = ["cp", "-R", *(str(part) for part in home.iterdir() if part.is_dir()), str(target)]
    else:
        command = ["rsync", "-a", "--exclude", "current", "--exclude", "lock", "--exclude", "*.tmp", f"{home}/", f"{target}/"]
    subprocess.run(command, check=True)


def swap(home: Path, target: Path) -> None:
    """Has the copy answer from the bundle that the home answers from."""
    shutil.copyfile(home / "current", target / "current.new")
    (target / "current.new").replace(target / "current")


@pytest.fixture
def own(alone_home: Home, tmp_path: Path, books_alone: None) -> Path:
    """A home that is written to."""
    return Path(shutil.copytree(alone_home.path, tmp_path / "own"))


def add(home: Path) -> None:
    """Adds a book to a home."""
    book = home.parent / "ferry.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    assert call(home, "add", book, "--game", "ferry", "--later").code == 0


@pytest.mark.parametrize("tool", ["cp", "rsync"])
def test_a_running_library_answers_from_a_copy_as_soon_as_it_is_swapped_in(own: Path, tmp_path: Path, tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    there = tmp_path / "there"
    copy(tool, own, there)
    swap(own, there)
    with Library.open(there, create=False) as library:
        assert library.editions()["editions"]
        add(own)
        copy(tool, own, there)
        time.sleep(POLL_SECONDS)
        with pytest.raises(NotFoundError):
            library.rules("ferry:101.1")
        swap(own, there)
        time.sleep(POLL_SECONDS)
        assert library.rules("ferry:101.1")["rules"]
        with Library.open(own, create=False) as source:
            assert [*library.export("nquads")] == [*source.export("nquads")]
    assert call(there, "doctor").out == f"no faults in {there}\n"


@pytest.mark.parametrize("part", ["store/*.sst", "search/fields.npy", "manifest.json", "checksums.json"])
@pytest.mark.parametrize("harm", ["missing", "half"])
def test_half_a_copy_is_noticed(own: Path, tmp_path: Path, part: str, harm: str) -> None:
    there = tmp_path / "there"
    copy("cp", own, there)
    file = max(there.glob(f"bundles/*/{part}"), key=lambda path: path.stat().st_size)
    whole = file.read_bytes()
    file.unlink() if harm == "missing" else file.write_bytes(whole[: len(whole) // 2])
    swap(own, there)
    ended = call(there, "doctor")
    assert ended.code == 1
    assert file.name in ended.out
    with Library.open(there, create=False) as library, pytest.raises(DamagedError):
        library.search("graveyard")


def test_a_copy_without_its_sources_is_noticed(own: Path, tmp_path: Path) -> None:
    add(own)
    there = tmp_path / "there"
    copy("cp", own, there)
    shutil.rmtree(there / "sources")
    swap(own, there)
    ended = call(there, "doctor")
    assert (ended.code, "ferry.txt" in ended.out) == (1, True)


def test_a_watching_library_freezes_what_lasts_and_frees_the_bundle_before(own: Path) -> None:
    gc.unfreeze()
    with Library(Home(own), create=False, poll_seconds=0.05) as library, library.watch_for_bundles():
        until(lambda: gc.get_freeze_count() > 0)
        before = weakref.ref(library._current.current_bundle())
        add(own)
        until(lambda: before() is None)
        assert library.rules("ferry:101.1")["rules"]
    assert gc.get_freeze_count() == 0


def test_a_bundle_in_use_while_it_is_replaced_is_freed_afterwards(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scans: list[int] = []
    later = threading.Event()
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + (3600 if later.is_set() else 0))
    monkeypatch.setattr(current, "time", clock)
    monkeypatch.setattr(current, "_RELEASE_SECONDS", (3000.0, math.inf))
    monkeypatch.setattr(current, "_COUNTING_SECONDS", math.inf)
    monkeypatch.setattr(current, "scan_everything", _recorded_scan(scans))
    with Library(Home(own), create=False, poll_seconds=0.05) as library, library.watch_for_bundles():
        until(lambda: bool(scans))
        in_use = library._current.current_bundle()
        before = weakref.ref(in_use)
        add(own)
        until(lambda: len(scans) > 1)
        assert before() is not None
        del in_use
        later.set()
        until(lambda: before() is None)


def test_cyclic_garbage_that_was_frozen_in_use_is_freed(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scans: list[int] = []
    is_garbage = threading.Event()
    monkeypatch.setattr(current, "_COUNTING_SECONDS", 0.05)
    monkeypatch.setattr(current, "scan_everything", _recorded_scan(scans))
    # a scan while the cells are in use would be the last: they would not grow after it
    monkeypatch.setattr(current, "frozen_grown", lambda since: is_garbage.is_set() and frozen_grown(since))
    with Library(Home(own), create=False, poll_seconds=0.05) as library, library.watch_for_bundles():
        until(lambda: bool(scans))
        cells = [_Cell() for _ in range(scans[0] // 2)]
        gc.collect()  # freezes them
        last = weakref.ref(cells[-1])
        del cells
        assert last() is not None
        is_garbage.set()
        until(lambda: last() is None)


def _recorded_scan(scans: list[int]) -> Callable[[], int]:
    """`scan_everything`, which adds its results to a list."""

    def scan() -> int:
        scans.append(scan_everything())
        return scans[-1]

    return scan


class _Cell:
    """An object that only the cyclic collector frees."""

    def __init__(self) -> None:
        self.itself = self


def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds; the limit is for what hangs."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() < begun + 300
        time.sleep(0.05)
