"""The calibration questions: they name real rules, stand apart from the digest's questions and from the evaluation set."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.search.topics import ANSWERABLE, MEASURE, calibration_questions, judge_questions
from corpus.digest import digests
from corpus.languages import LANGUAGES
from corpus.words.text import fold_text
from tests.support.quotes import asked_of, copies, evaluation_queries
from tests.support.texts import QUERIES

BOOK_QUESTIONS = tuple(calibration_questions())
"""The questions about whole books."""
BOOK_KINDS = {ANSWERABLE, "other-game", "other-topic", "policy", "prices", "nonsense"}
QUESTIONS = tomllib.loads((Path(__file__).parents[2] / "bench" / "search" / "abstention.toml").read_text("utf-8"))
KINDS: tuple[str, ...] = ("unanswerable", "answerable")
WHY = {"other-game", "other-topic", "no-rules-question"}
FIELDS: dict[str, set[str]] = {
    "unanswerable": {"query", "lang", "why"},
    "answerable": {"query", "lang", "game", "locator"},
}


def rows() -> list[dict[str, Any]]:
    return [row for kind in KINDS for row in QUESTIONS[kind]]


def all_queries() -> list[str]:
    return [*(row["query"] for row in rows()), *(question.query for question in BOOK_QUESTIONS)]


def plain(query: str) -> str:
    """The letters and digits alone: two questions that differ in a comma are one."""
    return "".join(character for character in fold_text(query) if character.isalnum())


def glossed() -> set[str]:
    return {f"{digest.key.game}:{gloss.locator}" for digest in digests() for gloss in digest.glosses if not gloss.heading}


@pytest.mark.parametrize("kind", KINDS)
def test_every_question_has_its_fields_and_a_known_language(kind: str) -> None:
    for row in QUESTIONS[kind]:
        assert FIELDS[kind] <= set(row) <= FIELDS[kind] | {"edition", "also"}, row
        assert row["query"].strip(), row
        assert row["lang"] in LANGUAGES, row
        assert row.get("why", "other-topic") in WHY, row


def test_every_question_about_whole_books_has_a_known_kind_and_language() -> None:
    for question in BOOK_QUESTIONS:
        assert question.kind in BOOK_KINDS and question.lang in LANGUAGES, question
        assert question.query == question.query.strip() != "", question


def test_no_question_about_whole_books_is_one_of_the_judges_held_out() -> None:
    held_out = {plain(topic.query) for topic in judge_questions(MEASURE)}
    assert [question.query for question in BOOK_QUESTIONS if plain(question.query) in held_out] == []


def test_every_answer_is_a_rule_of_the_digest() -> None:
    known = glossed()
    refs = {f"{row['game']}:{row['locator']}" for row in QUESTIONS["answerable"]}
    refs |= {ref for row in QUESTIONS["answerable"] for ref in row.get("also", ())}
    assert refs - known == set()


def test_the_answers_are_spread_evenly_over_the_digest() -> None:
    files = {f"{digest.key.game}:{gloss.locator}": digest.key for digest in digests() for gloss in digest.glosses}
    counts = Counter(files[f"{row['game']}:{row['locator']}"] for row in QUESTIONS["answerable"])
    assert len(counts) == len(digests())
    assert max(counts.values()) <= 1.25 * min(counts.values()), counts


def test_no_question_is_asked_twice_or_by_the_digest() -> None:
    queries = Counter(plain(query) for query in all_queries())
    assert [query for query, times in queries.items() if times > 1] == []
    assert sorted(set(queries) & set(map(plain, asked_of(digests())))) == []


def test_no_answerable_question_is_one_of_the_digest_in_other_clothes() -> None:
    assert copies((row["query"] for row in QUESTIONS["answerable"]), asked_of(digests())) == []


@pytest.mark.real
@pytest.mark.skipif(not QUERIES.is_file(), reason=f"no evaluation queries at {QUERIES}")
def test_no_question_is_a_query_of_the_evaluation_set() -> None:
    assert copies(all_queries(), evaluation_queries()) == []
