"""Readers see whole bundles, whatever a writer does meanwhile."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.store.documents import NewDocuments
from corpus.store.home import Home
from corpus.store.home import bundles as bundles_module
from corpus.store.home.bundles import HeldBundle
from tests.support.writers import LIMIT, commit, first_line, names, run, start, text, tree

READER = """
home, folder, mine, seen, rounds = Home(Path(sys.argv[1])), Path(sys.argv[2]), sys.argv[3], [], 0
print("ready", flush=True)
while not (folder / "stop").exists():
    assert home.current_folder() is not None
    with home.reading_current() as bundle:
        a = (bundle / "a.txt").read_text()
        time.sleep(0.002 * (rounds % 3))
        b = (bundle / "b.txt").read_text()
    assert a == b == str(int(bundle.name)), (a, b, bundle)
    rounds += 1
    if a not in seen:
        seen.append(a)
        (folder / f"{mine}-{a}").touch()
assert seen == sorted(seen, key=int), seen
"""
SWAPS = """
folder, swaps = Path(sys.argv[2]), 1
while not all(len(list(folder.glob(f"{reader}-*"))) > 5 for reader in "012"):
    swaps += 1
    commit(str(swaps))
print(swaps)
"""


def test_readers_see_whole_bundles_while_a_writer_swaps(home: Home, tmp_path: Path) -> None:
    """It swaps until each reader has met six bundles, however slow the machine is."""
    met = tmp_path / "met"
    met.mkdir()
    run("commit('1')", home.path)
    readers = [start(READER, home.path, met, number) for number in range(3)]
    assert [first_line(reader) for reader in readers] == ["ready"] * 3
    swaps = int(run(SWAPS, home.path, met))
    (met / "stop").touch()
    for reader in readers:
        with reader:
            _, err = reader.communicate(timeout=LIMIT)
        assert reader.returncode == 0, err
    commit(home, "last")
    assert names(home.path / "bundles") == [f"{swaps + 1:06d}"], "nothing stays once nobody reads"


def test_a_held_bundle_survives_until_closed(home: Home) -> None:
    commit(home, "one")
    held = home.hold_current()
    commit(home, "two")
    commit(home, "three")
    assert text(held.path) == "one"
    assert names(home.path / "bundles") == ["000001", "000003"]
    held.close()
    held.close()
    with home.writing_bundle():
        assert names(home.path / "bundles") == ["000003", "000004.tmp"], "an old bundle goes when a writer next starts"


def test_a_bundle_collected_under_the_readers_hand(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(bundle: Path) -> HeldBundle | None:
        monkeypatch.setattr(bundles_module, "_hold", hold)
        commit(home, "two")
        assert not bundle.exists()
        return hold(bundle)

    hold = bundles_module._hold
    commit(home, "one")
    monkeypatch.setattr(bundles_module, "_hold", too_late)
    with home.reading_current() as bundle:
        assert text(bundle) == "two"


def test_a_bundle_collected_between_opening_and_locking(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow_lock(file: object, *, shared: bool) -> bool:
        monkeypatch.setattr(bundles_module, "lock", lock)
        commit(home, "two")
        return bool(lock(file, shared=shared))

    lock = vars(bundles_module)["lock"]
    commit(home, "one")
    monkeypatch.setattr(bundles_module, "lock", slow_lock)
    with home.reading_current() as bundle:
        assert text(bundle) == "two"


def test_a_pointer_that_moves_between_reading_and_looking(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(home, "one")
    commit(home, "two")
    names = iter(["000001", "000002"])
    monkeypatch.setattr(bundles_module.Bundles, "current_name", lambda _: next(names))
    assert home.current_folder() == home.path / "bundles" / "000002"


READ_ONLY = """
if os.geteuid() == 0:
    os.seteuid(65534)
with home.reading_current() as bundle:
    print((bundle / "a.txt").read_text())
for attempt in (lambda: home.writing_bundle().__enter__(), lambda: home.store_source(b"x", "x.txt")):
    try:
        attempt()
    except Exception as error:
        print(type(error).__name__, error)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Make a folder other users may enter; pytest's own is closed to them."""
    folder = Path(tempfile.mkdtemp(prefix="rulestone-"))
    folder.chmod(0o755)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", folder], check=True)
    shutil.rmtree(folder)


def test_reading_needs_no_permission_to_write(open_folder: Path) -> None:
    run("os.umask(0o022); commit('one')", open_folder)
    subprocess.run(["chmod", "-R", "a-w", open_folder], check=True)
    before = tree(open_folder)
    out = run(READ_ONLY, open_folder).splitlines()
    assert out[0] == "one"
    assert len(out) == 3
    for line in out[1:]:
        assert re.fullmatch(rf"EnvironmentFault cannot write .* in {open_folder}: {open_folder}/.*: no permission", line)
    assert tree(open_folder) == before


UNREADABLE = """
from corpus.store.documents import Documents
if os.geteuid() == 0:
    os.seteuid(65534)
try:
    Documents(home.path / "records.db").document("ferry/cr")
except Exception as error:
    print(type(error).__name__, error)
"""


def test_records_without_permission_are_not_called_changed(open_folder: Path) -> None:
    NewDocuments(open_folder / "records.db").close()
    (open_folder / "records.db").chmod(0)
    out = run(UNREADABLE, open_folder)
    assert re.fullmatch(rf"EnvironmentFault cannot read {open_folder}/records.db: .*: no permission\n", out), out
