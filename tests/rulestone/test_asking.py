"""`Library.ask`: rulings beside the claims, earlier moments, and the contract's own schema."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from corpus.store.home import Home
from rulestone import Library
from tests.support.texts import ROOT

CONTRACT = ROOT.parent / "shared" / "contract" / "schemas.json"


@pytest.fixture(scope="module")
def library(editions: Home) -> Iterator[Library]:
    """Three editions of the invented book."""
    with Library.open(editions.path) as library:
        yield library


def test_a_rule_by_its_number_as_it_stood_then(library: Library) -> None:
    said = {moment: library.ask("ferry:101.2", as_of=moment)["claims"][0] for moment in ("2020", "2021")}
    assert said["2020"]["text"] == "The ferryman decides who boards first."
    assert said["2021"]["text"] == "A ferry that leaks carries nobody."
    assert [claim["current"] for claim in said.values()] == [True, True]
    assert said["2020"]["ref"] == "ferry/cr:2020-01-01:101.2"


def test_an_edition_that_is_not_current_says_so(library: Library) -> None:
    [claim] = library.ask("2020-01-01:101.2", games="ferry")["claims"][:1]
    assert claim["edition"] != "2020-01-01" or claim["note"] is not None


def test_the_body_is_what_the_contract_says(library: Library) -> None:
    if not CONTRACT.is_file():
        pytest.skip(f"no contract at {CONTRACT}")
    known: Any = json.loads(CONTRACT.read_text(encoding="utf-8"))
    schema = {"$schema": known["$schema"], "$defs": known["$defs"], "$ref": "#/$defs/ask"}
    for query in ("ferry:101.2", "pokemon prize cards", "graveyard order in Magic and Duel Masters"):
        Draft202012Validator(schema).validate(library.ask(query))
