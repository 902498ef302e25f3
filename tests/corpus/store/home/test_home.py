"""The home folder in plain use: its default, its generations, what leaves it as it was."""

import shutil
from pathlib import Path

import platformdirs
import pytest

from corpus.errors import DamagedError, NotFoundError
from corpus.store.home import Draft, Home, default_home
from corpus.store.home import bundles as bundles_module
from tests.support.writers import commit, names, text, tree


def test_default_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RULESTONE_HOME", str(tmp_path))
    assert default_home() == tmp_path
    monkeypatch.setenv("RULESTONE_HOME", "")
    assert default_home() == platformdirs.user_data_path("rulestone")


def test_a_new_home_is_empty_and_untouched(home: Home) -> None:
    assert home.current_folder() is None
    with pytest.raises(NotFoundError, match="rulestone build"), home.reading_current():
        pass
    assert not home.path.exists()


def test_generations(home: Home) -> None:
    first = commit(home, "one")
    assert first == home.current_folder() == home.path / "bundles" / "000001"
    with home.writing_bundle() as draft:
        assert draft.base == first and text(first) == "one"
        assert names(draft.path) == []
        draft.commit(())
    assert home.current_folder() == home.path / "bundles" / "000002"
    assert names(home.path / "bundles") == ["000002"]
    assert (home.path / "current").read_text() == "000002\n"


def test_a_relative_home_survives_chdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = Home(Path("here"))
    bundle = commit(home, "one")
    monkeypatch.chdir("/")
    assert home.current_folder() == bundle == tmp_path / "here" / "bundles" / "000001"


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
        with home.writing_bundle() as draft:
            (draft.path / "a.txt").write_text("two")
            if error:
                raise error
    except (ValueError, KeyboardInterrupt) as raised:
        assert raised is error
    assert tree(home.path) == before
    assert names(home.path / "bundles") == ["000001"]


def test_an_error_after_the_commit_does_not_undo_it(home: Home) -> None:
    commit(home, "one")
    with pytest.raises(ValueError, match="late"), home.writing_bundle() as draft:
        bundle = draft.commit(())
        raise ValueError("late")
    assert home.current_folder() == bundle


def test_ctrl_c_right_after_the_swap_does_not_undo_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(home, "one")

    def swap_and_stop(self: bundles_module.Bundles, name: str) -> None:
        swap(self, name)
        raise KeyboardInterrupt

    swap = bundles_module.Bundles.point_to
    monkeypatch.setattr(bundles_module.Bundles, "point_to", swap_and_stop)
    with pytest.raises(KeyboardInterrupt):
        commit(home, "two")
    with home.reading_current() as bundle:
        assert text(bundle) == "two"


@pytest.mark.parametrize("pointer", ["000009", "", "../../etc", "000001\n000002", "1", "九九九九九九", "9" * 5000])
def test_a_pointer_to_nothing_is_damage(home: Home, pointer: str) -> None:
    folder = commit(home, "one")
    (home.path / "current").write_text(pointer)
    before = tree(home.path)
    for reading in (home.current_folder, home.hold_current, lambda: home.writing_bundle().__enter__()):
        with pytest.raises(DamagedError, match="the bundle 000001 is whole; run: rulestone doctor --mend"):
            reading()
    assert {name: data for name, data in tree(home.path).items() if name != "lock"} == {
        name: data for name, data in before.items() if name != "lock"
    }
    assert home.mend_pointer() == folder == home.current_folder()
    assert home.mend_pointer() is None, "the pointer is right"


def test_a_lost_pointer_is_set_to_the_newest_whole_bundle_that_was_current(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(home, "one")
    with home.reading_current():
        second = commit(home, "two")
        with home.reading_current():
            third = commit(home, "three")
            with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
                patch.setattr(bundles_module.Bundles, "point_to", power_cut)
                patch.setattr(Draft, "discard", lambda _: None)
                commit(home, "four")
            (home.path / "current").unlink()
            home._lists.write("000001", ())
            home._lists.write("000002", ())
            (third / "deep" / "a.txt").write_text("thred")
            assert names(home.path / "bundles") == ["000001", "000002", "000003", "000004"]
            assert home.mend_pointer() == second, "the third is damaged, the fourth was never current"
            assert names(home.path / "bundles") == ["000001", "000002", "000003", "000004"], "nothing is deleted"
            with pytest.raises(DamagedError, match="names an older bundle than the newest list"), home.writing_bundle():
                pass


def power_cut(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_bundle_deleted_by_hand_is_no_bundle(home: Home) -> None:
    shutil.rmtree(commit(home, "one"))
    assert home.current_folder() is None
    assert commit(home, "two").name == "000002"
