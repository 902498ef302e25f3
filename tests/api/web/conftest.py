"""The site over two editions of The Game of Ferrymen and the digest."""

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
    home = tmp_path_factory.mktemp("web") / "home"
    put(home, HUNDREDS_EN.replace("six tokens", "five tokens"), "2020-01-01")
    put(home, HUNDREDS_EN, "2021-05-03")
    return home


@pytest.fixture(scope="session")
def client(home: Path) -> Iterator[TestClient]:
    """What asks as a browser does."""
    site = create_app(Library.open(home, create=False))
    with TestClient(
        site, headers={"Accept": "text/html", "Accept-Language": "en"}, raise_server_exceptions=False, follow_redirects=False
    ) as client:
        yield client
