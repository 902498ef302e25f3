"""The copies of added files: kept once, under a safe name, as long as a bundle needs them."""

import shutil
from contextlib import suppress

import pytest

from corpus.errors import DamagedError
from corpus.store.home import Home
from corpus.store.home.manifest import AddedFile, Manifest
from tests.support.writers import LIMIT, book, commit, names, sha, start


def test_keep_is_idempotent(home: Home) -> None:
    with home.writing_bundle():
        path = home.store_source(b"rules", "Ferrymen 渡し守.txt")
        assert path == home.sources() / sha(b"rules") / "Ferrymen 渡し守.txt"
        when = path.stat().st_mtime_ns
        assert home.store_source(b"rules", "Ferrymen 渡し守.txt") == path
        assert home.store_source(b"rules", "other.txt") == path, "the first name stays"
        assert path.stat().st_mtime_ns == when
        assert names(home.sources()) == [sha(b"rules")]


def test_keep_repairs_damaged_bytes(home: Home) -> None:
    with home.writing_bundle():
        home.store_source(b"rules", "a.txt").write_bytes(b"rul")
        assert home.store_source(b"rules", "a.txt").read_bytes() == b"rules"


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
    with home.writing_bundle():
        assert home.store_source(b"x", name) == home.sources() / sha(b"x") / stored


def test_sources_live_as_long_as_a_bundle_needs_them(home: Home) -> None:
    with home.writing_bundle() as draft:
        home.store_source(b"a", "a.txt")
        home.store_source(b"b", "b.txt")
        draft.commit([book(b"a"), book(b"b")])
    (home.sources() / "notes of the judge").mkdir()
    with home.writing_bundle():
        home.store_source(b"c", "c.txt")
        assert sha(b"c") in names(home.sources())
    assert set(names(home.sources())) == {sha(b"a"), sha(b"b"), "notes of the judge"}, "the third was not added in the end"
    commit(home, "next", book(b"b"))
    assert names(home.sources()) == sorted([sha(b"b"), "notes of the judge"]), "only what is ours is collected"


def test_copies_of_a_killed_writer_are_removed_before_reading(home: Home) -> None:
    with home.writing_bundle():
        pass
    killed = home.sources() / sha(b"killed")
    killed.mkdir(parents=True)
    (killed / "ferrymen.txt").write_bytes(b"killed")
    with home.writing_bundle() as draft:
        assert names(home.sources()) == [], "the list of the new home does not name it"
        home.store_source(b"kept", "kept.txt")
        draft.commit([book(b"kept")])
    killed.mkdir()
    with home.writing_bundle():
        assert names(home.sources()) == [sha(b"kept")], "the list does not name it"


ENDED = """
import corpus.store.home.given as given
from tests.support.writers import book

def end(*_):
    {ending}

with home.writing_bundle() as draft:
    home.store_source(b"one", "one.txt")
    Manifest([AddedFile(book(b"one").sha256, "one.txt", {{}}, (), ())]).write(draft.path)
    draft.commit([book(b"one")])
given.GivenLists.publish = end
with home.writing_bundle() as draft:
    home.store_source(b"two", "two.txt")
    Manifest([AddedFile(book(data).sha256, f"{{data.decode()}}.txt", {{}}, (), ()) for data in (b"one", b"two")]).write(draft.path)
    draft.commit([book(b"one"), book(b"two")])
"""


@pytest.mark.parametrize("ending", ["os._exit(0)", "raise KeyboardInterrupt", "raise OSError(5, 'input/output error')"])
@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_writer_that_ends_between_the_swap_and_the_list_loses_no_copy(home: Home, ending: str, *, is_damaged: bool) -> None:
    with start("from corpus.store.home.manifest import AddedFile\n" + ENDED.format(ending=ending), home.path) as writer:
        writer.communicate(timeout=LIMIT)
    folder = home.current_folder()
    assert folder is not None
    both = sorted([sha(b"one"), sha(b"two")])
    assert (folder.name, names(home.sources())) == ("000002", both)
    if is_damaged:
        (folder / "manifest.json").write_text("{}")
    for _ in range(2):
        with home.writing_bundle():
            assert names(home.sources()) == both
    assert is_damaged or [entry.sha256 for entry in home.given()] == [sha(b"one"), sha(b"two")]


@pytest.mark.parametrize("missing", ["current", "bundles", "given", "current and bundles"])
def test_no_copy_is_deleted_for_lack_of_a_pointer_or_a_list(home: Home, missing: str) -> None:
    with home.writing_bundle() as draft:
        home.store_source(b"kept", "kept.txt")
        Manifest([AddedFile(sha(b"kept"), "kept.txt", {}, (), ())]).write(draft.path)
        draft.commit([book(b"kept")])
    for name in missing.split(" and "):
        path = home.path / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for from_list in (False, True):
        with suppress(DamagedError), home.writing_bundle(from_list=from_list):
            pass
        assert names(home.sources()) == [sha(b"kept")]
