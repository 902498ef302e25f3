"""How a rule's text falls into clauses: table of cases, nothing lost, nothing slow."""

import gc
import tomllib
from time import thread_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.languages import LANGUAGES
from search.answer.clauses import is_long_enough, language_phrases, split_clauses
from tests.support.texts import ROOT

CASES: list[dict[str, Any]] = tomllib.loads((ROOT / "tests" / "cases" / "clauses.toml").read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_clauses(case: dict[str, Any]) -> None:
    text = case["text"]
    parts = [f"{'+' if clause.dependent else ''}{text[clause.start : clause.end]}" for clause in split_clauses(text, case["lang"])]
    assert parts == case["clauses"]


@given(st.text("aB1.。；;!？()（）「」“”\"'\n 、但这This ", max_size=200), st.sampled_from(LANGUAGES))
def test_nothing_is_lost_and_nothing_told_twice(text: str, lang: str) -> None:
    at = 0
    for clause in split_clauses(text, lang):
        assert not text[at : clause.start].strip()
        assert text[clause.start : clause.end].strip() == text[clause.start : clause.end] != ""
        at = clause.end
    assert not text[at:].strip()


@pytest.mark.parametrize(
    ("lang", "text", "only"),
    [
        ("en", "See rule 706, “Ferries.”", True),
        ("en", "(See rules 100.1a and 201.1.)", True),
        ("en", "See to it that the rope is tied. Then leave.", False),
        ("ja", "（参照：ルール100.1）", True),
        ("ja", "沈んだ舟の印は箱に戻します。", False),
        ("zh-Hans", "参见规则614，“渡船”。", True),
        ("zh-Hans", "鹅免费过河。", False),
    ],
)
def test_clauses_that_only_refer_to_other_rules(lang: str, text: str, only: bool) -> None:
    assert bool(language_phrases(lang).references.fullmatch(text)) is only


@pytest.mark.parametrize(
    ("lang", "text", "is_one"),
    [
        ("en", "However, geese do not pay.", True),
        ("en", "This holds without exception: there are no exceptions.", False),
        ("ja", "ただし、夜は除きます。", True),
        ("ja", "積みすぎた舟は沈みます。", False),
        ("zh-Hans", "但夜里除外。", True),
        ("zh-Hans", "除外状态的牌。", False),
    ],
)
def test_exceptions(lang: str, text: str, is_one: bool) -> None:
    said = language_phrases(lang)
    assert (bool(said.exceptions.search(text)) and not said.not_exceptions.search(text)) is is_one


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("Trample", False),
        ("1.", False),
        ("347.1.b.", False),
        ("Geese cross free.", True),
        ("鹅过河。", False),
        ("鹅免费过河。", True),
    ],
)
def test_names_and_numbers_say_too_little(text: str, enough: bool) -> None:
    assert is_long_enough(text) is enough


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["(", "(a. ", "“", "a; ", ". ", "\n", "a\n", "。", "1. ", "(a)\n ", "However, ", ")(", "e.g. "])
def test_the_time_is_linear_in_the_text(unit: str) -> None:
    """Eight times the text takes about eight times the time, never sixty-four; the least of several runs counts."""

    def least(count: int) -> float:
        text, seconds = unit * count, []
        for _ in range(5):
            gc.collect()
            begun = thread_time()
            split_clauses(text, "en")
            seconds.append(thread_time() - begun)
        return min(seconds)

    assert least(8 * 1500) < 24 * max(least(1500), 1e-4)
