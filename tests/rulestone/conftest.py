"""A knowledge base of the invented books that texts are verified on."""

from collections.abc import Iterator

import pytest

from bench.verify.own import put_books
from rulestone import Library


@pytest.fixture(scope="session")
def crossings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The Game of Ferrymen through three editions, and Lantern Keepers."""
    with put_books(tmp_path_factory.mktemp("verify") / "home") as library:
        yield library
