"""A file that lacks most rules of its own chapters is reported; a part of a book is not."""

from pathlib import Path

import pytest

from corpus.store.home import Home
from ingest.recognise import Hints
from rulestone.writing.add import add

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
