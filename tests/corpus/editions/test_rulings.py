"""Rulings in a knowledge base: found by rule, by card and by address, and whether what they rest on still stands."""

import shutil
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from corpus.address import iri_of, is_ruling
from corpus.editions.rulings import ruling_at, rulings_of_card, rulings_of_rule
from corpus.model import Authority, Ruling, RulingLink
from corpus.store.documents import FILE_NAME, Documents, NewDocuments
from corpus.store.home import Home
from corpus.store.home.manifest import RulingsEntry
from corpus.store.rulings import LinkedRuling, RulingStore, put_links, put_rulings
from ontology.knowledge import Knowledge
from tests.support.homes import opened
from tests.support.libraries import library_over

OLD = Ruling("ferry", "desk", "7", "2019-01-01", Authority.OFFICIAL, {"en": "Who boards?"}, {"en": "Nobody."}, version="2019-01-01")
BOARDS = Ruling(
    "ferry", "desk", "7", "2020-06-01", Authority.OFFICIAL, {"en": "Who boards?"}, {"en": "The ferryman says."}, ("Ｌong Ferry",),
    older=(OLD,),
)  # fmt: skip
TOLLS = Ruling("ferry", "desk", "8", "2023-01-01", Authority.OFFICIAL, {}, {"ja": "渡し賃は銅貨一枚です。"}, ("長い渡し舟",))
UNDATED = Ruling("ferry", "desk", "9", None, Authority.COMMUNITY, {}, {"en": "A goat is two."})
GONE = Ruling("ferry", "desk", "10", "2021-02", Authority.OFFICIAL, {}, {"en": "Gone."}, withdrawn=True)
SOURCE = "ferry/rulings/desk"


def rule(edition: str, locator: str) -> str:
    return iri_of(f"ferry/cr/{edition}/{locator}")


@pytest.fixture(scope="module")
def knowledge(editions: Home, tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    """The three editions of the invented book with rulings beside them."""
    known, records = opened(editions), tmp_path_factory.mktemp("rulings") / FILE_NAME
    shutil.copy(known.documents.file, records)
    rests = {
        BOARDS.iri: [RulingLink(rule("2020-01-01", "101.2"), "cited")],
        TOLLS.iri: [RulingLink(rule("2022-01-01", "102.1"), "proposed", 0.8)],
        UNDATED.iri: [RulingLink(rule("2020-01-01", "101.2"), "proposed", 0.4)],
    }
    manifest = replace(known.manifest, rulings=[RulingsEntry("ferry", "desk", 4, 1, 1, (), (), (), {})], links={SOURCE: ""})
    with closing(NewDocuments(records)) as documents:
        put_rulings(documents, "ferry", "desk", [BOARDS, OLD, TOLLS, UNDATED, GONE])
        unlinked = RulingStore(documents, replace(manifest, links={}))
        put_links(documents, SOURCE, [LinkedRuling(unlinked.by_iri([iri])[iri], [], links) for iri, links in rests.items()])
    return Knowledge(known.store, manifest, Documents(records))


def ids(body: object) -> list[str]:
    assert isinstance(body, list)
    return [ruling["id"] for ruling in body]


def test_an_address_leads_to_the_ruling_and_to_its_older_answer(knowledge: Knowledge) -> None:
    now = ruling_at(knowledge, BOARDS.iri)
    assert (now["answer"], now["version"], now["older"]) == (BOARDS.answer, None, [{"iri": OLD.iri, "date": "2019-01-01"}])
    assert OLD.iri == f"{BOARDS.iri}@2019-01-01"
    assert ruling_at(knowledge, OLD.iri)["answer"] == OLD.answer
    assert is_ruling(OLD.iri)
    assert not is_ruling(rule("2020-01-01", "101.2"))


def test_later_changes_of_a_rule_are_listed(knowledge: Knowledge) -> None:
    assert [(step["kind"], step["edition"], step["now"]) for step in ruling_at(knowledge, BOARDS.iri)["changed_since"]] == [
        ("moved", "2021-01-01", rule("2021-01-01", "101.3")),
        ("moved-edited", "2022-01-01", rule("2022-01-01", "101.4")),
    ]
    assert ruling_at(knowledge, TOLLS.iri)["changed_since"] == []
    assert ruling_at(knowledge, UNDATED.iri)["changed_since"] == []


def test_a_rule_has_its_rulings_in_every_edition(knowledge: Knowledge) -> None:
    assert ids(rulings_of_rule(knowledge, [rule("2022-01-01", "101.4")])) == ["7", "9"]
    assert ids(rulings_of_rule(knowledge, [rule("2022-01-01", "101.3")])) == []


def test_cards_are_found_whatever_their_width(knowledge: Knowledge) -> None:
    assert ids(rulings_of_card(knowledge, "long ferry")) == ["7"]
    assert ids(rulings_of_card(knowledge, "長い渡し舟")) == ["8"]
    assert ids(rulings_of_card(knowledge, "short ferry")) == []


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({}, ["8", "7", "9"]),
        ({"changed": True}, ["7"]),
        ({"changed": False}, ["8", "9"]),
        ({"rule": "ferry:101.4", "games": "ferry"}, ["7", "9"]),
        ({"source": "forum"}, []),
    ],
)
def test_rulings_are_listed_the_newest_first(knowledge: Knowledge, conditions: dict[str, Any], expected: list[str]) -> None:
    body = library_over(knowledge).rulings(**conditions)
    assert (body["total"], ids(body["rulings"])) == (len(expected), expected)
