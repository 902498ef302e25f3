"""The judge's questions: each is well formed, asks in its own words and names rules that the book has in both languages."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.digest.copies import cjk_text
from corpus.model import Kind
from ingest.read.document import read
from tests.support.quotes import Phrases
from tests.support.texts import TEXTS, readings

BENCH = Path(__file__).parents[2] / "bench" / "search"
FILE, FORUM = (tomllib.loads((BENCH / name).read_text("utf-8")) for name in ("judge_questions.toml", "forum_questions.toml"))
QUESTIONS: list[dict[str, Any]] = [*FILE["question"], *FORUM["question"]]
REQUIRED = {"query", "lang", "needs", "topic"}
BOOKS = {"en": "mtg/20250207_En.txt", "zh-Hans": "mtg/20250207_Zh.txt"}


def test_every_question_is_well_formed() -> None:
    for question in QUESTIONS:
        assert REQUIRED <= set(question) <= REQUIRED | {"also"}, question
        assert question["lang"] in BOOKS, question
        assert 1 <= len(question["needs"]) <= 4, question
        numbers = [*question["needs"], *question.get("also", [])]
        assert len(set(numbers)) == len(numbers), question


def test_no_question_is_asked_twice() -> None:
    counts = Counter(cjk_text(question["query"]) for question in QUESTIONS)
    assert [query for query, times in counts.items() if times > 1] == []


def test_the_questions_reach_the_whole_book() -> None:
    chapters = Counter(number[0] for question in QUESTIONS for number in question["needs"])
    assert set(chapters) == set("123456789")


@pytest.mark.real
@pytest.mark.parametrize("lang", BOOKS)
def test_every_number_is_a_rule_of_the_edition(lang: str) -> None:
    (reading,) = readings(BOOKS[lang])
    assert str(reading.key) == FILE["edition"]
    rules = {node.locator for node in reading.nodes if node.kind is Kind.RULE}
    numbers = {number for question in QUESTIONS for number in [*question["needs"], *question.get("also", [])]}
    assert numbers - rules == set()


@pytest.mark.real
def test_no_question_quotes_the_book() -> None:
    book = Phrases(*(read(TEXTS / name).text for name in BOOKS.values()))
    assert [question for question in QUESTIONS if book.quoted_in(question["query"], question["lang"])] == []
