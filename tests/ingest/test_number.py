"""Which numbers open a rule: tables over invented texts, and properties of locators."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.catalogue import catalogue
from corpus.reference import fold_number
from ingest.number_format import number_key, opening_pattern
from tests.support.ferrymen import faults, locators, parsed

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "number.toml").read_text("utf-8"))["case"]
HUNDREDS = catalogue().grammars["hundreds"]
WIDE = str.maketrans("0123456789.-", "０１２３４５６７８９．－")
NUMBERS = {
    "hundreds": st.from_regex(r"[1-9][0-9][0-9]\.[1-9][0-9]?([a-z]|a[a-z])?", fullmatch=True),
    "full-hundreds": st.from_regex(r"[1-9][0-9][0-9]\.[1-9][a-z](-[1-9])?", fullmatch=True),
    "dashed": st.from_regex(r"[1-9](-[1-9][0-9]?){2,5}", fullmatch=True),
    "dotted": st.from_regex(r"[1-9](\.[1-9][0-9]?){2,5}", fullmatch=True),
    "letters-as-levels": st.from_regex(r"0[0-9][0-9]\.[1-9]\.[a-z]\.[1-9]", fullmatch=True),
}
BOOK_NUMBERS = st.sampled_from(sorted(NUMBERS)).flatmap(lambda slug: st.tuples(st.just(slug), NUMBERS[slug]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_numbers_that_open_a_rule(case: dict[str, Any]) -> None:
    reading = parsed(case["text"], case["grammar"], case.get("lang", "en"), case.get("media", "text"))
    assert locators(reading) == case["locators"].split()
    assert faults(case["text"], [reading]) == []


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("400.3b", "400.3b"),
        ("４００．３Ｂ．", "400.3b"),
        ("200.3C", "200.3c"),
        ("701.23 b", "701.23b"),
        ("319.5a-1.", "319.5a-1"),
        ("1-3-5-1.", "1-3-5-1"),
        ("8.4.", "8.4"),
        ("704.5AA", "704.5aa"),
        ("053.3.a.", "053.3.a"),
    ],
)
def test_a_printed_number_folds_to_its_locator(printed: str, expected: str) -> None:
    assert fold_number(printed) == expected


@given(BOOK_NUMBERS, st.booleans(), st.booleans(), st.booleans())
def test_every_way_of_printing_a_number_gives_one_locator(number: tuple[str, str], wide: bool, dot: bool, upper: bool) -> None:
    slug, locator = number
    printed = locator.upper() if upper else locator
    printed = printed.translate(WIDE) if wide else printed
    printed += ("．" if wide else ".") if dot else ""
    assert fold_number(printed) == locator
    match = opening_pattern(catalogue().grammars[slug]).match(f"{fold_number(printed)}{'.' if dot else ''} Water flows.")
    assert match is not None
    assert match[0].rstrip(".") == locator


@given(BOOK_NUMBERS)
def test_folding_twice_is_folding_once(number: tuple[str, str]) -> None:
    assert fold_number(fold_number(number[1])) == fold_number(number[1])


def test_letters_count_on_from_z_to_aa() -> None:
    keys = [number_key(f"704.5{letters}", HUNDREDS) for letters in ("a", "k", "m", "z", "aa", "ab", "az", "ba")]
    assert keys == sorted(set(keys))
