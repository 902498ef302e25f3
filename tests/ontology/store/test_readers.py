"""Readers see whole bundles, whatever a writer does meanwhile."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ontology.store import bundles as bundles_module
from ontology.store.bundles import Held
from ontology.store.home import Home
from tests.support.writers import commit, first_line, names, run, start, text, tree

READER = """
home, stop, seen, rounds = Home(Path(sys.argv[1])), Path(sys.argv[2]), [], 0
print("ready", flush=True)
while not stop.exists():
    assert home.current() is not None
    with home.reading() as bundle:
        a = (bundle / "a.txt").read_text()
        time.sleep(0.002 * (rounds % 3))
        b = (bundle / "b.txt").read_text()
    assert a == b == str(int(bundle.name)), (a, b, bundle)
    rounds += 1
    if a not in seen:
        seen.append(a)
assert seen == sorted(seen, key=int), seen
print(len(seen))
"""


def test_readers_see_whole_bundles_while_a_writer_swaps(home: Home, tmp_path: Path) -> None:
    stop = tmp_path / "stop"
    run("commit('1')", home.path)
    readers = [start(READER, home.path, stop) for _ in range(3)]
    assert [first_line(reader) for reader in readers] == ["ready"] * 3
    run("for n in range(2, 32): commit(str(n)); time.sleep(0.01)", home.path)
    stop.touch()
    for reader in readers:
        with reader:
            out, err = reader.communicate(timeout=30)
        assert reader.returncode == 0, err
        assert int(out) > 5, "the reader hardly saw a swap"
    commit(home, "last")
    assert names(home.path / "bundles") == ["000032"], "nothing stays once nobody reads"


def test_a_held_bundle_survives_until_closed(home: Home) -> None:
    commit(home, "one")
    held = home.hold()
    commit(home, "two")
    commit(home, "three")
    assert text(held.path) == "one"
    assert names(home.path / "bundles") == ["000001", "000003"]
    held.close()
    held.close()
    with home.writing():
        assert names(home.path / "bundles") == ["000003", "000004.tmp"], "an old bundle goes when a writer next starts"


def test_a_bundle_collected_under_the_readers_hand(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(bundle: Path) -> Held | None:
        monkeypatch.setattr(bundles_module, "_hold", hold)
        commit(home, "two")
        assert not bundle.exists()
        return hold(bundle)

    hold = bundles_module._hold
    commit(home, "one")
    monkeypatch.setattr(bundles_module, "_hold", too_late)
    with home.reading() as bundle:
        assert text(bundle) == "two"


def test_a_bundle_collected_between_opening_and_locking(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow_lock(file: object, *, shared: bool) -> bool:
        monkeypatch.setattr(bundles_module, "lock", lock)
        commit(home, "two")
        return bool(lock(file, shared=shared))

    lock = vars(bundles_module)["lock"]
    commit(home, "one")
    monkeypatch.setattr(bundles_module, "lock", slow_lock)
    with home.reading() as bundle:
        assert text(bundle) == "two"


def test_a_pointer_that_moves_between_reading_and_looking(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(home, "one")
    commit(home, "two")
    told = iter(["000001", "000002"])
    monkeypatch.setattr(bundles_module.Bundles, "named", lambda _: next(told))
    assert home.current() == home.path / "bundles" / "000002"


READ_ONLY = """
if os.geteuid() == 0:
    os.seteuid(65534)
with home.reading() as bundle:
    print((bundle / "a.txt").read_text())
for attempt in (lambda: home.writing().__enter__(), lambda: home.keep(b"x", "x.txt")):
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
