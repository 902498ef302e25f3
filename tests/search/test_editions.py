"""An index is joined from what its editions contribute, which is made once and linked into further bundles."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from corpus.store.home import Home
from ontology.knowledge import Knowledge
from search.encode.choice import configured_encoder
from search.index import arrays, editions, index
from search.index.bm25 import Bm25Index
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import books_alone, opened, put, searching

TEXT = HUNDREDS_EN.replace("ferry", "barge").replace("Ferry", "Barge")
NEWER = TEXT.replace("six tokens", "seven tokens")
WITH_TERM = NEWER.replace("Rope\n", "Red Token\nA token that is painted.\n\nRope\n")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """Two editions of a book, then a book of another game."""
    with books_alone():
        folder = tmp_path_factory.mktemp("editions") / "home"
        put(folder, HUNDREDS_EN.replace("six tokens", "five tokens"), "2020-01-01")
        put(folder, HUNDREDS_EN, "2021-05-03")
        put(folder, TEXT, "2024-01-01", game="barge")
        yield Home(folder)


def files(bundle: Path) -> dict[str, bytes]:
    folders = (bundle / editions.FOLDER, bundle / index.FOLDER)
    return {str(file.relative_to(bundle)): file.read_bytes() for folder in folders for file in folder.iterdir() if file.is_file()}


def inodes(home: Home, pattern: str = "*") -> dict[str, int]:
    """The files of the editions with a pattern, by what they are on disk."""
    with home.reading_current() as bundle:
        return {file.name: file.stat().st_ino for file in (bundle / editions.FOLDER).glob(pattern)}


def rebuilt(knowledge: Knowledge, folder: Path) -> dict[str, bytes]:
    """An index made at once."""
    folder.mkdir()
    index.write_index(folder / index.FOLDER, knowledge, configured_encoder())
    return files(folder)


def test_an_index_of_editions_added_one_by_one_is_that_made_at_once(home: Home, tmp_path: Path) -> None:
    bundle = home.current_folder()
    assert bundle is not None
    assert files(bundle) == rebuilt(opened(home), tmp_path / "once")


def test_a_further_edition_links_the_segments_of_the_others(home: Home, tmp_path: Path) -> None:
    before = inodes(home)
    with books_alone(), home.reading_current():  # the old files remain, so that their numbers are not given to new ones
        put(home.path, NEWER, "2025-01-01", game="barge")
        after = inodes(home)
    assert before.items() <= after.items()
    assert len(after) == len(before) + 1
    assert files(home.current_folder() or tmp_path) == rebuilt(opened(home), tmp_path / "once")


def test_a_label_that_a_book_defines_marks_the_texts_of_its_other_editions(tmp_path: Path) -> None:
    with books_alone():
        home = Home(tmp_path / "home")
        put(home.path, TEXT, "2024-01-01", game="barge")
        before = searching(home).index.vocabulary.passage_count("c:barge/red-token")
        put(home.path, WITH_TERM, "2025-01-01", game="barge")
    assert before == 0
    assert searching(home).index.vocabulary.passage_count("c:barge/red-token") >= 2  # the example of both editions
    assert files(home.current_folder() or tmp_path) == rebuilt(opened(home), tmp_path / "once")


def test_a_label_that_a_book_defines_leaves_the_texts_of_other_games(tmp_path: Path) -> None:
    """Their texts have the words, too."""
    with books_alone():
        home = Home(tmp_path / "home")
        put(home.path, HUNDREDS_EN, "2021-05-03")
        put(home.path, TEXT, "2024-01-01", game="barge")
        with home.reading_current():
            before = inodes(home, "ferry.*")
            put(home.path, WITH_TERM, "2025-01-01", game="barge")
            assert inodes(home, "ferry.*") == before != {}
    assert files(home.current_folder() or tmp_path) == rebuilt(opened(home), tmp_path / "once")


def test_an_index_of_the_previous_version_is_read(home: Home, tmp_path: Path) -> None:
    """Its passages have rows of their own."""
    with home.reading_current() as bundle:
        before, folder = (Path(shutil.copytree(bundle / index.FOLDER, tmp_path / name)) for name in ("before", "search"))
    vocabulary = Bm25Index(before)
    assert vocabulary.row_count < vocabulary.passages
    starts, columns, values = vocabulary.postings_by_row()
    shape = vocabulary.row_count, len(vocabulary.terms)
    postings = csr_matrix((values, columns, starts), shape=shape)[vocabulary.rows].tocsc()
    mass = arrays.load(before / "mass.npy")[vocabulary.rows]
    for name in ("data", "indices", "indptr"):
        arrays.save(folder / f"{name}.npy", getattr(postings, name))
    arrays.save(folder / "mass.npy", mass)
    for name in ("rows", "frequencies"):
        (folder / f"{name}.npy").unlink()
    header = json.loads((folder / index.HEADER).read_text(encoding="utf-8"))
    (folder / index.HEADER).write_text(json.dumps({**header, "format": index.FORMAT_VERSION - 1}), encoding="utf-8")
    terms = [*vocabulary.terms]
    assert np.array_equal(Bm25Index(folder).scores(dict.fromkeys(terms, 1.0)), vocabulary.scores(dict.fromkeys(terms, 1.0)))
    current, previous = index.Index(before), index.Index(folder)
    rules = range(len(current.rules))
    assert previous.matched_terms(rules, terms) == current.matched_terms(rules, terms)


@pytest.mark.parametrize("file", ["editions/*.safetensors", "search/keys.npy", "search/index.json"])
def test_a_damaged_index_is_made_again(tmp_path: Path, file: str) -> None:
    with books_alone():
        home = Home(tmp_path / "home")
        put(home.path, TEXT, "2024-01-01", game="barge")
        for damaged in (home.current_folder() or tmp_path).glob(file):
            damaged.write_bytes(damaged.read_bytes()[:-9] + b"\0" * 9)
        put(home.path, NEWER, "2025-01-01", game="barge")
    assert files(home.current_folder() or tmp_path) == rebuilt(opened(home), tmp_path / "once")
