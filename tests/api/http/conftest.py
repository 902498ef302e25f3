"""A server over two editions of The Game of Ferrymen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from rulestone import Library
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("http") / "home"
    put(home, HUNDREDS_EN.replace("six tokens", "five tokens"), "2020-01-01")
    put(home, HUNDREDS_EN, "2021-05-03")
    return home


@pytest.fixture(scope="session")
def client(home: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Library.open(home, create=False)), raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="session")
def library(home: Path) -> Iterator[Library]:
    """The same without the server."""
    with Library.open(home, create=False) as library:
        yield library
