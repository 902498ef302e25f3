"""The site over two editions of The Game of Ferrymen and the digest."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.http.app import create_app
from corpus.model import Authority
from corpus.store.home import Home
from ingest.recognise import Hints
from rulestone import Library
from rulestone.writing.add import add
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.kept import Homes, OpenBundles

CARDS = Path(__file__).parents[2] / "support" / "cards" / "ferry.csv"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)>{{7*7}}"
HOSTILE_NAME = "<img src=x onerror=alert(4)>\"'.txt"


def hostile() -> str:
    """A rulebook whose words are code; a token is a barrel there."""
    return (
        HUNDREDS_EN.replace("Ferrymen", "Saboteurs")
        .replace("A ferry holds", f"{HOSTILE} A ferry holds")
        .replace("101. Ferries", f"101. Ferries {HOSTILE}")
    )


RULINGS = [
    {
        "id": "7",
        "question": f"May a ferry be sunk? {HOSTILE}",
        "answer": f"No, see 101.1. {HOSTILE}",
        "date": "2022-01-07",
        "card": HOSTILE,
    },
    {
        "id": "8",
        "question": "May a barrel be rolled?",
        "answer": "Yes; rule 101.1 holds no barrel back.",
        "date": "2022-02-08",
        "card": "Long Ferry",
    },
    {
        "id": "9",
        "question": "Who counts the barrels?",
        "answer": "Every player does, as 101.2 says.",
        "date": "2022-03-09",
        "card": "Old Pier",
    },
]
"""Rulings of the same game, one of them code in all its words."""


@pytest.fixture(scope="session")
def home(homes: Homes, translated_home: Path, open_bundles: OpenBundles) -> Path:
    home = homes.copy("web", lambda path: _fill(shutil.copytree(translated_home, path)))
    open_bundles.read_only.add(home)
    return home


def _fill(home: Path) -> None:
    evil = home.with_name(HOSTILE_NAME)
    evil.write_text(hostile())
    add(Home(home), [evil], Hints("evil", "cr", "2021-01-01", "en", Authority.COMMUNITY))
    rulings = home.with_name("rulings.json")
    rulings.write_text(json.dumps(RULINGS))
    with Library.open(home) as library:  # which grounds rulings, too
        library.add(rulings, game="evil", lang="en", authority="official", source="desk", later=True)
        library.add_cards(CARDS)


@pytest.fixture(scope="session")
def client(home: Path) -> Iterator[TestClient]:
    """A client that sends a browser's headers."""
    site = create_app(Library.open(home, create=False))
    with TestClient(
        site, headers={"Accept": "text/html", "Accept-Language": "en"}, raise_server_exceptions=False, follow_redirects=False
    ) as client:
        yield client
