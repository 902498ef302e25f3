"""The judges' questions about whole books: each is well formed, asks in its own words and names rules that the book has."""

import tomllib
from collections import Counter
from typing import Any

import pytest

from bench.digest.copies import cjk_text
from bench.search.topics import BOOKS, JUDGES_FOLDER, LANGUAGES, MEASURE, TEACH, judge_questions
from corpus.model import HEADING_KINDS
from ingest.read.document import read
from tests.support.quotes import Phrases
from tests.support.texts import TEXTS, readings

FILES = {
    "riftbound": "riftbound/core_rules.2026-07-16.en.txt",
    "digimon": "digimon/comprehensive_rules.2026-08-18.en.md",
    "gundam": "gundam/comprehensive_rules.2024-11-29.en.md",
    "lorcana": "lorcana/comprehensive_rules.2026-04-30.en.txt",
}
"""The books whose questions are compared with them."""


def questions(game: str) -> list[dict[str, Any]]:
    """All questions of a game's file."""
    rows: list[dict[str, Any]] = tomllib.loads((JUDGES_FOLDER / f"{game}.toml").read_text("utf-8"))["question"]
    return rows


def test_every_file_of_questions_is_asked() -> None:
    assert {file.stem for file in JUDGES_FOLDER.glob("*.toml")} == {*BOOKS, "unanswerable"}


@pytest.mark.parametrize("game", BOOKS)
def test_every_question_is_well_formed(game: str) -> None:
    rows = questions(game)
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["id"].startswith(f"{game}-") and row["kind"] in {"short", "situation", "slang"} and row["topic"], row
        assert all(row[lang] == row[lang].strip() != "" for lang in LANGUAGES), row
        numbers = [*row["needs"], *row["also"]]
        assert 1 <= len(row["needs"]) <= 3 and len(set(numbers)) == len(numbers), row


@pytest.mark.parametrize("game", BOOKS)
def test_no_question_is_asked_twice(game: str) -> None:
    times = Counter(cjk_text(row[lang]) for row in questions(game) for lang in LANGUAGES)
    assert [question for question, count in times.items() if count > 1] == []


@pytest.mark.parametrize("game", BOOKS)
def test_both_halves_have_every_kind(game: str) -> None:
    for half in (TEACH, MEASURE):
        assert {topic.kind for topic in judge_questions(half, [game])} == {"short", "situation", "slang"}


@pytest.mark.real
@pytest.mark.parametrize("game", FILES)
def test_every_number_is_a_rule_of_the_book(game: str) -> None:
    (reading,) = readings(FILES[game])
    rules = {node.locator for node in reading.nodes if node.kind not in HEADING_KINDS}
    assert {number for row in questions(game) for number in [*row["needs"], *row["also"]]} - rules == set()


@pytest.mark.real
@pytest.mark.parametrize("game", FILES)
def test_no_question_quotes_the_book(game: str) -> None:
    book = Phrases(read(TEXTS / FILES[game]).text)
    assert [row for row in questions(game) if book.quoted_in(row["en"], "en")] == []
