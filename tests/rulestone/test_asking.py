"""`Library.ask`: rulings beside the claims, earlier moments, and the contract's own schema."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from corpus.address import BASE, split_rule
from corpus.store.home import Home
from rulestone import Library
from rulestone.library.ask import _differences, _lacks, _topic_differences, _without_uncovered_games
from rulestone.library.search import with_compared_game
from search.answer.answerer import Answer, Certainty
from search.answer.selection import SelectedClaim
from search.searcher import Request, Searcher


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


@pytest.mark.parametrize("answer", [Library.ask, Library.search])
def test_a_date_before_every_edition_is_the_reason(library: Library, answer: Callable[..., dict[str, Any]]) -> None:
    body = answer(library, "who boards first", games="ferry", as_of="1999")
    assert "no rulebook of ferry from that date or before" in body["reason"]
    body = answer(library, "誰が先に乗る", games="ferry", as_of="1999", lang="ja")
    assert "その日付以前の" in body["reason"]


def test_an_edition_that_is_not_current_says_so(library: Library) -> None:
    [claim] = library.ask("2020-01-01:101.2", games="ferry")["claims"][:1]
    assert claim["edition"] != "2020-01-01" or claim["note"] is not None


def answer(searcher: Searcher, query: str, games: tuple[str, ...], *rules: str) -> Answer:
    """An answer whose claims are of some rules."""
    interpretation = searcher.understand(Request(query, games))
    sources = [
        SimpleNamespace(source=SimpleNamespace(record={"iri": rule, "game": split_rule(rule).key.game}, rule=0)) for rule in rules
    ]
    return Answer(interpretation, interpretation.lang, None, cast(tuple[SelectedClaim, ...], tuple(sources)), Certainty.LIKELY)


@pytest.mark.parametrize(
    ("query", "parts", "nearest"),
    [
        ("Magicのマリガンみたいなの、デュエマにある?", ("なし。", "引き直し"), "dm/cr/2025-12-17/103.3"),
        ("is there a mulligan in Magic and Duel Masters", ("Duel Masters: None", "Magic"), "dm/cr/2025-12-17/103.3"),
        ("万智牌和游戏王的调度", ("没有", "重抓"), "ygo/rulebook/undated-2/progress/1.1.3~1"),
        ("Magicのスタックみたいなの、デュエマにある?", ("待機状態", "スタック"), "dm/cr/2025-12-17/110.3b"),
        ("does Duel Masters have something like Yu-Gi-Oh!'s chain", ("no zone", "Chain"), "dm/cr/2025-12-17/110.3b"),
        ("tokens in mtg and dm", ("Duel Masters: ", "Magic"), "dm/cr/2025-12-17/109.2"),
    ],
)
def test_a_game_without_such_a_rule_says_so_with_the_nearest(
    digest_searcher: Searcher, query: str, parts: tuple[str, ...], nearest: str
) -> None:
    answered = answer(digest_searcher, query, ())
    differences = list(_topic_differences(digest_searcher.knowledge, answered))
    [difference] = [one for one in differences if f"{BASE}id/{nearest}" in one["rules"]]
    assert len(difference["games"]) == 2
    assert all(part in difference["text"] for part in parts), difference["text"]


def test_the_nearest_rule_is_no_claim(digest_searcher: Searcher) -> None:
    own, nearest = f"{BASE}id/mtg/cr/2025-02-07/103.5", f"{BASE}id/dm/cr/2025-12-17/103.3"
    elsewhere = f"{BASE}id/dm/cr/2025-12-17/114.1"  # a game without such a rule has no other that answers
    answered = answer(digest_searcher, "mulligan in Magic and Duel Masters", (), own, nearest, elsewhere)
    reduced_answer = _without_uncovered_games(digest_searcher.knowledge, answered)
    assert [claim.source.record["iri"] for claim in reduced_answer.claims] == [own]


@pytest.mark.parametrize(
    ("query", "lacking", "part"),
    [
        ("does Magic's stack exist in Digimon?", "digimon", "no such zone"),
        ("does Duel Masters have an exile zone like Magic's?", "dm", "no exile zone"),
        ("マジックの追放領域みたいなのはデュエマにある？", "dm", "追放領域はない"),
        ("数码宝贝有没有万智牌的堆叠", "digimon", "没有这样的区域"),
    ],
)
def test_a_game_that_has_nothing_of_the_kind_makes_no_claim(digest_searcher: Searcher, query: str, lacking: str, part: str) -> None:
    magic, other = f"{BASE}id/mtg/cr/2025-02-07/103.5", f"{BASE}id/dm/cr/2025-12-17/114.1"
    answered = answer(digest_searcher, query, (), magic, other)
    [lack] = list(_lacks(digest_searcher.knowledge, answered))
    assert lack["games"] == ["mtg", lacking]
    assert part in lack["text"]
    reduced_answer = _without_uncovered_games(digest_searcher.knowledge, answered)
    assert (other in {claim.source.record["iri"] for claim in reduced_answer.claims}) is (lacking != "dm")


@pytest.mark.parametrize(
    ("query", "reason", "parts"),
    [
        ("does the stack exist in Digimon and Duel Masters?", "none of the games in the question", ("In no place", "In no zone")),
        ("デジモンとデュエマにスタックはある？", "質問のゲームには", ("待機状態",)),
    ],
)
def test_if_no_game_has_the_thing_the_answer_says_so_for_each(
    digest_searcher: Searcher, query: str, reason: str, parts: tuple[str, ...]
) -> None:
    rules = (f"{BASE}id/digimon/cr/2026-08-18/4-1-1", f"{BASE}id/dm/cr/2025-12-17/114.1")
    reduced_answer = _without_uncovered_games(digest_searcher.knowledge, answer(digest_searcher, query, (), *rules))
    assert (reduced_answer.claims, reduced_answer.state) == ((), Certainty.UNSURE)
    assert reduced_answer.reason is not None
    assert reason in reduced_answer.reason.in_language(reduced_answer.lang)
    texts = [difference["text"] for difference in _differences(digest_searcher.knowledge, digest_searcher.index, reduced_answer)]
    assert all(any(part in text for text in texts) for part in parts), texts


def test_a_game_that_has_one_of_the_things_is_compared(digest_searcher: Searcher) -> None:
    answered = answer(digest_searcher, "graveyard and stack in Magic and Digimon", ())
    assert not list(_lacks(digest_searcher.knowledge, answered))


@pytest.mark.parametrize("query", ["mulligan", "mulligan in Magic"])
def test_games_that_are_not_asked_are_not_compared(digest_searcher: Searcher, query: str) -> None:
    assert list(_topic_differences(digest_searcher.knowledge, answer(digest_searcher, query, ()))) == []


@pytest.mark.parametrize(
    ("query", "games"),
    [
        ("does Duel Masters have something like the stack?", ("dm", "mtg")),
        ("デュエマにスタックみたいなのある？", ("dm", "mtg")),
        ("does Duel Masters have something like a chain?", ("dm", "ygo")),
        ("万智牌有没有类似连锁的东西", ("mtg", "ygo")),  # Force of Will has that topic too, in other words
        ("Does FoW have something like the stack?", ("fow", "mtg")),
        ("does the stack exist in Duel Masters?", ("dm", "mtg")),
        ("スタックはデュエマにも存在する？", ("dm", "mtg")),
        ("决斗大师里有没有堆叠", ("dm", "mtg")),
        ("does a graveyard exist in Duel Masters?", ()),
        ("can I respond on the stack in FoW", ()),
        ("does Duel Masters have something like a graveyard?", ()),
        ("is there something like the stack?", ()),
    ],
)
def test_the_like_of_a_thing_is_compared_with_the_game_that_has_it(
    digest_searcher: Searcher, query: str, games: tuple[str, ...]
) -> None:
    assert with_compared_game(digest_searcher, Request(query)).games == games
    assert with_compared_game(digest_searcher, Request(query, ("dm",))).games == ("dm",)


def test_search_and_ask_agree_on_the_like_of_a_thing(digest_home: Home) -> None:
    query = "does Duel Masters have something like the stack?"
    with Library.open(digest_home.path) as library:
        results, answered = library.search(query), library.ask(query)
    assert results["understood"]["games"] == ["dm", "mtg"]
    assert results["abstained"] is answered["abstained"] is False


def test_a_game_that_has_the_thing_is_not_said_to_lack_it(digest_searcher: Searcher) -> None:
    lacking = f"{BASE}id/digimon/cr/2026-08-18/4-1-1"
    answered = answer(digest_searcher, "does the stack exist in Magic and Digimon?", (), lacking)
    assert _without_uncovered_games(digest_searcher.knowledge, answered).reason is None
