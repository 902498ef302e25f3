"""Slips of the finger: which word is meant, when two may be, and what is not mistyped."""

from typing import cast

import pytest

from corpus.words.lexicon import Lexicon
from search.index.bm25 import Vocabulary
from search.index.spelling import Correction, Spelling, is_likely, is_unambiguous
from search.query.query import understand
from search.searcher import Request, Searcher

COUNTS = {
    "legend": 40,
    "lean": 2,
    "sick": 30,
    "prioriti": 90,
    "trampl": 20,
    "trample": 1,
    "regener": 12,
    "counter": 50,
    "count": 45,
    "ferri": 9,
    "tap": 30,
    "ab": 5,
    "c:hand": 9,
    "planeswalk": 7,
    "refer": 99,
    "token": 60,
}
"""Stem → passages with it."""


@pytest.fixture(scope="module")
def spelling() -> Spelling:
    return Spelling(COUNTS, lambda term: COUNTS.get(term, 0))


@pytest.mark.parametrize(
    ("typed", "word", "term"),
    [
        ("legned", "legend", "legend"),  # two letters swapped are one typo; leaned is rarer
        ("sicknes", "sickness", "sick"),
        ("priorty", "priority", "prioriti"),
        ("tramlpe", "trample", "trampl"),
        ("regenrate", "regenerate", "regener"),  # fewer typos than in the frequent "referate"
        ("tokne", "token", "token"),
        ("planeswlaekr", "planeswalker", "planeswalk"),  # a long word may contain two
        ("feries", "ferries", "ferri"),
        ("tappd", "tapped", "tap"),
    ],
)
def test_a_mistyped_word_is_the_nearest_that_rules_use(spelling: Spelling, typed: str, word: str, term: str) -> None:
    first = spelling.corrections(typed)[0]
    assert (first.word, first.term) == (word, term)


@pytest.mark.parametrize("typed", ["quixotic", "xegend", "lgndee", "ac"])
def test_words_without_similar_words_are_not_corrected(spelling: Spelling, typed: str) -> None:
    assert spelling.corrections(typed) == []


@pytest.mark.parametrize(("typed", "clear"), [("legned", True), ("coumter", True), ("counterd", False), ("quixotic", True)])
def test_two_words_may_be_meant_if_both_are_near_and_frequent(spelling: Spelling, typed: str, clear: bool) -> None:
    assert is_unambiguous(spelling.corrections(typed)) is clear


@pytest.mark.parametrize(
    ("typed", "word", "likely"),
    [
        ("ropes", "roles", False),
        ("hnad", "hand", True),
        ("damge", "damage", True),
        ("traple", "trample", True),
        ("summen", "summon", True),
    ],
)
def test_a_short_word_with_another_letter_is_another_word(typed: str, word: str, likely: bool) -> None:
    assert is_likely(typed, Correction(word, word, 1, 9)) is likely


@pytest.mark.parametrize(
    ("query", "corrected", "term"),
    [
        ("gravyard ordr", {"gravyard": "graveyard", "ordr": "order"}, "c:graveyard"),
        ("my hnad at the end", {"hnad": "hand"}, "hand"),
        ("shufle the libary", {"shufle": "shuffle", "libary": "library"}, "librari"),
        ("Who owns the grave of Zorbulon", {}, "zorbulon"),
        ("Can Gravyard Fiend attack", {}, "gravyard"),  # a capital inside a sentence: a name
    ],
)
def test_the_words_of_a_question_are_corrected_and_told(
    digest_searcher: Searcher, query: str, corrected: dict[str, str], term: str
) -> None:
    interpretation = digest_searcher.understand(Request(query))
    assert dict(interpretation.corrected) == corrected
    assert term in interpretation.terms


class Words:
    """A vocabulary in which *lean* is more frequent than *legend*."""

    def __init__(self) -> None:
        self.terms = {"lean": 400, "legend": 40, "rule": 90}
        self.spelling = Spelling(self.terms, lambda term: self.terms.get(term, 0))


@pytest.mark.parametrize(
    ("query", "meant"), [("legned rule", "legend"), ("the legned rule", "legend"), ("legned", "leaned"), ("rule legned", "leaned")]
)
def test_a_phrase_of_a_concept_wins_over_a_more_frequent_word(query: str, meant: str) -> None:
    lexicon = Lexicon([("legend rule", "mtg legend-rule")])
    interpretation = understand(query, lexicon, cast(Vocabulary, Words()))
    assert dict(interpretation.corrected) == {"legned": meant}
    assert interpretation.concepts == (("legend-rule",) if meant == "legend" else ())


def test_the_encoders_read_the_corrected_words(digest_searcher: Searcher) -> None:
    assert digest_searcher.understand(Request("who orders my gravyard")).encoder_text == "who orders my graveyard"
