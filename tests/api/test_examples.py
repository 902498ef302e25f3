"""The examples of docs/examples, run as they stand there."""

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus.store.home import Home
from rulestone import Library
from tests.support.servers import serving

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def example(name: str) -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / name), run_name="example")


@pytest.fixture
def server(digest_home: Home) -> Iterator[str]:
    """A server on a free port."""
    with serving(digest_home.path) as running:
        yield f"http://127.0.0.1:{running.port}"


def test_the_retrieval_function(server: str) -> None:
    retrieve = example("retrieval.py")["retrieve"]
    documents = retrieve(server, "order of cards in the graveyard", "dm")
    assert documents
    assert all(document["page_content"] == document["metadata"]["quote"]["text"] for document in documents)
    assert retrieve(server, "pokemon prize cards") == []


def test_the_bot(digest_home: Home) -> None:
    with Library.open(digest_home.path, create=False) as library:
        heard = ["hello", "!rule order of cards in the graveyard dm", "!rule pokemon", "!rule "]
        said = list(example("bot.py")["answers"](library, heard))
    assert len(said) == 3
    assert said[0].startswith("> ")
    assert "dm/" in said[0]
    assert "pokemon" in said[1]
    assert "the query is empty" in said[2]
