"""The judge's questions: each is well formed, asks in its own words and names rules that the book has in both languages."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.copies import CJK_RUN, WORD_RUN, cjk, words
from corpus.model import Kind
from ingest.read.document import read
from tests.support.texts import TEXTS, readings

BENCH = Path(__file__).parents[2] / "bench"
FILE, FORUM = (tomllib.loads((BENCH / name).read_text("utf-8")) for name in ("judge_questions.toml", "forum_questions.toml"))
QUESTIONS: list[dict[str, Any]] = [*FILE["question"], *FORUM["question"]]
REQUIRED = {"query", "lang", "needs", "topic"}
BOOKS = {"en": "mtg/20250207_En.txt", "zh-Hans": "mtg/20250207_Zh.txt"}


def test_every_question_is_well_formed() -> None:
    for one in QUESTIONS:
        assert REQUIRED <= set(one) <= REQUIRED | {"also"}, one
        assert one["lang"] in BOOKS, one
        assert 1 <= len(one["needs"]) <= 4, one
        named = [*one["needs"], *one.get("also", [])]
        assert len(set(named)) == len(named), one


def test_no_question_is_asked_twice() -> None:
    asked = Counter(cjk(one["query"]) for one in QUESTIONS)
    assert [query for query, times in asked.items() if times > 1] == []


def test_the_questions_reach_the_whole_book() -> None:
    chapters = Counter(number[0] for one in QUESTIONS for number in one["needs"])
    assert set(chapters) == set("123456789")


@pytest.mark.real
@pytest.mark.parametrize("lang", BOOKS)
def test_every_number_is_a_rule_of_the_edition(lang: str) -> None:
    (reading,) = readings(BOOKS[lang])
    assert str(reading.key) == FILE["edition"]
    rules = {node.locator for node in reading.nodes if node.kind is Kind.RULE}
    named = {number for one in QUESTIONS for number in [*one["needs"], *one.get("also", [])]}
    assert named - rules == set()


@pytest.mark.real
def test_no_question_quotes_the_book() -> None:
    english, chinese = (read(TEXTS / name).text for name in BOOKS.values())
    phrases = " ".join(["", *words(english), ""])
    run_of = cjk(chinese)
    for one in QUESTIONS:
        said, plain = words(one["query"]), cjk(one["query"])
        runs = (said[i : i + WORD_RUN] for i in range(len(said) - WORD_RUN + 1))
        assert [run for run in runs if f" {' '.join(run)} " in phrases] == [], one
        copied = (plain[i : i + CJK_RUN] for i in range(len(plain) - CJK_RUN + 1))
        assert one["lang"] == "en" or [run for run in copied if run in run_of] == [], one
