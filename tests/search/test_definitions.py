"""A question for a definition gets the defining rules first; a longer question is not affected by them."""

import shutil
import tomllib
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from corpus.contract import RuleRecord
from corpus.store.home import Home
from search.answer.answerer import Answerer
from search.index.definitions import NAME_PREFIX, BookOutline, definition_rows, is_title_only
from search.index.engine import EngineQuery, MappedEngine, PassageScores
from search.query.query import DefinitionTarget, subjects
from search.rank.ranker import Ranker
from search.searcher import Request, Searcher
from search.settings import ANSWERS, SearchSettings
from tests.support.homes import put_languages, searching
from tests.support.texts import ROOT

CASES = tomllib.loads((ROOT / "tests/cases/definitions.toml").read_text(encoding="utf-8"))
ASKED = [(text, case["first"]) for case in CASES["asked"] for text in case["as"]]


@pytest.fixture(scope="module")
def searcher(digest_home: Home, tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    """Search in the keywords of the ferrymen."""
    folder = tmp_path_factory.mktemp("keywords")
    shutil.copytree(digest_home.path, folder / "home")
    put_languages(folder / "home", {lang: CASES[lang] for lang in ("en", "ja", "zh-Hans")}, "2024-01-01")
    return searching(Home(folder / "home"))


def first(searcher: Searcher, text: str) -> list[str]:
    request = Request(text, ("ferry",))
    return [searcher.index.rules[hit.rule].locator for hit in searcher.rank(searcher.understand(request), request).hits]


@pytest.mark.parametrize(("text", "expected"), ASKED)
def test_definitions_first(searcher: Searcher, text: str, expected: list[str]) -> None:
    assert set(first(searcher, text)[: len(expected)]) == set(expected)


@pytest.mark.parametrize("text", ["drift", "what does drift do", "漂流とは", "漂流是啥"])
def test_the_game_that_defines_it_comes_first_where_none_is_named(searcher: Searcher, text: str) -> None:
    request = Request(text)
    hits = searcher.rank(searcher.understand(request), request).hits
    assert searcher.index.rules[hits[0].rule].locator == "701.1a"


@pytest.mark.parametrize(
    "text",
    [
        "drift vs moor",
        "what is the difference between drift and moor in ferry?",
        "How does drift differ from moor",
        "drift and moor difference",
        "漂流と係留の違い",
        "漂流と係留はどう違いますか",
        "漂流和靠泊的区别",
        "漂流跟靠泊有什么区别？",
    ],
)
def test_each_of_two_things_is_defined_where_their_difference_is_asked_for(searcher: Searcher, text: str) -> None:
    sides = searcher.understand(Request(text, ("ferry",))).compared_targets
    assert [[target.concept for target in side] for side in sides] == [["ferry/drift"], ["ferry/moor"]]
    settings = replace(ANSWERS, min_probability=0.0)
    claims = Answerer(searcher, settings).answer(Request(text, ("ferry",))).claims
    sections = {claim.source.record["locator"][:5] for claim in claims}
    assert {"701.1", "701.2"} <= sections
    assert len(claims) <= settings.max_claims


@pytest.mark.parametrize("room", [1, 2, 3])
@pytest.mark.parametrize("text", ["drift vs moor", "moor vs drift"])
def test_a_claim_on_each_side_comes_before_others(searcher: Searcher, text: str, room: int) -> None:
    settings = replace(ANSWERS, min_probability=0.0, max_claims=room)
    told = Answerer(searcher, settings).answer(Request(text, ("ferry",))).claims
    assert len(told) == room
    sections = {claim.source.record["locator"][:5] for claim in told}
    assert len(sections & {"701.1", "701.2"}) == min(room, 2)


@pytest.mark.parametrize("text", ["what is drift", "drift and moor", "may a ferry with drift moor", "dm vs mtg", "drift vs"])
def test_other_questions_compare_nothing(searcher: Searcher, text: str) -> None:
    assert searcher.understand(Request(text, ("ferry",))).compared_targets == ()


def test_other_words_of_a_longer_name_are_not_the_subject(searcher: Searcher) -> None:
    assert searcher.understand(Request("what is a drift anchor")).definition_targets == (
        DefinitionTarget("ferry/drift-anchor", ("ferry",)),
    )


@pytest.mark.parametrize(
    ("text", "games", "expected"),
    [
        ("what does trample do", (), DefinitionTarget("excess-damage", ("mtg",))),
        ("デュエマの墓地とは", (), DefinitionTarget("graveyard", ("dm",))),
        ("what does trample do", ("ygo",), DefinitionTarget("excess-damage")),  # a name that this game has not: that of all games
    ],
)
def test_a_name_is_asked_of_the_games_that_call_it_so(
    digest_searcher: Searcher, text: str, games: tuple[str, ...], expected: DefinitionTarget
) -> None:
    assert digest_searcher.understand(Request(text, games)).definition_targets[0] == expected


def test_only_the_games_that_call_it_so_gain(digest_searcher: Searcher) -> None:
    index = digest_searcher.index
    assert {index.rules[places[0]].game for places in index.defining_rules("graveyard", ())} >= {"dm", "fow"}
    assert {index.rules[places[0]].game for places in index.defining_rules("graveyard", ("dm",))} == {"dm"}


@pytest.mark.parametrize("text", ["what is a card orientation", "配置状態とは", "配置状态是什么"])
def test_a_name_in_glosses_alone_is_defined_by_the_rules_under_it(digest_searcher: Searcher, text: str) -> None:
    request = Request(text)
    query = digest_searcher.understand(request)
    assert any(target.concept.startswith(NAME_PREFIX) for target in query.definition_targets)
    hits = digest_searcher.rank(query, request).hits
    assert [digest_searcher.index.rules[hit.rule].locator for hit in hits[:2]] == ["3.2~1", "3.2~2"]


def test_a_title_with_a_defining_gloss_precedes_its_parts() -> None:
    glosses = {"drift": "Drift: the keyword for ferries without a captain.", "a": "It moves.", "plain": "Moor", "b": "It ties."}
    titles = [is_title_only(cast("RuleRecord", {"texts": {}, "digest": {"en": gloss}})) for gloss in glosses.values()]
    outline = BookOutline([0] * 4, ["rule"] * 4, [[1], [], [3], []], [[]] * 4, titles)
    assert definition_rows([("drift", 0), ("moor", 2)], outline) == {"drift": [[0, 1]], "moor": [[3]]}


@pytest.mark.parametrize("text", CASES["more"]["asked"])
def test_a_question_that_asks_more_is_ranked_as_ever(searcher: Searcher, text: str) -> None:
    assert searcher.understand(Request(text)).definition_targets == ()


def test_without_its_weight_the_rules_that_speak_most_of_it_come_first(searcher: Searcher) -> None:
    request = Request("What does drift do?", ("ferry",))
    plain = Ranker(searcher.index, replace(searcher.ranker.settings, definition_boost=0.0))
    best = plain.rank(searcher.understand(request), None, 1).hits[0].rule
    assert searcher.index.rules[best].locator.startswith("300.")


def test_the_glossary_follows_the_rules_and_brings_the_rules_it_cites(searcher: Searcher) -> None:
    locators = {
        concept: [[searcher.index.rules[place].locator for place in places] for places in editions]
        for concept, editions in searcher.index.definitions.items()
    }
    assert locators["ferry/drift"] == [["701.1a", "701.1b", "glossary/漂流", "glossary/drift"]]
    assert locators["ferry/goose"] == [["glossary/goose", "300.3"]]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("What is a harbour?", "harbour"),
        ("在 里 港口是什么意思", "港口"),
        ("の港って何ですか", "港"),
        ("in which order do tides apply", "tides"),
    ],
)
def test_subjects_without_question_words(text: str, subject: str) -> None:
    assert subject in subjects(text)


class Blind(MappedEngine):
    """An engine that finds nothing near, as may be of a rule that no leg has among its first."""

    def scores(self, query: EngineQuery, settings: SearchSettings, questions: slice) -> PassageScores:
        """See Engine."""
        scored = super().scores(query, settings, questions)
        scores = np.isin(self._table.owner, self._table.related(query.owners))
        return scored._replace(bm25=np.where(scores, scored.bm25, np.float32(0)))


@pytest.mark.parametrize("text", ["a goose that drifts 300.3", "What does drift do?"])
def test_candidates_ranked_by_vectors_are_examined_by_any_engine(searcher: Searcher, text: str) -> None:
    request = Request(text, ("ferry",))
    blind = Searcher(searcher.folder.parent, searcher.knowledge, open_engine=Blind)
    mine, theirs = (engine.ranker.rank(engine.understand(request), None, 1).hits[0] for engine in (searcher, blind))
    assert mine.rule == theirs.rule
    assert [theirs.signals.get(leg) for leg in ("text", "context")] == [mine.signals.get(leg) for leg in ("text", "context")]
    assert set(mine.signals) & {"text", "context"}
