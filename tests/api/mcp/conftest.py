"""A library over two editions of The Game of Ferrymen, for chatbots."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("mcp") / "home"
    put(home, HUNDREDS_EN.replace("six tokens", "five tokens"), "2020-01-01")
    put(home, HUNDREDS_EN, "2021-05-03")
    return home


@pytest.fixture(scope="session")
def library(home: Path) -> Iterator[Library]:
    with Library.open(home, create=False) as library:
        yield library
