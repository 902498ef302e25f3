"""Answers: the clause that says it, its exception beside it, its place exact, and nothing where nothing is sure."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from corpus.store.home import Home
from rulestone.search_bodies import search_body
from search.answer.answerer import Answerer, Certainty
from search.answer.clauses import QuotedRule
from search.answer.selection import Role, SelectedClaim, defining_claims
from search.index.passages import questions_by_rule
from search.rank.ranker import RankedRule
from search.searcher import Request, Searcher
from search.settings import ANSWERS, AnswerSettings
from tests.support.homes import books_alone, put, searching
from tests.support.texts import ROOT

NIGHT = tomllib.loads((ROOT / "tests" / "cases" / "answers.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("night")
    with books_alone():
        put(folder / "home", NIGHT["book"], "2024-01-01")
    return searching(Home(folder / "home"))


BOLD = replace(ANSWERS, min_probability=0.0)
"""Settings to see what is chosen: of a game with one short book, without sentence vectors, nothing is sure."""


def claims(searcher: Searcher, query: str, *games: str, lang: str | None = None) -> tuple[SelectedClaim, ...]:
    return Answerer(searcher, BOLD).answer(Request(query, games, lang)).claims


def rule_text(searcher: Searcher, claim: SelectedClaim) -> str:
    """The text that `show` gives of a claim's rule in its language."""
    record = searcher.knowledge.by_iri([claim.source.record["iri"]])[claim.source.record["iri"]]
    return record["texts"][claim.source.lang]["text"] if claim.source.is_text else record["digest"][claim.source.lang]


@pytest.mark.parametrize("case", NIGHT["question"], ids=[case["asked"] for case in NIGHT["question"]])
def test_the_clause_that_answers_is_told(night: Searcher, case: dict[str, Any]) -> None:
    answer_claims = claims(night, case["asked"], "ferry")
    assert all(any(said in claim.text for claim in answer_claims) for said in case["says"]), [claim.text for claim in answer_claims]
    roles = {claim.text: claim.role.value for claim in answer_claims}
    assert [roles.get(said) for said in case["says"]] == case.get("roles", [roles.get(said) for said in case["says"]])


def test_items_that_are_rules_follow_the_claim_that_introduces_them(night: Searcher) -> None:
    answer_claims = claims(night, "in which cases does a harbour bell ring", "ferry")
    first = next(place for place, claim in enumerate(answer_claims) if claim.source.record["locator"] == "501.5")
    parts = answer_claims[first + 1 : first + 4]
    assert [claim.source.record["locator"] for claim in parts] == ["501.5a", "501.5b", "501.5c"]
    assert {claim.part_of for claim in parts} == {answer_claims[first].source.record["iri"]}
    assert answer_claims[first].part_of is None
    assert len([claim for claim in answer_claims if claim.source.record["locator"] == "501.5b"]) == 1
    for claim in parts:
        assert claim.text == rule_text(night, claim)[claim.start : claim.end] == claim.text.strip()


def test_too_many_items_are_counted_and_left_out(night: Searcher) -> None:
    answer_claims = claims(night, "these are the flags of the night", "ferry")
    [introduction] = [claim for claim in answer_claims if claim.source.record["locator"] == "501.6"]
    assert introduction.left_out == 9
    assert not any(claim.part_of for claim in answer_claims)


@pytest.mark.parametrize(
    ("query", "settings", "state"),
    [
        ("ferry:500.2", BOLD, Certainty.SURE),
        ("may I light a lantern at a pier", replace(BOLD, sure_probability=0.0, sure_static_margin=0.0), Certainty.SURE),
        ("may I light a lantern at a pier", replace(BOLD, sure_probability=1.0, sure_static_margin=0.0), Certainty.LIKELY),
        ("may I light a lantern at a pier", replace(BOLD, sure_probability=0.0, sure_static_margin=99.0), Certainty.LIKELY),
        ("pokemon prize cards", BOLD, Certainty.UNSURE),
        ("ferry:999.9", BOLD, Certainty.UNSURE),
    ],
)
def test_an_answer_says_how_sure_it_is(night: Searcher, query: str, settings: AnswerSettings, state: Certainty) -> None:
    answered = Answerer(night, settings).answer(Request(query, ("ferry",) if "lantern" in query else ()))
    assert answered.state == state
    assert (answered.state is Certainty.UNSURE) == (answered.reason is not None) == (not answered.claims)


@pytest.mark.parametrize("query", ["ferry 500", "what does 500 say in ferry", "ferry 500だと"])
def test_the_number_of_a_heading_is_answered_by_the_rules_under_it(night: Searcher, query: str) -> None:
    answered = Answerer(night, BOLD).answer(Request(query))
    assert [claim.source.record["locator"] for claim in answered.claims] == ["500.1", "500.2", "500.3"]
    assert [claim.text for claim in answered.claims] == [rule_text(night, claim).rstrip() for claim in answered.claims]
    assert answered.state == Certainty.SURE


def test_a_number_that_several_games_have_is_not_sure(digest_searcher: Searcher) -> None:
    states = {query: Answerer(digest_searcher, BOLD).answer(Request(query)).state for query in ("400.3", "dm 400.3")}
    assert states == {"400.3": Certainty.LIKELY, "dm 400.3": Certainty.SURE}


def test_hits_without_words_do_not_push_others_out(night: Searcher) -> None:
    index, searcher = night.index, Answerer(night, BOLD)
    ids = {index.rules[rule].locator: rule for rule in range(len(index.rules))}
    hits = [RankedRule(ids["500"], 2.0, relevance=20.0), RankedRule(ids["500.2"], 1.0, relevance=5.0)]
    assert [rule.record["locator"] for rule in searcher._quoted_rules("en", hits)] == ["500.2"]


def test_a_sure_answer_has_claims_of_one_rule(night: Searcher) -> None:
    settings = replace(BOLD, sure_probability=0.0, sure_static_margin=0.0)
    answer_claims = Answerer(night, settings).answer(Request("may I light a lantern at a pier", ("ferry",))).claims
    assert len({claim.part_of or claim.source.record["iri"] for claim in answer_claims}) == 1


def quoted(*texts: str) -> list[QuotedRule]:
    record: Any = {"iri": "", "parent": "", "kind": "rule"}
    return [QuotedRule(rule, rule, 1.0, True, record, "en", text, True) for rule, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            [
                "Drift is a static ability.",
                "A boat with drift moves one space at dawn. See rule 7.2.",
                "It moves once.",
                "Not told.",
            ],
            ["Drift is a static ability.", "A boat with drift moves one space at dawn.", "It moves once."],
        ),
        (["Drift is a static ability.", "See rule 7.2.", "It moves once."], ["Drift is a static ability.", "It moves once."]),
        (["A boat drifts. " * 30, "It moves once."], ["A boat drifts. " * 19 + "A boat drifts.", "It moves once."]),
        (["A boat drifts. " * 60], ["A boat drifts. " * 39 + "A boat drifts."]),
        (["boats and " * 100 + "end.", "It moves once."], ["boats and " * 100 + "end."]),
    ],
)
def test_a_definition_has_the_effect_in_three_claims_and_600_characters(texts: list[str], expected: list[str]) -> None:
    claims = defining_claims(quoted(*texts), ANSWERS)
    assert [claim.text for claim in claims] == expected
    assert [claim.role for claim in claims] == [Role.DEFINITION, Role.RULE, Role.RULE][: len(claims)]


@pytest.mark.parametrize("query", ["what is the graveyard", "墓地とは", "墓地是什么", "墓地有什么作用"])
def test_a_definition_is_answered_from_one_section(digest_searcher: Searcher, query: str) -> None:
    answer_claims = claims(digest_searcher, query, "dm")
    assert answer_claims[0].role is Role.DEFINITION
    assert len(answer_claims) <= ANSWERS.max_defining_claims
    assert sum(len(claim.text) for claim in answer_claims) <= ANSWERS.max_defining_chars
    assert len({claim.source.record["parent"] for claim in answer_claims}) == 1


def test_hits_far_behind_the_first_one_make_no_claim(night: Searcher) -> None:
    def rules(settings: AnswerSettings) -> list[int]:
        answer_claims = Answerer(night, settings).answer(Request("may I light a lantern at a pier", ("ferry",))).claims
        return list(dict.fromkeys(claim.source.rank for claim in answer_claims))

    likely = replace(BOLD, sure_probability=1.0)
    assert rules(replace(likely, max_gap=0.0, max_second_gap=0.0)) == [0]
    assert rules(replace(likely, max_gap=0.0, max_second_gap=99.0)) == [0, 1]
    assert len(rules(replace(likely, max_gap=99.0, max_second_gap=99.0))) > 2


def test_mere_references_and_other_subjects_are_left_out(night: Searcher) -> None:
    answer_claims = claims(night, "where are lost geese put", "ferry")
    assert any("back into the box" in claim.text for claim in answer_claims)
    assert not any(claim.text.startswith("See rule") for claim in answer_claims)


@pytest.mark.parametrize("query", ["may I rearrange the sunken pile", "沈没置き場 並べ替え", "沉没堆可以调整顺序吗"])
@pytest.mark.parametrize("lang", ["en", "ja", "zh-Hans", "zh-Hant", None])
def test_claims_stand_at_their_place_in_the_askers_language(searcher: Searcher, query: str, lang: str | None) -> None:
    answer_claims = claims(searcher, query, "harbour", lang=lang)
    assert answer_claims[0].source.record["locator"] == "402.2"
    spoken = {"zh-Hant": "zh-Hans"}.get(lang or "", lang)
    assert {claim.source.lang for claim in answer_claims} == {spoken} or lang is None
    for claim in answer_claims:
        assert claim.text == rule_text(searcher, claim)[claim.start : claim.end]


def test_claims_come_in_the_order_of_hits_and_exceptions_last(searcher: Searcher, night: Searcher) -> None:
    for opened, game, query in ((searcher, "harbour", "what is a harbour"), (night, "ferry", "can a captain light a lantern")):
        order = [(claim.role is Role.EXCEPTION, claim.source.rank) for claim in claims(opened, query, game) if not claim.part_of]
        assert order == sorted(order)
        assert order


def test_every_claim_to_the_questions_of_the_digest_is_the_words_at_its_span(digest_searcher: Searcher) -> None:
    """`python -m bench.answers` holds 2,000 of them against whole books."""
    questions = sorted({words for some in questions_by_rule(digest_searcher.knowledge).values() for _, words in some})[::40]
    answer_claims = [claim for query in questions for claim in claims(digest_searcher, query)]
    assert len(answer_claims) > len(questions) > 20
    for claim in answer_claims:
        assert not claim.source.is_text
        assert claim.text == rule_text(digest_searcher, claim)[claim.start : claim.end]
        assert claim.text.strip() == claim.text


@pytest.mark.parametrize(
    "query",
    [
        "pokemon prize cards",
        "how much is a lantern on ebay",
        "weather in london tomorrow",
        "999.9z",
        "dm",
        "デュエマの新弾の発売日",
    ],
)
def test_questions_outside_all_books_are_not_answered(searcher: Searcher, query: str) -> None:
    answered = Answerer(searcher).answer(Request(query))
    assert answered.reason is not None
    assert answered.claims == ()


def test_it_abstains_where_a_search_still_shows_rules(digest_searcher: Searcher) -> None:
    """An answer asserts; a list of rules does not."""
    questions = [line.strip() for line in (ROOT / "bench" / "speed" / "queries.txt").read_text(encoding="utf-8").splitlines()]
    answerer = Answerer(digest_searcher)
    for query in filter(None, questions):
        if search_body(digest_searcher, Request(query))["abstained"]:
            assert answerer.answer(Request(query)).reason is not None


def test_a_sure_answer_needs_no_search_of_its_own(digest_searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside hits, claims are only worked out where they may be sure, from the ranking of the hits, and are the same."""
    questions = [line.strip() for line in (ROOT / "bench" / "speed" / "queries.txt").read_text(encoding="utf-8").splitlines()]
    answerer, states = Answerer(digest_searcher, replace(ANSWERS, sure_probability=0.5, sure_coverage=0.2, sure_lead=0.99)), set()
    for query in filter(None, questions[::3]):
        request = Request(query)
        whole, retrieved = answerer.answer(request), digest_searcher.retrieve(request)
        if retrieved.query.numbers:
            continue
        with monkeypatch.context() as patch:
            patch.setattr(digest_searcher.ranker, "rank", None)
            beside = answerer.sure_answer(request, retrieved)
        states.add(whole.state)
        assert beside.state == (
            Certainty.UNSURE
            if whole.reason and beside.reason
            else Certainty.SURE
            if whole.state == Certainty.SURE
            else Certainty.LIKELY
        )
        assert beside.claims == (whole.claims if whole.state == Certainty.SURE else ())
    assert Certainty.SURE in states
