"""Search in a book of three languages."""

import pytest

from corpus.model import Authority
from ingest.recognise.edition import Hints
from ontology.store.home import Home
from rulestone.writing.add import add
from search.searcher import Searcher
from tests.support.homes import searching
from tests.support.pier import PIER


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("harbour")
    home = Home(folder / "home")
    for lang in ("en", "ja", "zh-Hans"):
        file = folder / f"harbour.{lang}.txt"
        file.write_text(PIER[lang], encoding="utf-8")
        add(home, [file], Hints("harbour", "cr", "2024-01-01", lang, Authority.OFFICIAL))
    return home


@pytest.fixture(scope="session")
def searcher(home: Home) -> Searcher:
    """Search in the harbour."""
    return searching(home)
