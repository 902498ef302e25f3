"""Dates in questions: one that names an edition is its date, any other changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.editions.citations.dating import edition_date_in
from rulestone import Library
from tests.support.homes import books_alone, put_two


@pytest.mark.parametrize(
    ("question", "when"),
    [
        ("may I row in the rules of February 2025", "2025-02"),
        ("what do the 2021 rules say about ferries", "2021"),
        ("as of 2024-06-07, may I row?", "2024-06-07"),
        ("how many in the March 2019 edition", "2019-03"),
        ("2024年時点で漕げますか", "2024"),
        ("2019年のルールで積める印は", "2019"),
        ("2025年2月的规则里可以划船吗", "2025-02"),
        ("根据2024年的规则", "2024"),
        ("was this legal in 2024", None),
        ("I bought a card on 2024-05-06, is it legal", None),
        ("in the 2024 world championship", None),
        ("between the rules of 2020 and the rules of 2024", None),
        ("rules of 2024-13-45", None),
        ("a deck of 2024 cards", None),
    ],
)
def test_a_date_that_names_an_edition(question: str, when: str | None) -> None:
    found = edition_date_in(question)
    assert (found.when if found else None) == when


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An edition of 2020 with five tokens, and one of 2021 with six."""
    home: Path = tmp_path_factory.mktemp("dates") / "home"
    with books_alone():
        put_two(home)
        with Library.open(home) as opened:
            yield opened


@pytest.mark.parametrize(
    ("question", "as_of", "given", "tokens"),
    [
        ("how many tokens does a ferry hold", None, None, "six"),
        ("how many tokens does a ferry hold in the rules of 2020", None, "2020", "five"),
        ("2020年時点で how many tokens does a ferry hold", None, "2020", "five"),
        ("how many tokens does a ferry hold in the rules of 2020", "2022", "2022", "six"),
        ("how many tokens did a ferry hold in 2020", None, None, "six"),
    ],
)
def test_the_edition_of_that_date_answers(
    library: Library, question: str, as_of: str | None, given: str | None, tokens: str
) -> None:
    body = library.ask(question, games="ferry", as_of=as_of)
    assert (body["query"], body["as_of"]) == (question, given)
    assert f"{tokens} tokens" in body["claims"][0]["text"]


def test_a_date_before_every_edition_is_said(library: Library) -> None:
    body = library.ask("how many tokens does a ferry hold in the rules of 2015", games="ferry", lang="en")
    assert body["abstained"]
    assert "from that date or before" in (body["reason"] or "")
