"""Look-ups of concepts read what is asked for, from the records that every bundle has."""

import shutil
from pathlib import Path

import pytest

from corpus.store.engine import Solution, Store
from corpus.store.home import Home
from ontology.concepts.claims import claims_in
from ontology.concepts.names import stored_names
from ontology.mappings import mappings_in
from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN

GLOSSARY = f"""{HUNDREDS_EN}
Glossary

Towline
A rope that a crew holds.

Ferry
A boat that carries tokens.
"""


def is_as_the_store(library: Library) -> bool:
    """Whether the records that a bundle is answered from say what its store says."""
    knowledge = library._bundle().knowledge
    concepts, store = knowledge.concepts, knowledge.store
    labels = [label for some in concepts.names.labels.values() for label in some]
    names = labels == stored_names(store).labels and concepts.names.of_books == stored_names(store).of_books
    return names and concepts.claims() == claims_in(store) and concepts.mappings() == mappings_in(store)


@pytest.mark.slow
def test_a_bundle_is_answered_from_its_records_through_add_and_remove(digest_home: Home, tmp_path: Path) -> None:
    home = Home(Path(shutil.copytree(digest_home.path, tmp_path / "home")))
    book = tmp_path / "ferry.txt"
    book.write_text(GLOSSARY, encoding="utf-8")
    with Library.open(home.path, create=False) as library:
        assert is_as_the_store(library)
        before = dict(library._bundle().knowledge.names.labels)
        library.add([book], game="ferry")
        assert is_as_the_store(library)
        assert library._bundle().knowledge.names.labels != before
        assert library.term("towline", lang="en")["terms"][0]["game"] == "ferry"
        library.remove("ferry.txt")
        assert dict(library._bundle().knowledge.names.labels) == before
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
