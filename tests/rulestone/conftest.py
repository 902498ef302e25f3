"""A knowledge base of the invented books that texts are verified on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulestone import Library


@pytest.fixture(scope="session")
def crossings(crossings_home: Path) -> Iterator[Library]:
    """The Game of Ferrymen through three editions, and Lantern Keepers."""
    with Library.open(crossings_home) as library:
        yield library
