"""Leftovers of a killed writer go when the next one starts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.store.home import Home
from rulestone import Library
from rulestone.writing.rulings import grounds
from tests.support.commands import call
from tests.support.editions import EDITIONS, text
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.texts import ROOT
from tests.support.writers import first_line, kill

RULINGS = ROOT / "tests" / "support" / "rulings" / "ferrymen.en.json"
SPLITTING = """
import sys, time
from ontology import shipped
from search.index import tokenizing

shipped.concept_quads()
shipped.shipped_graphs, shipped.graphs_version = dict, lambda: "none"

class Waiting(tokenizing.TokenizerWorker):
    def __init__(self, *given):
        super().__init__(*given, worker_from=1)

    def results(self):
        print("splitting", flush=True)
        time.sleep(600)

tokenizing.TokenizerWorker = Waiting
from api.cli.app import main
sys.exit(main(sys.argv[1:]))
"""


pytestmark = pytest.mark.usefixtures("books_alone")


@pytest.mark.slow
def test_a_killed_add_leaves_nothing_for_long(alone_home: Home, tmp_path: Path) -> None:
    own, book, temporary = tmp_path / "home", tmp_path / "book.txt", tmp_path / "tmp"
    shutil.copytree(alone_home.path, own)
    temporary.mkdir()
    book.write_text(HUNDREDS_EN, encoding="utf-8")
    command = [sys.executable, "-c", SPLITTING, "--home", str(own), "add", str(book), "--game", "ferry"]
    environment = os.environ | {"TMPDIR": str(temporary)}
    process = subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert first_line(process) == "splitting"
    kill(process)
    assert list(temporary.iterdir()) == []
    assert [path.suffix for path in Home(own).leftovers()] == [".tmp"]
    assert call(own, "add", book, "--game", "ferry").code == 0
    assert Home(own).leftovers() == []
    assert list(own.rglob("tmp*")) == []


@pytest.mark.slow
def test_proposals_that_were_being_written_do_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, whole = Library.open(tmp_path / "home"), Path.replace
    books = [tmp_path / f"{edition}.txt" for edition in EDITIONS[:2]]
    for book, edition in zip(books, EDITIONS, strict=False):
        book.write_text(text(edition), encoding="utf-8")
    library.add([books[0]], game="ferry", book="cr", lang="en", edition=EDITIONS[0])

    def killed(path: Path, target: Path) -> Path:
        if grounds.FOLDER_NAME in path.parts:
            raise KeyboardInterrupt
        return whole(path, target)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "replace", killed)
        library.add([RULINGS], game="ferry", source="desk", authority="official")
    assert list((library.path / grounds.FOLDER_NAME).glob("*.tmp"))
    library.add([books[1]], game="ferry", book="cr", lang="en", edition=EDITIONS[1])
    library.build()
    assert list((library.path / grounds.FOLDER_NAME).glob("*.tmp")) == []
