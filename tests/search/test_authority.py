"""Of rules that answer alike, the current official one is first."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from corpus.model import Authority
from corpus.store.home import Home
from ingest.recognise import Hints
from rulestone.search_bodies import search_body
from rulestone.writing.add import add, build
from search.rank.authority import authoritative_rules, behind_authoritative
from search.rank.ranker import Ranker
from search.searcher import Request
from search.settings import SEARCH
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import books_alone, put, searching, without_ontology

MAX_LEAD = 2.0
# Of each candidate: its relevance, its game, whether it is authoritative; then the candidates in their new order.
CANDIDATES = {
    "a small lead is lost": ([(5.0, 0, False), (4.0, 0, True), (3.0, 0, True)], [1, 0, 2]),
    "a great lead stays": ([(9.0, 0, False), (4.0, 0, True)], [0, 1]),
    "another game's rule does not count": ([(5.0, 0, False), (4.0, 1, True)], [0, 1]),
    "those that are moved keep their order": ([(5.0, 0, False), (4.5, 0, False), (4.0, 0, True)], [2, 0, 1]),
    "of equal ones the authoritative is first": ([(4.0, 0, False), (4.0, 0, True)], [1, 0]),
    "without an authoritative one nothing moves": ([(5.0, 0, False), (4.0, 0, False)], [0, 1]),
    "what is behind stays behind": ([(5.0, 0, True), (4.0, 0, False), (3.0, 1, False), (2.0, 1, True)], [0, 1, 3, 2]),
}


@pytest.mark.parametrize("name", CANDIDATES)
def test_rules_without_authority_follow(name: str) -> None:
    candidates, order = CANDIDATES[name]
    relevance, games, authoritative = map(np.array, zip(*candidates, strict=True))
    settings = replace(SEARCH, authority_lead=MAX_LEAD)
    moved = behind_authoritative(
        relevance.astype(np.float32),
        games.astype(np.int32),
        authoritative,
        lambda some, others: np.zeros((len(some), len(others)), dtype=np.float32),
        settings,
    )
    assert np.argsort(-moved, kind="stable").tolist() == order


def test_a_great_lead_over_a_rule_that_says_the_same_is_lost() -> None:
    relevance, games = np.array([9, 5, 1], dtype=np.float32), np.zeros(3, dtype=np.int32)
    said = np.array([[1, 0.2, 0.9], [0.2, 1, 0.3], [0.9, 0.3, 1]], dtype=np.float32)
    moved = behind_authoritative(
        relevance, games, np.array([False, True, True]), lambda some, others: said[np.ix_(some, others)], SEARCH
    )
    assert np.argsort(-moved).tolist() == [1, 2, 0]


def test_a_current_official_rule_is_before_a_communitys_words_for_it(tmp_path: Path) -> None:
    with books_alone():
        home = Home(tmp_path / "home")
        put(home.path, HUNDREDS_EN, "2021-05-03")
        summary = tmp_path / "summary.txt"
        summary.write_text(HUNDREDS_EN.replace("A ferry holds", "Each ferry holds"), encoding="utf-8")
        add(home, [summary], Hints("ferry", "summary", "2022-01-01", "en", Authority.COMMUNITY))
    searcher = searching(home)
    flags = authoritative_rules(searcher.index, searcher.knowledge.manifest)
    rules = searcher.index.rules
    assert {rules.editions[rule].book for rule in np.flatnonzero(flags)} == {"cr"}
    request = Request("how many tokens does each ferry hold", ("ferry",))
    query = searcher.understand(request)
    unmoved = Ranker(searcher.index).rank(query, searcher.encode_query(query).static, 10)
    assert rules.editions[unmoved.hits[0].rule].book == "summary"
    body = search_body(searcher, request)
    assert (body["hits"][0]["book"], body["hits"][0]["authority"]) == ("cr", "official")
    assert body["sections"][0]["book"] == "cr"


def test_search_passes_over_the_digest_of_a_summary_where_the_digest_has_the_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESTONE_DIGEST", "dm.cr.2025-12-17.4.toml,dm.zones-summary.*")
    home = Home(tmp_path / "home")
    with without_ontology():
        build(home)
    searcher = searching(home)
    for query in ("may I look at my shields", "墓地の順番を変えてよいか", "牌库里的牌可以看吗"):
        books = {hit["book"] for hit in search_body(searcher, Request(query, limit=50))["hits"]}
        assert books == {"cr"}, query
