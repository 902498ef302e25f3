"""Matches of words and expressions, in bounded time."""

import unicodedata

import pytest

from corpus.address import EditionKey
from corpus.errors import InputError
from ontology.translation.concordance import (
    MAX_MATCHES,
    JoinedEdition,
    Occurrences,
    TextLine,
    normalise,
    parse_pattern,
    plain_characters,
)
from ontology.translation.passages import ParallelPassage


def fits(query: str, text: str, *, regular: bool = False) -> list[str]:
    pattern = parse_pattern(query, regular=regular)
    return [text[slice(*span)] for span in pattern.find_occurrences(text if regular else normalise(text))]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("ferry", "A Ferry, two FERRIES, no ferryman.", ["Ferry", "FERRIES"]),
        ("river bank", "river  bank, river-bank, riverbank", ["river  bank", "river-bank"]),
        ("10", "10, 100, 10.1, 2.10, (10)", ["10", "10", "10"]),
        ("墓地", "坟墓场、墓地", ["墓地"]),
        ("战场", "戰場・战场", ["戰場", "战场"]),
        ("ＡＰＮＡＰ", "apnap順", ["apnap"]),
        ("{T}", "{T}: draw. {t}", ["{T}", "{t}"]),
        ("+1/+1", "a +1/+1 counter", ["+1/+1"]),
        ("box", "boxes of a box", ["boxes", "box"]),
    ],
)
def test_words_are_found_in_every_form(query: str, text: str, expected: list[str]) -> None:
    assert fits(query, text) == expected


NFD = unicodedata.normalize("NFD", "バトルゾーンとシールド")


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("battlefield", "a battle\ufb01eld, two battle\ufb01elds", ["battle\ufb01eld", "battle\ufb01elds"]),
        ("\ufb02eet", "A fleet.", ["fleet"]),
        ("fi", "the \ufb01 rst", ["\ufb01"]),
        ("バトルゾーン", NFD, [NFD[: NFD.index("と")]]),
        (unicodedata.normalize("NFD", "シールド"), "シールドは", ["シールド"]),
        ("シールド", NFD, [NFD[NFD.index("と") + 1 :]]),
        ("ﾊﾞﾄﾙｿﾞｰﾝ", "各バトルゾーン", ["バトルゾーン"]),
        ("バトルゾーン", "各ﾊﾞﾄﾙｿﾞｰﾝに", ["ﾊﾞﾄﾙｿﾞｰﾝ"]),
        ("S・トリガー", "S･ﾄﾘｶﾞｰ, S・トリガー", ["S･ﾄﾘｶﾞｰ", "S・トリガー"]),
        ("ばとるぞーん", "バトルゾーンとばとるぞーん", ["バトルゾーン", "ばとるぞーん"]),
        ("バトル", "ばとるはバトルである", ["バトル"]),  # only names are typed in hiragana
        ("は", "ハとは", ["は"]),
        ("café", "cafe\u0301 CAFÉ", ["cafe\u0301", "CAFÉ"]),
    ],
)
def test_forms_of_other_length_are_found_where_they_are(query: str, text: str, expected: list[str]) -> None:
    key = EditionKey("ferry", "cr", "1")
    passage = ParallelPassage("r", key, "1", "1", frozenset(), "text", 1, True, {"ja": text}, {"ja": "official"}, {})
    edition = JoinedEdition([TextLine(passage, "ja")])
    occurrences = Occurrences(list(edition.find_occurrences(parse_pattern(query, regular=False)))).occurrences_page(0, 9)
    assert [text[one.span.start : one.span.end] for one in occurrences] == expected


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        (r"six|seven", "Six or seven", ["Six", "seven"]),
        (r"^a \w+", "a goose\nA raft sinks", ["a goose", "A raft"]),
        (r"[^.]+\.", "One.\nTwo. Three", ["One.", "Two."]),
        (r"a.*?z|b", "a\nz b", ["b"]),
        (r"\p{Han}{2}", "渡し舟と船長", ["船長"]),
    ],
)
def test_expressions_fit_within_a_line(query: str, text: str, expected: list[str]) -> None:
    assert fits(query, text, regular=True) == expected


@pytest.mark.parametrize("query", ["(", "a{2000}{2000}", "(?=a)b", r"(a)\1", "a*", "", " ", "a" * 300])
def test_invalid_expressions_are_refused(query: str) -> None:
    with pytest.raises(InputError):
        parse_pattern(query, regular=True)


def test_expressions_that_match_everywhere_are_refused() -> None:
    with pytest.raises(InputError, match="more than"):
        list(parse_pattern(r"\b", regular=True).find_occurrences("a " * MAX_MATCHES))


def test_nested_repetitions_take_no_longer() -> None:
    assert fits(r"(\w+\s?)+;", "row " * 20_000, regular=True) == []


def test_a_text_for_looking_up_knows_its_places() -> None:
    text = "İＡ戰場 „Ferry“ ｶﾞ"
    plain, spans = plain_characters(text)
    assert len(normalise(text)) == len(plain) == len(spans or ())
    assert spans is not None
    assert text[slice(*spans[-1])] == "ｶﾞ"
