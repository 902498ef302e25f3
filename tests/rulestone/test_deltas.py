"""A bot that does to its copy what the lines say holds exactly what the whole export gives, whatever was done to the home."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from corpus.errors import EnvironmentFault, InputError, NotFoundError
from ontology.store.home.journal import FILE, FOLDER
from rulestone import Library
from tests.support.editions import NEWEST, OLDEST, text
from tests.support.ferrymen import HUNDREDS_JA

GUILD = Path(__file__).parents[1] / "support" / "rulings" / "ferrymen.en.json"
Copy = dict[str, str]
"""Address → its line."""


pytestmark = pytest.mark.usefixtures("books_alone")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "home") as library:
        yield library


def whole(library: Library) -> Copy:
    lines = [line.decode() for line in library.export("jsonl")]
    copy = {json.loads(line)["iri"]: line for line in lines}
    assert len(copy) == len(lines)
    return copy


def brought(copy: Copy, lines: list[bytes]) -> tuple[Copy, str]:
    """A copy after it was brought up to date, and its new mark. What is said to be added must not be there, and so on."""
    after, counts = dict(copy), dict.fromkeys(("added", "changed", "removed"), 0)
    *told, end = [json.loads(line) for line in lines]
    for change in told:
        counts[change["change"]] += 1
        assert (change["iri"] in after) == (change["change"] != "added")
        if change["change"] == "removed":
            del after[change["iri"]]
        else:
            assert change["iri"] == change["line"]["iri"]
            after[change["iri"]] = json.dumps(change["line"], ensure_ascii=False, separators=(",", ":")) + "\n"
    assert end == {"mark": end["mark"], **counts}
    return after, end["mark"]


def put(library: Library, name: str, words: str, edition: str, lang: str = "en", *, replace: bool = False) -> None:
    path = library.path.parent / name
    path.write_text(words, encoding="utf-8")
    library.add(path, game="ferry", book="cr", edition=edition, lang=lang, authority="official", replace=replace, later=True)


def edited(library: Library, count: int) -> None:
    put(library, f"old-{count}.txt", text(OLDEST).replace("up to six", f"up to {count}"), OLDEST, replace=True)


STEPS: dict[str, Callable[[Library], object]] = {
    "add": lambda library: put(library, "old-6.txt", text(OLDEST), OLDEST, replace=True),
    "edit": lambda library: edited(library, 7),
    "edit again": lambda library: edited(library, 8),
    "newer": lambda library: put(library, "new.txt", text(NEWEST), NEWEST),
    "language": lambda library: put(library, "new.ja.txt", HUNDREDS_JA, "2023-01-01", "ja"),
    "rulings": lambda library: library.add(GUILD, game="ferry", source="guild", later=True),
    "remove old": lambda library: library.remove(f"ferry/cr/{OLDEST}"),
    "remove new": lambda library: library.remove(f"ferry/cr/{NEWEST}"),
    "remove language": lambda library: library.remove("new.ja.txt"),
    "remove rulings": lambda library: library.remove("ferry/rulings/guild"),
    "build": lambda library: library.build(later=True),
}


def walked(library: Library, names: list[str]) -> None:
    """Does some of it, takes a copy after each step, and brings every copy up to date after each later one."""
    library.build(later=True)
    copies: list[tuple[str, Copy]] = [("0", {})]
    for name in names:
        try:
            STEPS[name](library)
        except NotFoundError:
            continue  # nothing of it is there to be removed
        now = whole(library)
        after = [brought(copy, list(library.export("jsonl", since=mark))) for mark, copy in copies]
        assert [copy for copy, _ in after] == [now] * len(copies)
        assert {mark for _, mark in after} == {library.lines().mark}
        copies.append((after[0][1], now))
    assert len({mark for mark, _ in copies}) > 2


def test_copies_of_every_mark_are_brought_up_to_date(library: Library) -> None:
    walked(library, ["add", "rulings", "edit", "remove old"])


@pytest.mark.slow
def test_the_same_of_several_editions(library: Library) -> None:
    walked(library, ["add", "newer", "rulings", "edit", "remove old", "build", "remove new"])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_same_of_whatever_is_done(library: Library, seed: int) -> None:
    walked(library, random.Random(seed).choices(list(STEPS), k=12))


def test_what_did_not_change_is_not_sent(library: Library) -> None:
    put(library, "old.txt", text(OLDEST), OLDEST)
    mark = library.lines().mark
    edited(library, 7)
    *told, end = [json.loads(line) for line in library.export("jsonl", since=mark)]
    assert {(change["change"], "/".join(change["iri"].split("/")[-4:-1])) for change in told} == {("changed", f"ferry/cr/{OLDEST}")}
    assert list(library.export("jsonl", since=end["mark"])) == [
        b'{"mark":"%b","added":0,"changed":0,"removed":0}\n' % end["mark"].encode()
    ]


@pytest.mark.slow
def test_homes_that_hold_the_same_have_the_same_mark(library: Library, tmp_path: Path) -> None:
    put(library, "new.txt", text(NEWEST), NEWEST)
    direct = library.lines().mark
    put(library, "old.txt", text(OLDEST), OLDEST)
    assert library.lines().mark != direct
    library.remove(f"ferry/cr/{OLDEST}")
    assert library.lines().mark == direct


def test_what_cannot_be_brought_up_to_date_is_told_in_one_line(library: Library) -> None:
    library.build(later=True)
    with pytest.raises(NotFoundError, match="the mark 0123456789abcdef is not known here"):
        library.export("jsonl", since="0123456789abcdef")
    with pytest.raises(InputError, match="since 'last week': expected a mark"):
        library.export("jsonl", since="last week")
    with pytest.raises(InputError, match="export turtle has no changes"):
        library.export("turtle", since="0")
    (library.path / "bundles" / str(library.bundle_name()) / FOLDER / FILE).unlink()
    with pytest.raises(EnvironmentFault, match="run: rulestone build"):
        library.lines()
