"""Dates in questions: one that names an edition is its date, any other changes nothing."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.editions.citations.dating import edition_date_in
from rulestone import Library
from tests.support.homes import books_alone, put_languages, put_two
from tests.support.texts import ROOT

KEYWORDS = tomllib.loads((ROOT / "tests/cases/definitions.toml").read_text(encoding="utf-8"))


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
        ("before the 2024 rules, could I row", None),
        ("since the rules of 2024, may I row", None),
        ("could I row until the 2020 rules", None),
        ("what changed since the 2024 rules", None),
        ("what changed with the release of the 2024 rules", "2024"),
        ("what changed after the release of the 2024 rules", None),
        ("what changed between the 2020 and the 2024 rules", None),
        ("does it still work compared to the 2020 rules", None),
        ("does it end after a crossing in the 2020 rules", "2020"),
        ("according to the 2020 rules, may I row", "2020"),
        ("are cards from the 2024 edition set legal?", None),
        ("is the 2022 edition promo card legal in the current rules", None),
        ("is the 2022 edition promo card legal", None),
        ("is my card of the 2022 edition legal", None),
        ("by the 2020 rules or under the current rules", None),
        ("may the current player row in the rules of 2020", "2020"),
        ("in the 2022 edition may I row", "2022"),
        ("in the 2022 edition of ferry may I row", "2022"),
        ("2024版のカードは使えますか", None),
        ("2024年版の再録カードは使えますか", None),
        ("2024年のルール以降、漕げますか", None),
        ("2024年のルールの前は漕げましたか", None),
        ("2024年版から何が変わりましたか", None),
        ("2024年のルールは現在のルールと違いますか", None),
        ("2024年のルールによると漕げますか", "2024"),
        ("2024年版のルールでカードは引けますか", "2024"),
        ("2024年的规则之前可以划船吗", None),
        ("自2024年的规则以来有什么变化", None),
        ("2024年的规则以后可以划船吗", None),
        ("从2024年的规则到现在", None),
        ("截至2024年3月的规则", "2024-03"),
        ("2024版的卡能用吗", None),
        ("2022年版的卡在现行规则里合法吗", None),
        ("在2024版规则里，卡可以用吗", "2024"),
    ],
)
def test_a_date_that_names_an_edition(question: str, when: str | None) -> None:
    mention = edition_date_in(question)
    assert (mention.when if mention else None) == when


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An edition of 2020 with five tokens, and one of 2021 with six."""
    home: Path = tmp_path_factory.mktemp("dates") / "home"
    with books_alone():
        put_two(home)
        with Library.open(home) as opened:
            yield opened


@pytest.mark.parametrize(
    ("question", "as_of", "expected", "tokens"),
    [
        ("how many tokens does a ferry hold", None, None, "six"),
        ("how many tokens does a ferry hold in the rules of 2020", None, "2020", "five"),
        ("2020年時点で how many tokens does a ferry hold", None, "2020", "five"),
        ("how many tokens does a ferry hold in the rules of 2020", "2022", "2022", "six"),
        ("how many tokens did a ferry hold in 2020", None, None, "six"),
    ],
)
def test_the_edition_of_that_date_answers(
    library: Library, question: str, as_of: str | None, expected: str | None, tokens: str
) -> None:
    body = library.ask(question, games="ferry", as_of=as_of)
    assert (body["query"], body["as_of"]) == (question, expected)
    assert f"{tokens} tokens" in body["claims"][0]["text"]


def test_a_date_before_every_edition_is_said(library: Library) -> None:
    body = library.ask("how many tokens does a ferry hold in the rules of 2015", games="ferry", lang="en")
    assert body["abstained"]
    assert "from that date or before" in (body["reason"] or "")


@pytest.fixture(scope="module")
def keywords(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An edition of 2020 that only defines drift, one of 2021 that defines mooring too, and one of 2024 with other words."""
    home: Path = tmp_path_factory.mktemp("keywords") / "home"
    texts = {lang: KEYWORDS[lang] for lang in ("en", "ja", "zh-Hans")}
    lines = texts["en"].splitlines()
    with books_alone():
        put_languages(home, {"en": "\n".join(line for line in lines if not line.startswith("701.2"))}, "2020-01-01")
        put_languages(home, texts, "2021-01-01")
        put_languages(home, {lang: text.replace("701.", "702.") for lang, text in texts.items()}, "2024-01-01")
        with Library.open(home) as opened:
            yield opened


@pytest.mark.parametrize(
    ("as_of", "defined"),
    [("2020", {"701.1a"}), ("2021", {"701.1a", "701.2a"}), (None, {"702.1a", "702.2a"})],
)
def test_a_comparison_has_the_definitions_of_its_date(keywords: Library, as_of: str | None, defined: set[str]) -> None:
    claims = keywords.ask("drift vs moor", games="ferry", as_of=as_of)["claims"]
    assert {claim["locator"] for claim in claims if claim["locator"].startswith("70")} == defined


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("what is drift in the rules of 2021", "what is drift"),
        ("What is drift under the 2021 rules?", "What is drift?"),
        ("As of the 2021 edition, what is drift?", "what is drift?"),
        ("what is drift (2021 rules)", "what is drift"),
        ("what is drift, according to the 2021 edition of the rules?", "what is drift"),
        ("difference between drift and moor in the rules of 2021", "difference between drift and moor"),
        ("by the rules of 2021, drift vs moor", "drift vs moor"),
        ("2021年のルールで漂流とは何ですか", "漂流とは何ですか"),
        ("2021年のルールでは、漂流とは", "漂流とは"),
        ("2021年のルール下では漂流とは", "漂流とは"),
        ("2021年時点のルールの漂流とは何ですか", "漂流とは何ですか"),
        ("2021年のルールにおける漂流と係留の違い", "漂流と係留の違い"),
        ("漂流と係留の違いは、2021年版では?", "漂流と係留の違いは"),
        ("2021年的规则里漂流是什么", "漂流是什么"),
        ("在2021年的规则中，漂流是什么？", "漂流是什么？"),
        ("根据2021年的规则，漂流和靠泊的区别", "漂流和靠泊的区别"),
        ("在2021版规则里漂流和靠泊的区别", "漂流和靠泊的区别"),
    ],
)
def test_the_question_without_its_date_is_answered(keywords: Library, question: str, plain: str) -> None:
    dated, expected = keywords.ask(question, games="ferry"), keywords.ask(plain, games="ferry", as_of="2021")
    assert (dated["as_of"], dated["reason"], dated["claims"]) == ("2021", expected["reason"], expected["claims"])
    assert dated["claims"] or "between" in plain  # words without a rule that has them
