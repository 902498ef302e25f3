"""What searches of one bundle share, so that processes which are forked have it in common."""

import os

import pytest

from ontology.store.home import Home
from ontology.store.knowledge import Knowledge
from search import shared
from search.index.index import FOLDER, HEADER
from search.searcher import Request, Searcher


@pytest.fixture
def loaded(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setattr(shared, "_shared", {})
    path = home.current()
    assert path
    shared.load(path)
    return home


def test_what_is_loaded_is_shared_and_answers_the_same(loaded: Home, searcher: Searcher) -> None:
    path = loaded.current()
    assert path
    first, other = (shared.opened(path, Knowledge.open(path)) for _ in range(2))
    assert first.index is other.index
    assert first.encoder is other.encoder
    for words in ("pier", "桟橋", "where does a ferry moor"):
        assert first.search(Request(words)) == searcher.search(Request(words))


def test_another_bundle_in_the_same_place_is_opened_for_itself(loaded: Home) -> None:
    path = loaded.current()
    assert path
    before = shared.opened(path, Knowledge.open(path))
    os.utime(path / FOLDER / HEADER, ns=(0, 0))
    assert shared.opened(path, Knowledge.open(path)).index is not before.index
