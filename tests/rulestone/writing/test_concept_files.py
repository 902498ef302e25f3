"""Look-ups of concepts read what is asked for, from files that every bundle has."""

import shutil
from pathlib import Path

import pytest

from corpus.store.engine import Solution, Store
from corpus.store.home import Home
from ontology.concepts.bundle import FOLDER, ConceptFiles, StoredConcepts
from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN

GLOSSARY = f"""{HUNDREDS_EN}
Glossary

Towline
A rope that a crew holds.

Ferry
A boat that carries tokens.
"""


def files(home: Home) -> dict[str, Path]:
    bundle = home.current()
    assert bundle
    return {file.name: file for file in (bundle / FOLDER).iterdir()}


def is_as_the_store(library: Library) -> bool:
    """Whether the files that a bundle is answered from say what its store says."""
    knowledge = library._bundle().knowledge
    filed, stored = knowledge.concepts, StoredConcepts(knowledge.store)
    assert isinstance(filed, ConceptFiles)
    names = dict(filed.names.labels) == dict(stored.names.labels) and filed.names.of_books == stored.names.of_books
    return names and filed.claims() == stored.claims() and filed.mappings() == stored.mappings()


@pytest.mark.slow
def test_a_bundle_is_answered_from_its_files_through_add_and_remove(digest_home: Home, tmp_path: Path) -> None:
    home = Home(Path(shutil.copytree(digest_home.path, tmp_path / "home")))
    book = tmp_path / "ferry.txt"
    book.write_text(GLOSSARY, encoding="utf-8")
    with Library.open(home.path, create=False) as library:
        assert is_as_the_store(library)
        before = files(home)
        kept = before["names.sqlite"].read_bytes()
        library.add([book], game="ferry")
        after = files(home)
        assert after["mappings.sqlite"].stat().st_nlink > 1, "taken over, not written anew"
        assert after["names.sqlite"].read_bytes() != kept
        assert is_as_the_store(library)
        assert library.term("towline", lang="en")["terms"][0]["game"] == "ferry"
        library.remove("ferry.txt")
        assert files(home)["names.sqlite"].read_bytes() == kept
        assert is_as_the_store(library)


def test_a_term_is_looked_up_without_reading_every_name(digest_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[int] = []
    select = Store.select

    def counted(store: Store, query: str) -> list[Solution]:
        solutions = select(store, query)
        rows.append(len(solutions))
        return solutions

    monkeypatch.setattr(Store, "select", counted)
    with Library.open(digest_home.path, create=False) as library:
        assert library.term("yard", lang="en")["terms"]
        assert 0 < sum(rows) < 500
        assert library.zones(lang="en")["zones"]
        assert sum(rows) < 1000
        assert sum(len(some) for some in library._bundle().knowledge.names.labels.values()) > 3000
