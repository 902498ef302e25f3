"""The journal: whatever becomes of the lines, a copy of any mark that is brought up to date holds what there is."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.errors import EnvironmentFault, InputError, NotFoundError
from ontology.store.home import journal
from ontology.store.home.journal import Difference, Journal, writing

State = dict[str, bytes]
DAY = datetime(2026, 5, 31, 12, tzinfo=UTC)
PATHS = ("ferry/cr/2020/1", "ferry/cr/2020/1~2", "ferry/rulings/guild/7", "goat/cr/2020/1", "goat-b/cr/x/1")
STATES = st.dictionaries(st.sampled_from(PATHS), st.sampled_from((b"a", b"b", b"c")))


def put(folder: Path, state: Mapping[str, bytes], now: datetime = DAY) -> Journal:
    with writing(folder) as draft:
        for game in ("ferry", "goat", "goat-b"):
            lines = {path: digest for path, digest in state.items() if path.startswith(f"{game}/")}
            draft.put(game, "made of something" if lines else None, lines)
        draft.end(now)
    return Journal(folder)


def brought(copy: Mapping[str, bytes], kept: Journal, since: str, state: Mapping[str, bytes]) -> State:
    """A copy after all that a journal says of it is done."""
    change = kept.difference(kept.since(since))
    assert not change.added & change.changed
    after = {path: digest for path, digest in copy.items() if path not in change.removed}
    return after | {path: state[path] for path in change.added | change.changed}


@settings(max_examples=40)
@given(st.lists(STATES, min_size=1, max_size=8))
def test_a_copy_of_any_mark_or_day_comes_to_hold_what_there_is(states: list[State]) -> None:
    with TemporaryDirectory() as name:
        marks, days = list[str](), list[str]()
        for step, state in enumerate(states):
            kept = put(Path(name), state, DAY + timedelta(days=-40 + step))
            marks.append(kept.mark)
            days.append((DAY + timedelta(days=-40 + step)).date().isoformat())
        last = states[-1]
        assert brought({}, kept, "0", last) == last
        for copy, mark in zip(states, marks, strict=True):
            assert brought(copy, kept, mark, last) == last
        for step in range(1, len(states)):  # at the begin of a day there is what the day before has left, then what that day writes
            for copy in states[step - 1 : step + 1]:
                assert brought(copy, kept, days[step], last) == last


@settings(max_examples=20)
@given(STATES, STATES)
def test_a_mark_names_what_is_held_and_nothing_else(held: State, other: State) -> None:
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        put(Path(first), other)
        again, direct = put(Path(first), held), put(Path(second), held)
        assert again.mark == direct.mark
        assert (again.mark == put(Path(second), other).mark) == (held == other)


def test_what_is_as_it_was_is_not_told(tmp_path: Path) -> None:
    begun = put(tmp_path, {"ferry/1": b"a", "ferry/2": b"a"}).mark
    put(tmp_path, {"ferry/1": b"b", "ferry/3": b"a"})
    kept = put(tmp_path, {"ferry/1": b"a", "ferry/2": b"b"})
    change = kept.difference(kept.since(begun))
    assert change == Difference(frozenset(), frozenset({"ferry/2"}), ())
    same = put(tmp_path, {"ferry/1": b"a", "ferry/2": b"b"})
    assert (same.mark, same.place) == (kept.mark, kept.place)


def test_what_is_long_ago_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "KEPT", 3)
    states = [{"ferry/1": b"%d" % step, f"ferry/{step}": b"a"} for step in range(2, 9)]
    marks = [put(tmp_path, state).mark for state in states]
    kept = Journal(tmp_path)
    for state, mark in list(zip(states, marks, strict=True))[-3:]:
        assert brought(state, kept, mark, states[-1]) == states[-1]
    assert brought({}, kept, "0", states[-1]) == states[-1]
    with pytest.raises(NotFoundError, match=f"the mark {marks[0]} is not known here, or no longer; take everything anew"):
        kept.since(marks[0])


NEITHER = ("", "yesterday", "2026-02-30", "2026-5-1", "20260501", "00", "ABCDEF0123456789", "2026-05-31T12:00")


@pytest.mark.parametrize("given", NEITHER)
def test_what_is_neither_mark_nor_day_is_refused(tmp_path: Path, given: str) -> None:
    with pytest.raises(InputError, match="expected a mark that an export gave, a day like 2026-05-31"):
        put(tmp_path, {}).since(given)


def test_a_day_before_the_first_or_to_come_is_refused(tmp_path: Path) -> None:
    kept = put(tmp_path, {"ferry/1": b"a"})
    with pytest.raises(NotFoundError, match="before 2026-05 is not known here: changes are kept from 2026-05-31T12:00 on"):
        kept.since("2026-05")
    with pytest.raises(InputError, match="since 9999 lies ahead"):
        kept.since("9999")
    assert kept.since("2026-06-01").place == 1


def test_a_clock_that_goes_back_does_not_hide_a_change(tmp_path: Path) -> None:
    put(tmp_path, {"ferry/1": b"a"}, DAY)
    kept = put(tmp_path, {"ferry/1": b"b"}, DAY - timedelta(days=9))
    assert kept.difference(kept.since("0")).added == {"ferry/1"}
    with pytest.raises(NotFoundError):
        kept.since("2026-05-25")


def test_a_bundle_without_one_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault, match="built before changes were kept; run: rulestone build"):
        Journal(tmp_path)
