"""A library over two editions of The Game of Ferrymen, for chatbots."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulestone import Library


@pytest.fixture(scope="session")
def home(ferry_home: Path) -> Path:
    return ferry_home


@pytest.fixture(scope="session")
def library(home: Path) -> Iterator[Library]:
    with Library.open(home, create=False) as library:
        yield library
