"""A file that lacks most rules of its own chapters is reported; a part of a book is not."""

from pathlib import Path

import pytest

from corpus.store.home import Home
from ingest.recognise import Hints
from rulestone.writing.add import AddOptions, add

pytestmark = pytest.mark.usefixtures("books_alone")


def chapter(number: int, rules: range) -> str:
    lines = (f"{number}00.{nth}. Ferry number {nth} of chapter {number} waits for its token." for nth in rules)
    return "\n".join([f"{number}. Part {number}", f"{number}00. General", *lines, ""])


WHOLE = "".join(chapter(number, range(1, 16)) for number in (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            chapter(1, range(1, 4)) + chapter(3, range(1, 9)),
            "15 rules, where ferry/cr/2024-05-01 has 34 in the same chapters; check that the file is whole",
        ),
        (chapter(2, range(1, 16)), None),  # one chapter, whole
        (WHOLE.replace("100.2. Ferry number 2", "100.2. Another ferry"), None),
        ("\n".join(chapter(2, range(1, 6)).splitlines()[2:]), None),  # some rules without their chapter's heading
    ],
)
def test_a_file_that_lacks_most_rules_of_its_chapters(tmp_path: Path, text: str, note: str | None) -> None:
    home, first, second = Home(tmp_path / "home"), tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text(WHOLE, encoding="utf-8")
    second.write_text(text, encoding="utf-8")
    [of_first] = add(home, [first], Hints(game="ferry", edition="2024-05-01"))
    [of_second] = add(home, [second], Hints(game="ferry", edition="2025-05-01"))
    assert not any("whole" in str(each) for each in of_first.readings[0].notes)
    assert [str(each) for each in of_second.readings[0].notes if "whole" in str(each)] == ([note] if note else [])


def test_the_first_file_of_a_home_is_compared_with_the_digest(tmp_path: Path) -> None:
    part = tmp_path / "part.txt"
    part.write_text(chapter(4, range(1, 9)), encoding="utf-8")
    hints = Hints(game="dm", book="zones-summary", edition="2025-05-01", lang="en")
    [added] = add(Home(tmp_path / "home"), [part], hints)
    [tried] = add(Home(tmp_path / "other"), [part], hints, AddOptions(dry_run=True))
    assert Home(tmp_path / "other").current_folder() is None
    assert list(map(str, tried.readings[0].notes)) == list(map(str, added.readings[0].notes))
    [note] = [str(each) for each in added.readings[0].notes if "whole" in str(each)]
    assert note.startswith("10 rules, where dm/zones-summary/undated has ")


def test_the_newest_edition_with_the_chapters_is_compared(tmp_path: Path) -> None:
    home, file = Home(tmp_path / "home"), tmp_path / "book.txt"
    middle = chapter(1, range(1, 4)) + chapter(2, range(1, 16)) + chapter(3, range(1, 16))
    texts = {"2023": WHOLE, "2024": middle, "2025": chapter(1, range(1, 3)) + chapter(3, range(1, 3))}
    for edition, text in texts.items():
        file.write_text(text, encoding="utf-8")
        [added] = add(home, [file], Hints(game="ferry", edition=f"{edition}-05-01"))
        notes = [str(each) for each in added.readings[0].notes if "whole" in str(each)]
    assert notes == ["8 rules, where ferry/cr/2024-05-01 has 22 in the same chapters; check that the file is whole"]
