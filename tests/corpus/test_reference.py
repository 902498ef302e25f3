"""References as people write them."""

import tomllib
from pathlib import Path

import pytest

from corpus.errors import InputError
from corpus.reference import Reference, parse_reference

CASES = tomllib.loads((Path(__file__).parents[1] / "cases/references.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("words", "game", "book", "edition", "locator"), CASES["case"])
def test_reference(words: str, game: str, book: str, edition: str, locator: str) -> None:
    assert parse_reference(words) == Reference(locator, game or None, book or None, edition or None)


@pytest.mark.parametrize("words", [*CASES["refused"], "9" * 400])
def test_refused_in_one_line(words: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_reference(words)
    assert len(str(refusal.value).splitlines()) == 1
