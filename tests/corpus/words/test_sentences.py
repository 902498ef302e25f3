"""Sentences: `tests/cases/sentences.toml` says where each text is cut; nothing but blanks is ever lost."""

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.words.sentences import open_pairs, split_sentences, trimmed

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[2] / "cases" / "sentences.toml").read_text("utf-8"))["text"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_sentences_end_where_they_end(case: dict[str, Any]) -> None:
    parts = case["cut"].split("|")
    text = "".join(parts)
    assert [text[span.start : span.end] for span in split_sentences(text)] == [part.strip() for part in parts]


@given(st.text(alphabet="Ab1 .。！（）「」“”\n", max_size=60))
def test_nothing_but_blanks_is_lost(text: str) -> None:
    spans = split_sentences(text)
    span_text = "".join(text[span.start : span.end] for span in spans)
    assert "".join(span_text.split()) == "".join(text.split())
    assert all(span.end <= other.start for span, other in pairwise(spans))


@pytest.mark.parametrize(
    ("text", "by_line", "depths"),
    [
        ("a(b)c", False, "01100"),
        ("（a「b」）c", False, "1122100"),
        ("(a [b) c]", False, "111110000"),
        ("(a", False, "00"),
        ("a)", False, "00"),
        ("(a\nb)", False, "11110"),
        ("(a\nb)", True, "00000"),
    ],
)
def test_pairs_that_are_open_behind_each_character(text: str, by_line: bool, depths: str) -> None:
    assert "".join(map(str, open_pairs(text, by_line=by_line))) == depths


@pytest.mark.parametrize(("text", "expected"), [("  a b ", "a b"), ("ab", "ab"), ("  ", None)])
def test_a_span_without_the_spaces_at_its_ends(text: str, expected: str | None) -> None:
    span = trimmed(f"x{text}y", 1, len(text) + 1)
    assert (span and f"x{text}y"[slice(*span)]) == expected
