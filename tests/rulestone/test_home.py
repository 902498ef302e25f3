"""The home folder under readers, killed writers, full disks and foreign hands."""

import errno
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from corpus.errors import EnvironmentFault, NotFoundError, RulestoneError
from ontology.store import bundles as bundles_module
from ontology.store.bundles import Held
from ontology.store.disk import os_faults
from ontology.store.home import Home, default_home

ROOT = Path(__file__).parents[2]
START = """
import os, sys, time
from pathlib import Path
from ontology.store.home import Home
home = Home(Path(sys.argv[1]))

def pause(*_, **__):
    print("paused", flush=True)
    time.sleep(60)

def commit(text, keep=()):
    with home.writing() as draft:
        (draft.path / "a.txt").write_text(text)
        (draft.path / "b.txt").write_text(text)
        return draft.commit(keep)
"""


def start(script: str, *args: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", START + script, *map(str, args)]
    pipe = subprocess.PIPE
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)


def run(script: str, *args: object) -> str:
    """Run a script to its end and give its output; fails with the script's own traceback."""
    with start(script, *args) as process:
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    return out


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def kill(process: subprocess.Popen[str]) -> None:
    with process:
        process.send_signal(signal.SIGKILL)


def commit(home: Home, text: str, keep: tuple[str, ...] = ()) -> Path:
    with home.writing() as draft:
        (draft.path / "deep").mkdir()
        (draft.path / "deep" / "a.txt").write_text(text)
        return draft.commit(keep)


def text(bundle: Path) -> str:
    return (bundle / "deep" / "a.txt").read_text()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


# --- plain use -------------------------------------------------------------------------------------------------------


def test_default_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULESTONE_HOME", str(tmp_path))
    assert default_home() == tmp_path
    monkeypatch.setenv("RULESTONE_HOME", "")
    assert default_home() == platformdirs.user_data_path("rulestone")


def test_a_new_home_is_empty_and_untouched(home: Home) -> None:
    assert home.current() is None
    with pytest.raises(NotFoundError, match="rulestone build"), home.reading():
        pass
    assert not home.path.exists()


def test_generations(home: Home) -> None:
    first = commit(home, "one")
    assert first == home.current() == home.path / "bundles" / "000001"
    with home.writing() as draft:
        assert draft.base == first and text(first) == "one"
        assert names(draft.path) == []
        draft.commit(())
    assert home.current() == home.path / "bundles" / "000002"
    assert names(home.path / "bundles") == ["000002"]
    assert (home.path / "current").read_text() == "000002\n"


def test_a_relative_home_survives_chdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = Home(Path("here"))
    bundle = commit(home, "one")
    monkeypatch.chdir("/")
    assert home.current() == bundle == tmp_path / "here" / "bundles" / "000001"


def test_numbers_outgrow_six_digits(home: Home) -> None:
    commit(home, "one").rename(home.path / "bundles" / "999999")
    (home.path / "current").write_text("999999")
    assert commit(home, "two").name == "1000000"
    assert commit(home, "three").name == "1000001"


@pytest.mark.parametrize("error", [None, ValueError("bad page"), KeyboardInterrupt()])
def test_leaving_without_commit_changes_nothing(home: Home, error: BaseException | None) -> None:
    commit(home, "one")
    before = tree(home.path)
    try:
        with home.writing() as draft:
            (draft.path / "a.txt").write_text("two")
            if error:
                raise error
    except (ValueError, KeyboardInterrupt) as raised:
        assert raised is error
    assert tree(home.path) == before
    assert names(home.path / "bundles") == ["000001"]


def test_an_error_after_the_commit_does_not_undo_it(home: Home) -> None:
    commit(home, "one")
    with pytest.raises(ValueError, match="late"), home.writing() as draft:
        bundle = draft.commit(())
        raise ValueError("late")
    assert home.current() == bundle


def test_ctrl_c_right_after_the_swap_does_not_undo_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(home, "one")

    def swap_and_stop(self: bundles_module.Bundles, name: str) -> None:
        swap(self, name)
        raise KeyboardInterrupt

    swap = bundles_module.Bundles.swap
    monkeypatch.setattr(bundles_module.Bundles, "swap", swap_and_stop)
    with pytest.raises(KeyboardInterrupt):
        commit(home, "two")
    with home.reading() as bundle:
        assert text(bundle) == "two"


@pytest.mark.parametrize("pointer", ["000009", "", "../../etc", "000001\n000002", "1", "九九九九九九", "9" * 5000])
def test_a_pointer_to_nothing_is_no_bundle(home: Home, pointer: str) -> None:
    kept = commit(home, "one")
    (home.path / "current").write_text(pointer)
    assert home.current() is None
    with pytest.raises(NotFoundError):
        home.hold()
    with home.writing() as draft:
        assert draft.base is None
    assert text(kept) == "one", "a bundle is kept for repair until there is a new current one"
    commit(home, "two")
    assert not kept.exists()


def test_a_bundle_deleted_by_hand_is_no_bundle(home: Home) -> None:
    shutil.rmtree(commit(home, "one"))
    assert home.current() is None
    assert commit(home, "two").name == "000002"


# --- sources ---------------------------------------------------------------------------------------------------------


def test_keep_is_idempotent(home: Home) -> None:
    with home.writing():
        path = home.keep(b"rules", "Ferrymen 渡し守.txt")
        assert path == home.sources() / sha(b"rules") / "Ferrymen 渡し守.txt"
        when = path.stat().st_mtime_ns
        assert home.keep(b"rules", "Ferrymen 渡し守.txt") == path
        assert home.keep(b"rules", "other.txt") == path, "the first name stays"
        assert path.stat().st_mtime_ns == when
        assert names(home.sources()) == [sha(b"rules")]


def test_keep_repairs_damaged_bytes(home: Home) -> None:
    with home.writing():
        home.keep(b"rules", "a.txt").write_bytes(b"rul")
        assert home.keep(b"rules", "a.txt").read_bytes() == b"rules"


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("../../../etc/passwd", "passwd"),
        ("/a/b/", "b"),
        ("..", "source"),
        (".", "source"),
        ("", "source"),
        ("a\0b", "ab"),
        ("a.tmp", "a.tmp"),
    ],
)
def test_names_from_outside_stay_inside(home: Home, name: str, stored: str) -> None:
    with home.writing():
        assert home.keep(b"x", name) == home.sources() / sha(b"x") / stored


def test_sources_live_as_long_as_a_bundle_needs_them(home: Home) -> None:
    with home.writing() as draft:
        home.keep(b"a", "a.txt")
        home.keep(b"b", "b.txt")
        draft.commit([sha(b"a"), sha(b"b")])
    (home.sources() / "notes of the judge").mkdir()
    with home.writing():
        home.keep(b"c", "c.txt")
    assert set(names(home.sources())) > {sha(b"a"), sha(b"b"), sha(b"c")}
    commit(home, "next", (sha(b"b"),))
    assert names(home.sources()) == sorted([sha(b"b"), "notes of the judge"]), "only what is ours is collected"


# --- readers ---------------------------------------------------------------------------------------------------------

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


# --- writers ---------------------------------------------------------------------------------------------------------


def test_a_second_writer_is_refused_at_once(home: Home) -> None:
    commit(home, "one")
    holder = start("with home.writing(): pause()", home.path)
    assert first_line(holder) == "paused"
    began = time.monotonic()
    with pytest.raises(EnvironmentFault) as caught, home.writing():
        pass
    assert time.monotonic() - began < 0.5
    assert caught.value.exit_code == 3
    assert str(caught.value) == f"{home.path} is locked by process {holder.pid}; try again when it has finished"
    with home.reading() as bundle:
        assert text(bundle) == "one"
    kill(holder)
    commit(home, "two")


def test_of_two_writers_one_wins(home: Home) -> None:
    script = """
sys.stdin.readline()
try:
    with home.writing() as draft:
        print("won", flush=True)
        sys.stdin.readline()
        draft.commit(())
except Exception as error:
    print(type(error).__name__, flush=True)
    sys.stdin.readline()
"""
    writers = [start(script, home.path) for _ in range(2)]
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    assert sorted(map(first_line, writers)) == ["EnvironmentFault", "won"]
    for writer in writers:
        with writer:
            assert writer.communicate("go\n", timeout=30)[1] == ""
    assert names(home.path / "bundles") == ["000001"]


def test_writers_in_one_process_exclude_each_other(home: Home) -> None:
    with home.writing(), pytest.raises(EnvironmentFault, match=f"process {os.getpid()}"), home.writing():
        pass


def test_forked_children_do_not_keep_the_writers_lock(home: Home) -> None:
    script = """
with home.writing() as draft:
    if not (child := os.fork()):
        os.closerange(0, 3)
        time.sleep(60)
    draft.commit(())
commit("two")
os.kill(child, 9)
print(home.current().name)
"""
    assert run(script, home.path) == "000002\n"


# Where the writer stops, what it patches to stop there, and the text of the bundle that must be current then.
KILLED = {
    "in the draft": ("", "one"),
    "in a source": ("import ontology.store.home as h; h.sync = pause", "one"),
    "before the rename": ("Path.rename = pause", "one"),
    "between fsync and swap": ("import ontology.store.bundles as b; b.Bundles.swap = pause", "one"),
    "in the swap": ("Path.replace = pause", "one"),
    "in the collection": ("import ontology.store.bundles as b; b.remove = pause", "two"),
}


@pytest.mark.parametrize("where", KILLED)
def test_a_killed_writer_leaves_nothing_that_matters(home: Home, where: str) -> None:
    patch, expected = KILLED[where]
    stop_in_draft = "" if patch else "pause()"
    commit(home, "one")
    script = f"""
with home.writing() as draft:
    {patch}
    (draft.path / "deep").mkdir()
    (draft.path / "deep" / "a.txt").write_text("two")
    home.keep(b"two", "two.txt") if {where == "in a source"} else None
    {stop_in_draft}
    draft.commit(())
"""
    writer = start(script, home.path)
    assert first_line(writer) == "paused"
    kill(writer)
    if expected == "two":
        assert names(home.path / "bundles") == ["000001.tmp", "000002"], "half of a bundle must not look like one"
    with home.reading() as bundle:
        assert text(bundle) == expected
    with home.writing() as draft:
        assert draft.base == bundle
        assert names(home.path / "bundles") == [bundle.name, draft.path.name]
    assert names(home.path / "bundles") == [bundle.name]
    assert not list(home.path.rglob("*.tmp"))
    assert text(commit(home, "three")) == "three"


# --- a disk that refuses ---------------------------------------------------------------------------------------------


def refuse(number: int) -> None:
    raise OSError(number, os.strerror(number))


@pytest.mark.parametrize("generation", ["first", "second"])
@pytest.mark.parametrize("target", ["os.fsync", "pathlib.Path.touch", "pathlib.Path.rename", "pathlib.Path.replace"])
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full; nothing was changed"),
        (errno.EDQUOT, "quota is used up; nothing was changed"),
        (errno.EACCES, "no permission"),
        (errno.EROFS, "no permission, the file system is read-only"),
        (errno.EFBIG, "beyond the size allowed"),
    ],
)
def test_a_refused_commit_changes_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch, generation: str, target: str, number: int, words: str
) -> None:
    if generation == "second":
        commit(home, "one")
    with home.writing():
        pass
    before = tree(home.path)
    with monkeypatch.context() as patch, pytest.raises(EnvironmentFault) as caught:
        patch.setattr(target, lambda *_, **__: refuse(number))
        commit(home, "two")
    assert words in str(caught.value) and str(home.path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert tree(home.path) == before
    assert len(names(home.path / "bundles")) == (generation == "second")


def test_everything_is_on_disk_before_the_swap(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    fsync, swap = os.fsync, bundles_module.Bundles.swap

    def note(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    def check(self: bundles_module.Bundles, name: str) -> None:
        bundle = self.path / name
        assert {path.stat().st_ino for path in (self.path, bundle, *bundle.rglob("*"))} <= set(synced)
        swap(self, name)

    monkeypatch.setattr(os, "fsync", note)
    monkeypatch.setattr(bundles_module.Bundles, "swap", check)
    commit(home, "one")
    assert synced[-1] == home.path.stat().st_ino


@pytest.mark.parametrize(
    "target",
    ["ontology.store.bundles._collect", "ontology.store.bundles.Bundles.collect", "ontology.store.home.remove"],
)
def test_collection_never_fails_a_commit(home: Home, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    commit(home, "one")
    with home.writing() as draft:
        home.keep(b"unneeded", "a.txt")
        with monkeypatch.context() as patch:
            patch.setattr(target, lambda *_: refuse(errno.EACCES))
            bundle = draft.commit(())
    assert home.current() == bundle
    commit(home, "three")
    assert names(home.path / "bundles") == ["000003"], "what could not be collected goes the next time"
    assert names(home.sources()) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "rulestone-test", str(folder)]
    if not sys.platform.startswith("linux") or os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("needs the permission to mount a tmpfs of 1 MiB")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("what", ["draft", "source"])
def test_a_full_disk(small_disk: Path, what: str) -> None:
    home = Home(small_disk / "home")
    commit(home, "one")
    before = tree(home.path)
    with pytest.raises(EnvironmentFault, match="the disk is full; nothing was changed"), home.writing() as draft:
        if what == "draft":
            (draft.path / "big").write_bytes(bytes(2 << 20))
        else:
            home.keep(bytes(2 << 20), "big.txt")
    assert tree(home.path) == before
    commit(home, "two")


def test_a_draft_left_on_a_full_disk_is_cleaned_before_space_is_needed(small_disk: Path) -> None:
    home = Home(small_disk / "home")
    commit(home, "one")
    (home.path / "bundles" / "000002.tmp").mkdir()
    with pytest.raises(OSError, match="No space"):
        (home.path / "bundles" / "000002.tmp" / "big").write_bytes(bytes(2 << 20))
    commit(home, "two")


def test_a_read_only_file_system(small_disk: Path) -> None:
    home = Home(small_disk / "home")
    commit(home, "one")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with home.reading() as bundle:
        assert text(bundle) == "one"
    with pytest.raises(EnvironmentFault, match="no permission, the file system is read-only"), home.writing():
        pass


def test_a_file_size_limit(home: Home) -> None:
    script = """
import resource
commit("one")
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with home.writing() as draft:
        (draft.path / "big").write_bytes(bytes(5000))
except Exception as error:
    print(type(error).__name__, error)
"""
    assert "beyond the size allowed here (ulimit -f); nothing was changed" in run(script, home.path)
    assert names(home.path / "bundles") == ["000001"]


@pytest.mark.parametrize("inside", ["", "below/it"])
def test_a_home_that_is_a_file(tmp_path: Path, inside: str) -> None:
    (tmp_path / "home").write_text("mine")
    home = Home(tmp_path / "home" / inside)
    for attempt in (home.current, home.hold, home.writing().__enter__, lambda: home.keep(b"x", "x")):
        with pytest.raises(EnvironmentFault, match=r"home.*: a file stands where a folder is needed$"):
            attempt()
    assert (tmp_path / "home").read_text() == "mine"


OXIGRAPH = "IO error: No space left on device: While appending to file: /x/1.sst: No space left on device"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            OSError(errno.ENOSPC, "x", "/a/b"),
            "cannot do: /a/b: the disk is full; nothing was changed in the knowledge base",
        ),
        (
            OSError(errno.ENOSPC, "x", b"/a/b"),
            "cannot do: /a/b: the disk is full; nothing was changed in the knowledge base",
        ),
        (OSError(errno.EACCES, "x", 5), "cannot do: no permission"),
        (OSError(OXIGRAPH), "cannot do: the disk is full; nothing was changed in the knowledge base"),
        (OSError("two\nlines"), "cannot do: two lines"),
        (OSError(), "cannot do: OSError"),
        (OSError(errno.EXDEV, "Invalid cross-device link", "a", None, "b"), "cannot do: a: Invalid cross-device link"),
    ],
)
def test_os_faults(error: OSError, line: str) -> None:
    with pytest.raises(RulestoneError) as caught, os_faults("do"), os_faults("do"):
        raise error
    assert type(caught.value) is EnvironmentFault
    assert str(caught.value) == line
