"""Texts without any letter but a to z are cut in another way than the rest, and into the same words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.words import tokens as tokens_module
from corpus.words.lexicon import Lexicon
from corpus.words.tokens import Token, _latin_tokens, _mixed_tokens, stem, terms, words


@pytest.mark.parametrize(
    ("text", "norms"),
    [
        ("the Owner’s Graveyards", ["the", "owner", "graveyard"]),
        ("400.7d, see 116.2A—then", ["400.7d", "see", "116.2a", "then"]),
        ("12st's it's ITS", ["12st", "s", "it", "it"]),
        ("y？？\u1dc2？a \u05b0 b", ["y", "a", "b"]),  # marks without a letter to stand on
    ],
)
def test_words_of_latin_script(text: str, norms: list[str]) -> None:
    assert [token.norm for token in words(text)] == norms


@given(st.text(alphabet="aBsS'’.-14\n\t/,;()–“ xK&=", max_size=20))
def test_both_ways_cut_alike(text: str) -> None:
    assert list(_latin_tokens(text, stem)) == _mixed_tokens(text, stem)


@given(st.text(max_size=40))
def test_every_word_has_a_form_to_match(text: str) -> None:
    assert all(token.norm for token in words(text))
    assert all(terms(words(text)))


def test_where_a_stop_stands_before_a_word_it_opens() -> None:
    assert list(words("Deck. Hand")) == [Token("deck", 0, 4), Token("hand", 6, 10, opens=True)]


def test_an_extended_lexicon_is_one_of_all_labels_and_leaves_the_first_as_it_was() -> None:
    first, more = (
        [("ferry", "a"), ("船倉", "hold"), ("pier", "")],
        [("Ferries", "b"), ("pier", "c"), ("open water", "d"), ("…", "e")],
    )
    lexicon = Lexicon(first)
    before = lexicon.rows()
    assert lexicon.extended(more).rows() == Lexicon([*first, *more]).rows() != before
    assert lexicon.rows() == before


def test_words_that_somebody_makes_up_are_not_kept_for_good() -> None:
    assert stem("libraries" + "s" * 100) == stem("libraries" + "s" * 100)
    before = tokens_module._cached_stem.cache_info()
    assert before.maxsize is not None
    for nth in range(100):
        stem(f"{'zy' * 40}{nth}ed")
    assert tokens_module._cached_stem.cache_info().currsize == before.currsize
