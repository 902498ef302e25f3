"""Damaged homes: never another answer, one line that says what to do, and mended from the kept files."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from api.cli.app import main
from corpus.errors import DamagedError
from corpus.store.home import Home
from rulestone import Library
from rulestone.writing.add import build
from rulestone.writing.doctor import find_problems
from rulestone.writing.rulings.judgements import add_judgements
from tests.support.ferrymen import HUNDREDS_EN

DAMAGES: dict[str, Callable[[bytes, int], bytes]] = {
    "a bit": lambda whole, place: whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :],
    "zeros": lambda whole, place: whole[:place] + bytes(len(whole[place : place + 4096])) + whole[place + 4096 :],
    "half": lambda whole, _: whole[: len(whole) // 2],
}


def answers(home: Path) -> str:
    """Something of everything that a knowledge base answers."""
    with Library.open(home) as library:
        bodies = [library.search("graveyard"), library.zones(), library.term("graveyard"), [*library.export("nquads")]]
    return json.dumps(bodies, default=str, sort_keys=True)


@pytest.fixture(scope="module")
def sound(digest_home: Home) -> str:
    """The answers of a sound home."""
    return answers(digest_home.path)


@pytest.fixture(scope="module")
def home_with_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home written from nothing: its store has a log, which a copied store lacks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulestone.writing.add.start_from_shipped", lambda *_, **__: False)
        home = Home(tmp_path_factory.mktemp("written"))
        build(home)
    return home.path


@pytest.fixture
def copied(digest_home: Home, tmp_path: Path) -> Path:
    """A home to be damaged."""
    return Path(shutil.copytree(digest_home.path, tmp_path / "home"))


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_to_the_log_of_a_store_never_changes_an_answer(home_with_log: Path, sound: str, tmp_path: Path, damage: str) -> None:
    copied = Path(shutil.copytree(home_with_log, tmp_path / "home"))
    files = [file for file in sorted(copied.glob("bundles/*/store/*.log")) if file.is_file()]
    assert files
    chance = random.Random(damage)
    file = chance.choice(files)
    whole = file.read_bytes()
    hurt = DAMAGES[damage](whole, chance.randrange(len(whole)))
    file.write_bytes(hurt if hurt != whole else whole[:-1])
    try:
        assert answers(copied) == sound
    except DamagedError as fault:
        assert str(fault).endswith("run: rulestone build")


@pytest.mark.slow
def test_a_damaged_bundle_is_not_built_upon(copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [table] = sorted(copied.glob("bundles/*/store/*.sst"), key=lambda file: file.stat().st_size)[-1:]
    whole = bytearray(table.read_bytes())
    whole[len(whole) // 2] ^= 1
    table.write_bytes(whole)
    book = tmp_path / "ferrymen.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    assert main(["--home", str(copied), "add", str(book), "--game", "ferrymen"]) == 3
    assert "is damaged" in capsys.readouterr().err


@pytest.mark.slow
def test_the_doctor_tells_and_mends(copied: Path, sound: str, capsys: pytest.CaptureFixture[str]) -> None:
    def doctor(*options: str) -> tuple[int, str]:
        code = main(["--home", str(copied), "doctor", *options])
        return code, capsys.readouterr().out

    assert doctor() == (0, f"no faults in {copied}\n")
    [fields] = copied.glob("bundles/*/search/fields.npy")
    fields.write_bytes(fields.read_bytes()[:-9] + bytes(9)[:-1] + b"\x07")
    (copied / "bundles" / "000099.tmp").mkdir()
    code, output = doctor()
    assert code == 1
    assert "search/fields.npy: its content has changed since it was written" in output
    assert "000099.tmp" in output
    assert "rulestone doctor --mend" in output
    assert doctor("--mend") == (0, f"no faults in {copied}\n")
    assert answers(copied) == sound


@pytest.mark.slow
def test_the_doctor_says_which_file_to_add_again(copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "ferrymen.txt"
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    assert main(["--home", str(copied), "add", str(book), "--game", "ferrymen"]) == 0
    [copy] = copied.glob("sources/*/ferrymen.txt")
    copy.write_bytes(copy.read_bytes()[:-20])
    capsys.readouterr()
    assert main(["--home", str(copied), "doctor", "--mend", "--json"]) == 1
    body = json.loads(capsys.readouterr().out)
    assert not body["sound"]
    [complaint] = body["complaints"]
    assert "ferrymen.txt" in complaint["message"]
    assert "is damaged; add the file again" in complaint["message"]
    assert not complaint["mendable"]
    assert main(["--home", str(copied), "build"]) == 3
    assert "add the file again" in capsys.readouterr().err


def test_the_doctor_without_a_knowledge_base(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(tmp_path / "none"), "doctor"]) == 1
    assert "rulestone build" in capsys.readouterr().out
    assert not (tmp_path / "none").exists()


def test_the_doctor_looks_at_every_kind_of_kept_file(copied: Path, tmp_path: Path) -> None:
    cards, verdicts = tmp_path / "cards.csv", tmp_path / "verdicts.tsv"
    cards.write_text("en,text\nPole of the Ferryman,You may pay nothing.\n", encoding="utf-8")
    verdicts.write_text("ruling\trule\tverdict\twho\n", encoding="utf-8")
    assert main(["--home", str(copied), "cards", str(cards), "--game", "ferrymen"]) == 0
    home = Home(copied)
    add_judgements(home, verdicts)
    assert find_problems(home) == []
    [copy] = copied.glob("sources/*/cards.csv")
    copy.write_bytes(copy.read_bytes()[:-2])
    [copy] = copied.glob("sources/*/verdicts.tsv")
    copy.unlink()
    complaints = [str(complaint.what) for complaint in find_problems(home)]
    assert [("cards.csv" in complaint, "is damaged" in complaint) for complaint in complaints] == [(True, True), (False, False)]
    assert "verdicts.tsv" in complaints[1]
    assert "is gone" in complaints[1]


def test_what_the_doctor_finds_left_over_the_next_writer_removes(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.writing_bundle() as draft:
        draft.commit(())
    for name in ("current.tmp", "bundles/000009.tmp", "sources/ab.tmp", "mine.tmp"):
        (tmp_path / name).mkdir(parents=True)
    assert sorted(path.name for path in home.leftovers()) == ["000009.tmp", "ab.tmp", "current.tmp"]
    with home.writing_bundle():
        pass
    assert home.leftovers() == []
    assert (tmp_path / "mine.tmp").exists(), "it is nothing of ours"
