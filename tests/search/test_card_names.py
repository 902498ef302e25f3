"""Names of games and terms that come from what is loaded, in a single search, a batch and over HTTP alike."""

import json
import shutil
from pathlib import Path

import pytest

from corpus.errors import NotFoundError
from corpus.store.home import Home
from ingest.recognise import Hints
from rulestone import Library
from rulestone.search_bodies import search_body
from search.index.concept_tokens import CONCEPT
from search.searcher import Request, Searcher
from search.settings import Field
from tests.ingest.test_define import EN, ZH
from tests.support.ferrymen import HUNDREDS_EN
from tests.support.homes import put_books, searching


@pytest.fixture(scope="module")
def home(digest_home: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Books of games that the catalogue does not know: one of them known by name elsewhere, one near an English word."""
    home = Path(shutil.copytree(digest_home.path, tmp_path_factory.mktemp("names") / "home"))
    texts = (("vanguard", HUNDREDS_EN, "en"), ("gooze", EN, "en"), ("gooze", ZH, "zh-Hans"))
    put_books(home, [(text, Hints(game, "cr", "2021-05-03", lang)) for game, text, lang in texts])
    return Home(home)


@pytest.fixture(scope="module")
def searcher(home: Home) -> Searcher:
    return searching(home)


@pytest.mark.parametrize(
    ("query", "game"),
    [
        ("vanguard toll for each pier", "vanguard"),
        ("ヴァンガード toll", "vanguard"),
        ("卡片戰鬥先導者 toll", "vanguard"),
        ("the game of ferrymen toll", "vanguard"),
        ("gooze drift", "gooze"),
        ("決闘大師 護盾 觸發", "dm"),
        ("決鬥大師 護盾 觸發", "dm"),
        ("萬智牌 墳場", "mtg"),
        ("遊戲王 墓地", "ygo"),
        ("pokemon toll", ""),
    ],
)
def test_games_that_questions_name(searcher: Searcher, query: str, game: str) -> None:
    understood = searcher.understand(Request(query))
    assert understood.games == ((game,) if game else ())
    assert bool(understood.unknown_games) == (not game)
    assert not understood.corrected


def test_a_question_that_names_an_added_game_is_answered_from_it(searcher: Searcher) -> None:
    body = search_body(searcher, Request("ヴァンガード toll for each pier passed"))
    assert not body["abstained"]
    assert {hit["game"] for hit in body["hits"]} == {"vanguard"}
    assert search_body(searcher, Request("pokemon toll for each pier passed"))["abstained"]


@pytest.mark.parametrize("name", ["vanguard", "ヴァンガード", "The Game of Ferrymen", "卡片戰鬥先導者"])
def test_games_are_limited_by_any_of_their_names(home: Home, name: str) -> None:
    with Library.open(home.path) as library:
        single = library.search("toll for each pier passed", games=name)
        [line] = library.batch([json.dumps({"id": "1", "query": "toll for each pier passed", "game": name})])
        assert {hit["game"] for hit in single["hits"]} == {"vanguard"}
        assert [hit["iri"] for hit in line["hits"]] == [hit["iri"] for hit in single["hits"]]


@pytest.mark.parametrize("query", ["what is drift", "漂流", "漂流是什麼"])
def test_terms_that_books_define_are_concepts_of_a_question(searcher: Searcher, query: str) -> None:
    assert "gooze/drift" in searcher.understand(Request(query)).concepts


def test_a_term_asked_in_another_language_than_the_book_meets_its_rules(searcher: Searcher) -> None:
    query = searcher.understand(Request("漂流"))
    scores = searcher.index.signals({CONCEPT + "gooze/drift": 1.0}, book_lang="en").bm25_scores[Field.TEXT]
    met = {searcher.index.rules[int(place)].locator for place in scores.nonzero()[0]}
    assert CONCEPT + "gooze/drift" in query.terms
    assert {"701.1", "701.1a"} <= met


def test_a_term_is_a_word_that_the_book_defines(home: Home) -> None:
    with Library.open(home.path) as library:
        body = library.term("漂流")
        [term] = body["terms"]
        assert (term["label"], term["kind"]) == ("Drift", "book-term")
        assert [rule["locator"] for rule in term["defined_by"]] == ["701.1", "701.1a", "glossary/drift"]
        uses = {(group["lang"], use["locator"], use["source"]) for group in body["concordance"] for use in group["uses"]}
        assert {("en", "701.1a", "text"), ("zh-Hans", "701.1a", "text"), ("en", "glossary/drift", "headword")} <= uses
        [concept] = library.concept("drift")["concepts"]
        assert concept["concept"].endswith("/id/concept/gooze/drift")
        [rule_body] = library.rules("gooze:701.1a")["rules"]
        assert next((mention["concept"], mention["defined"]) for mention in rule_body["concepts"]) == (concept["concept"], True)


@pytest.mark.parametrize(("label", "sources"), [("copper token", {"text"}), ("opper tok", {"text"}), ("red tokens", {"example"})])
def test_names_of_no_concept_are_found_in_texts(home: Home, label: str, sources: set[str]) -> None:
    with Library.open(home.path) as library:
        body = library.term(label)
        assert not body["terms"]
        uses = [use for group in body["concordance"] for use in group["uses"]]
        assert {use["source"] for use in uses} == sources
        assert {use["concept"] for use in uses} == {None}


def test_absent_names_are_not_found(home: Home) -> None:
    with Library.open(home.path) as library, pytest.raises(NotFoundError):
        library.term("zeppelin")
