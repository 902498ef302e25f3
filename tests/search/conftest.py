"""Search in a book of three languages."""

import shutil
from pathlib import Path

import pytest

from corpus.store.home import Home
from search.searcher import Searcher
from tests.support.homes import put_languages, searching
from tests.support.kept import Homes
from tests.support.pier import PIER


@pytest.fixture(scope="session")
def home(homes: Homes, digest_home: Home) -> Home:
    return Home(homes.copy("harbour", lambda path: _fill(Path(shutil.copytree(digest_home.path, path)))))


def _fill(home: Path) -> None:
    put_languages(home, {lang: PIER[lang] for lang in ("en", "ja", "zh-Hans")}, "2024-01-01", game="harbour")


@pytest.fixture(scope="session")
def searcher(home: Home) -> Searcher:
    """Search in the harbour."""
    return searching(home)
