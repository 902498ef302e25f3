"""A disk that refuses: full, read-only, without permission, or with a file where a folder is needed."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from corpus.errors import EnvironmentFault, RulestoneError
from corpus.store.home import Home
from corpus.store.home import bundles as bundles_module
from corpus.store.home.disk import os_faults
from tests.support.writers import commit, names, refuse, run, text, tree


@pytest.mark.parametrize("generation", ["first", "second"])
@pytest.mark.parametrize(
    "target", ["os.fsync", "corpus.store.home.checksums.write_file", "pathlib.Path.rename", "pathlib.Path.replace"]
)
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
    with home.writing_bundle():
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
    fsync, swap = os.fsync, bundles_module.Bundles.point_to

    def note(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    def check(self: bundles_module.Bundles, name: str) -> None:
        bundle = self.path / name
        assert {path.stat().st_ino for path in (self.path, bundle, *bundle.rglob("*"))} <= set(synced)
        swap(self, name)

    monkeypatch.setattr(os, "fsync", note)
    monkeypatch.setattr(bundles_module.Bundles, "point_to", check)
    commit(home, "one")
    assert synced[-1] == home.path.stat().st_ino


@pytest.mark.parametrize(
    "target",
    ["corpus.store.home.bundles._collect", "corpus.store.home.bundles.Bundles.collect_garbage", "corpus.store.home.home.remove"],
)
def test_collection_never_fails_a_commit(home: Home, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    commit(home, "one")
    with home.writing_bundle() as draft:
        home.store_source(b"unneeded", "a.txt")
        with monkeypatch.context() as patch:
            patch.setattr(target, lambda *_: refuse(errno.EACCES))
            bundle = draft.commit(())
    assert home.current_folder() == bundle
    commit(home, "three")
    assert names(home.path / "bundles") == ["000003"], "what could not be collected goes the next time"
    assert names(home.sources()) == []


@pytest.mark.parametrize("what", ["draft", "source"])
def test_a_full_disk(small_disk: Path, what: str) -> None:
    home = Home(small_disk / "home")
    commit(home, "one")
    before = tree(home.path)
    with pytest.raises(EnvironmentFault, match="the disk is full; nothing was changed"), home.writing_bundle() as draft:
        if what == "draft":
            (draft.path / "big").write_bytes(bytes(2 << 20))
        else:
            home.store_source(bytes(2 << 20), "big.txt")
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
    with home.reading_current() as bundle:
        assert text(bundle) == "one"
    with pytest.raises(EnvironmentFault, match="no permission, the file system is read-only"), home.writing_bundle():
        pass


def test_a_file_size_limit(home: Home) -> None:
    script = """
import resource
commit("one")
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with home.writing_bundle() as draft:
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
    for attempt in (home.current_folder, home.hold_current, home.writing_bundle().__enter__, lambda: home.store_source(b"x", "x")):
        with pytest.raises(EnvironmentFault, match=r"home.*: a file is where a folder is expected$"):
            attempt()
    assert (tmp_path / "home").read_text() == "mine"


OXIGRAPH = "IO error: No space left on device: While appending to file: /x/1.sst: No space left on device"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(errno.ENOSPC, "x", "/a/b"), "cannot do: /a/b: the disk is full; nothing was changed in the knowledge base"),
        (OSError(errno.ENOSPC, "x", b"/a/b"), "cannot do: /a/b: the disk is full; nothing was changed in the knowledge base"),
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
