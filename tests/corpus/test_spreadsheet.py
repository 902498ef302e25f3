"""Cells that no spreadsheet takes for a formula, and that are read back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.spreadsheet import quote_cell, unquote_cell

FORMULAS = ["=1+1", "+1", "-1/-1 counter", "@SUM(A1)", "\tx", "\r=1", "＝1", "'=1", "''@x"]
PLAIN = ["", "墓地", "’tis", "'tis", "a=1", "1-2", " =1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_cells_like_formulas_are_quoted(text: str) -> None:
    assert quote_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", PLAIN)
def test_all_else_stays(text: str) -> None:
    assert (quote_cell(text), unquote_cell(text)) == (text, text)


@given(st.text(alphabet="'=+-@＝\t\ra", max_size=5))
def test_every_text_comes_back(text: str) -> None:
    assert unquote_cell(quote_cell(text)) == text
