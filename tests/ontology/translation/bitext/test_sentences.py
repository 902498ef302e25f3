"""Sentences: `tests/cases/sentences.toml` says where each text is cut; nothing but blanks is ever lost."""

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.translation.sentences import split_sentences

CASES: list[dict[str, Any]] = tomllib.loads((Path(__file__).parents[3] / "cases" / "sentences.toml").read_text("utf-8"))["text"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_sentences_end_where_they_end(case: dict[str, Any]) -> None:
    parts = case["cut"].split("|")
    text = "".join(parts)
    assert [text[span.start : span.end] for span in split_sentences(text)] == [part.strip() for part in parts]


@given(st.text(alphabet="Ab1 .。！（）「」“”\n", max_size=60))
def test_nothing_but_blanks_is_lost(text: str) -> None:
    spans = split_sentences(text)
    kept = "".join(text[span.start : span.end] for span in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(span.end <= other.start for span, other in pairwise(spans))
