"""A removed book leaves no trace: the library is as if it had never been added."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from api.cli.app import main
from corpus.errors import InputError, NotFoundError
from rulestone import Library
from tests.support.ferrymen import DASHED, DOTTED_BULLETS_JA, HUNDREDS_EN, HUNDREDS_JA, MARKDOWN

BOOKS = {
    "old.txt": (HUNDREDS_EN.replace("six tokens", "five tokens"), "cr", "2020-01-01", "en"),
    "new.txt": (HUNDREDS_EN, "cr", "2021-05-03", "en"),
    "new.ja.txt": (HUNDREDS_JA, "cr", "2021-05-03", "ja"),
    "dashed.md": (DASHED, "river", "2022-04-09", "en"),
    "bullets.txt": (DOTTED_BULLETS_JA, "piers", "undated", "ja"),
    "glance.md": (MARKDOWN, "glance", "2019-01-01", "en"),
}
pytestmark = pytest.mark.usefixtures("books_alone")
QUESTIONS = [
    '{"id": "1", "query": "how many tokens may a ferry hold", "game": "ferry"}',
    '{"id": "2", "query": "渡し舟に印はいくつ積めるか", "game": null}',
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    for name, (text, *_) in BOOKS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def put(library: Library, folder: Path, name: str) -> None:
    _, book, edition, lang = BOOKS[name]
    library.add(folder / name, game="ferry", book=book, edition=edition, lang=lang, authority="official")


def everything(library: Library) -> tuple[bytes, bytes, str]:
    """The rules, the graph and the answers to some questions."""
    rules, quads = (b"".join(library.export(kind)) for kind in ("jsonl", "nquads"))
    return rules, quads, repr(library.batch(QUESTIONS))


def home_contents(home: Path, files: Path, added: Sequence[str], removed: Sequence[str] = ()) -> tuple[bytes, bytes, str]:
    with Library.open(home) as library:
        for name in added:
            put(library, files, name)
        for what in removed:
            library.remove(what)
        return everything(library)


OTHERS = ["old.txt", "new.ja.txt", "dashed.md", "bullets.txt", "glance.md"]
NAMED = ["https://w3id.org/rulestone/id/ferry/cr/2020-01-01", "new.ja.txt", "ferry:2022-04-09", "ferry/piers/undated", "2019-01-01"]


@pytest.mark.slow
def test_it_is_as_if_it_had_never_been_added(tmp_path: Path, files: Path) -> None:
    alone = home_contents(tmp_path / "alone", files, ["new.txt"])
    assert home_contents(tmp_path / "first", files, ["new.txt", *OTHERS], NAMED) == alone
    assert home_contents(tmp_path / "last", files, [*OTHERS[:3], "new.txt"], NAMED[:3]) == alone
    copies = [path.name for path in (tmp_path / "first" / "sources").glob("*/*")]
    assert copies == ["new.txt"]


def test_one_language_goes_and_can_come_back(tmp_path: Path, files: Path) -> None:
    with Library.open(tmp_path / "home") as library:
        put(library, files, "new.txt")
        alone = everything(library)
        put(library, files, "new.ja.txt")
        both = everything(library)
        gone = library.remove("ferry/cr/2021-05-03", lang="ja")["removed"]
        assert [(reading["file"], reading["edition"], reading["lang"]) for reading in gone] == [("new.ja.txt", "2021-05-03", "ja")]
        assert everything(library) == alone
        put(library, files, "new.ja.txt")
        assert everything(library) == both


def test_a_refused_removal_changes_nothing(tmp_path: Path, files: Path) -> None:
    with Library.open(tmp_path / "home") as library:
        put(library, files, "new.txt")
        put(library, files, "dashed.md")
        before = everything(library)
        with pytest.raises(NotFoundError, match=r"2019-01-01 was not added; added so far: ferry/cr/2021-05-03, ferry/river/2022"):
            library.remove("2019-01-01")
        with pytest.raises(NotFoundError, match="ferry:2021-05-03 was not added in ja"):
            library.remove("ferry:2021-05-03", lang="ja")
        with pytest.raises(NotFoundError, match="dm/zones-summary/undated was not added"):
            library.remove("dm/zones-summary/undated")
        assert everything(library) == before
    assert main(["--home", str(tmp_path / "home"), "remove", "nothing.txt"]) == 1


def test_an_ambiguous_name_is_refused(tmp_path: Path, files: Path) -> None:
    with Library.open(tmp_path / "home") as library:
        library.add(files / "new.txt", game="ferry", book="cr", edition="2021-05-03")
        library.add(files / "dashed.md", game="ferry", book="river", edition="2021-05-03")
        with pytest.raises(InputError, match="may be ferry/cr/2021-05-03, ferry/river/2021-05-03; name one of them"):
            library.remove("2021-05-03")
