"""One writer at a time; one that is killed leaves nothing that matters."""

import os
from pathlib import Path

import pytest

from corpus.errors import EnvironmentFault
from corpus.store.home import Home
from tests.support.writers import LIMIT, commit, first_line, kill, names, run, start, text


def test_a_second_writer_is_refused_at_once(home: Home) -> None:
    commit(home, "one")
    holder = start("with home.writing_bundle(): pause()", home.path)
    assert first_line(holder) == "paused"
    with pytest.raises(EnvironmentFault) as caught, home.writing_bundle():
        pass
    assert holder.poll() is None, "it did not wait for the other to end"
    assert caught.value.exit_code == 3
    assert str(caught.value) == f"{home.path} is locked by process {holder.pid}; try again when it has finished"
    with home.reading_current() as bundle:
        assert text(bundle) == "one"
    kill(holder)
    commit(home, "two")


def test_of_two_writers_one_wins(home: Home) -> None:
    script = """
sys.stdin.readline()
try:
    with home.writing_bundle() as draft:
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
            assert writer.communicate("go\n", timeout=LIMIT)[1] == ""
    assert names(home.path / "bundles") == ["000001"]


def test_writers_in_one_process_exclude_each_other(home: Home) -> None:
    with home.writing_bundle(), pytest.raises(EnvironmentFault, match=f"process {os.getpid()}"), home.writing_bundle():
        pass


def test_forked_children_do_not_keep_the_writers_lock(home: Home) -> None:
    script = """
with home.writing_bundle() as draft:
    if not (child := os.fork()):
        os.closerange(0, 3)
        time.sleep(600)
    draft.commit(())
commit("two")
os.kill(child, 9)
print(home.current_folder().name)
"""
    assert run(script, home.path) == "000002\n"


# Where the writer stops, what it patches to stop there, and the text of the bundle that must be current then.
KILLED = {
    "in the draft": ("", "one"),
    "in a source": ("import corpus.store.home.home as h; h.sync = pause", "one"),
    "before the rename": ("Path.rename = pause", "one"),
    "between fsync and swap": ("import corpus.store.home.bundles as b; b.Bundles.point_to = pause", "one"),
    "in the swap": ("Path.replace = pause", "one"),
    "in the collection": ("import corpus.store.home.bundles as b; b.remove = pause", "two"),
}


@pytest.mark.parametrize("where", KILLED)
def test_a_killed_writer_leaves_nothing_that_matters(home: Home, where: str) -> None:
    patch, expected = KILLED[where]
    stop_in_draft = "" if patch else "pause()"
    commit(home, "one")
    script = f"""
with home.writing_bundle() as draft:
    {patch}
    (draft.path / "deep").mkdir()
    (draft.path / "deep" / "a.txt").write_text("two")
    home.store_source(b"two", "two.txt") if {where == "in a source"} else None
    {stop_in_draft}
    draft.commit(())
"""
    writer = start(script, home.path)
    assert first_line(writer) == "paused"
    kill(writer)
    if expected == "two":
        assert names(home.path / "bundles") == ["000001.tmp", "000002"], "half of a bundle must not look like one"
    with home.reading_current() as bundle:
        assert text(bundle) == expected
    with home.writing_bundle() as draft:
        assert draft.base == bundle
        assert names(home.path / "bundles") == [bundle.name, draft.path.name]
    assert names(home.path / "bundles") == [bundle.name]
    assert not list(home.path.rglob("*.tmp"))
    assert text(commit(home, "three")) == "three"


@pytest.mark.parametrize("dangling", [False, True])
def test_a_lock_that_is_a_link_changes_no_other_file(home: Home, tmp_path: Path, *, dangling: bool) -> None:
    other = tmp_path / "other.txt"
    if not dangling:
        other.write_text("of somebody")
    home.path.mkdir()
    (home.path / "lock").symlink_to(other)
    with pytest.raises(EnvironmentFault, match=r"lock: a symbolic link is where a file .* is expected"), home.writing_bundle():
        pass
    assert not other.exists() if dangling else other.read_text() == "of somebody"
