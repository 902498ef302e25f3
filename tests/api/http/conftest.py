"""A server over two editions of The Game of Ferrymen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from rulestone import Library


@pytest.fixture(scope="session")
def home(ferry_home: Path) -> Path:
    return ferry_home


@pytest.fixture(scope="session")
def client(home: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Library.open(home, create=False)), raise_server_exceptions=False, follow_redirects=False) as client:
        yield client


@pytest.fixture(scope="session")
def library(home: Path) -> Iterator[Library]:
    """The same without the server."""
    with Library.open(home, create=False) as library:
        yield library
