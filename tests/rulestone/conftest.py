"""A knowledge base of the invented books that texts are verified on."""

from collections.abc import Iterator

import pytest

from bench.verify.own import put_books
from ontology import shipped
from ontology.labels import concept_quads
from rulestone import Library
from tests.support.editions import DIGEST


@pytest.fixture
def no_ontology(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundles without the ontology, which are written in half the time."""
    concept_quads()  # read once a process: what it remembers must not be made of nothing
    monkeypatch.setattr(shipped, "graphs", dict)


@pytest.fixture
def books_alone(no_ontology: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bundles without the ontology and with the smallest digest, where what is tested is how books are kept."""
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)


@pytest.fixture(scope="session")
def crossings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The Game of Ferrymen through three editions, and Lantern Keepers."""
    with put_books(tmp_path_factory.mktemp("verify") / "home") as library:
        yield library
