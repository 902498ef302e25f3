"""A folder with a file for each chapter is one book, and what is no such folder stays several books."""

from pathlib import Path, PurePath

import pytest

from corpus.errors import InputError
from corpus.store.home import Home
from ingest.pipeline import join_chapters, parse, reading_order
from ingest.recognise import Hints
from rulestone.writing.add import add
from tests.support.ferrymen import document, faults, locators

FERRY = Hints(game="ferry")
EN = "A player must ring the bell before the ferry leaves.\n\nThe judge may ask for it again.\n\n"
JA = "選手は、出航の前に鐘を鳴らさなければならない。\n\n審判は、もう一度求めることができる。\n\n"
HAN = "一二三四五六七八九"
NAMES = {n: ((HAN[n // 10 - 1] * (n > 19)) + "十" if n > 9 else "") + (HAN[n % 10 - 1] if n % 10 else "") for n in range(1, 61)}
CHAPTERS = {
    "numbers": ("{n}-pier.txt", f"{{n}}. Pier\n\n{EN}{{n}}.1. Bells\n\n{EN}", "60 60~1 60~2 60.1 60.1~1 60.1~2"),
    "headings": ("{n}.md", f"# Pier {{han}}\n\n{EN}## Bells\n\n{EN}", "rules/60 rules/60~1 rules/60~2 rules/60.1 rules/60.1~1"),
    "articles": ("第{han}章.txt", f"第{{n}}章　桟橋\n\n第1条（鐘）\n{JA}", "第60章 第60章第1条 第60章第1条~1 第60章第1条~2"),
    "articles that count on": ("{n}.txt", f"第{{n}}章　桟橋\n\n第{{n}}条（鐘）\n{JA}", "第60章 第60条 第60条~1 第60条~2"),
}


def folder(path: Path, name: str, words: str, count: int = 60) -> Path:
    """A folder with so many chapter files."""
    path.mkdir()
    for n in range(1, count + 1):
        replacements = {"{n}": str(n), "{han}": NAMES[n]}
        file, text = name, words
        for key, value in replacements.items():
            file, text = file.replace(key, value), text.replace(key, value)
        (path / file).write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(("name", "words", "last"), CHAPTERS.values(), ids=CHAPTERS)
def test_sixty_chapter_files_are_one_book(tmp_path: Path, name: str, words: str, last: str) -> None:
    chapters = folder(tmp_path / "rules", name, words)
    files = sorted(chapters.iterdir(), key=lambda file: reading_order(file.relative_to(chapters)))
    media = "markdown" if name.endswith("md") else "text"
    book = join_chapters([document(file.read_text("utf-8"), media, file.name) for file in files], "rules", FERRY)
    assert book is not None
    readings = parse(*book)
    assert faults(book[0].text, readings) == []
    assert last in " ".join(locators(readings[0]))


@pytest.mark.usefixtures("books_alone")
def test_one_add_keeps_the_book_under_the_name_of_its_folder(tmp_path: Path) -> None:
    chapters = folder(tmp_path / "rules", *CHAPTERS["numbers"][:2])
    home = Home(tmp_path / "home")
    [report] = add(home, [chapters], FERRY)
    assert [reading.file for reading in report.readings] == ["rules.txt"]
    assert "60 files of the folder, read as the chapters of one book" in map(str, report.readings[0].notes)
    assert [report.status for report in add(home, [chapters], FERRY)] == ["known"]


def test_a_date_that_one_chapter_states_is_that_of_the_book() -> None:
    texts = [f"{n}. Pier\n\n{EN}{n}.1. Bells\n\n{EN}" for n in range(1, 61)]
    texts[30] = texts[30].replace("Pier", "Pier\n\nLast updated 2024-05-01", 1)
    book = join_chapters([document(text) for text in texts], "rules", FERRY)
    assert book is not None
    assert parse(*book)[0].key.edition == "2024-05-01"


def test_editions_in_one_folder_stay_apart() -> None:
    book = "".join(f"{n}. Pier\n\n{EN}{n}.1. Bells\n\n{EN}" for n in range(1, 9))
    assert join_chapters([document(book), document(book.replace("bell", "horn"))], "rules", FERRY) is None
    dated = [document(f"Effective {date}\n\n{book}") for date in ("2024-05-01", "2025-05-01")]
    assert join_chapters(dated, "rules", FERRY) is None


def test_a_folder_of_an_unknown_game_is_refused_in_one_line(tmp_path: Path) -> None:
    texts = [document(f"{n}. Pier\n\n{EN}{n}.1. Bells\n\n{EN}") for n in range(1, 61)]
    with pytest.raises(InputError, match=r"^rules\.txt: a rulebook .* of an unknown game"):
        join_chapters(texts, "rules", Hints())


@pytest.mark.parametrize(
    "names",
    [
        "preface.md 1-piers.md 2-ropes.md 10-bells.md",
        "はじめに.md 第九章.md 第十章.md 第二十一章.md",
        "part1/2.md part1/10.md part2/1.md",
        "一、码头.txt 二、绳子.txt 十、钟.txt 附录.txt",
    ],
)
def test_chapters_stand_in_the_order_that_people_read(names: str) -> None:
    order = names.split()
    assert sorted(sorted(order), key=lambda name: reading_order(PurePath(name))) == order
