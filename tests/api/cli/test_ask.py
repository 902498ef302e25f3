"""`rulestone ask`: what people see, what programs get, and how it ends."""

from pathlib import Path

from tests.support.bodies import fits
from tests.support.commands import call


def test_the_words_with_their_rule(home: Path) -> None:
    ended = call(home, "ask", "order", "of", "cards", "in", "the", "graveyard", "--game", "dm", "--lang", "en")
    assert ended.code == 0
    first, *rest = ended.out.splitlines()
    assert first.startswith("1. “")
    assert any("dm/zones-summary:undated:404" in line and "gloss only" in line for line in rest)
    assert "our own words, unofficial: the book is not loaded" in ended.out


def test_the_body(home: Path) -> None:
    body = call(home, "ask", "墓地の順番", "--game", "dm", "--json").json()
    fits("ask", body)
    assert body["lang"] == "ja"
    assert body["claims"]


def test_an_earlier_edition_says_that_it_is_not_current(home: Path) -> None:
    body = call(home, "ask", "ferry:2020-01-01:101.1", "--json", "--as-of", "2020").json()
    assert body["as_of"] == "2020"
    assert {claim["edition"] for claim in body["claims"]} == {"2020-01-01"}
    assert body["claims"][0]["text"] == "A ferry holds at most five tokens."


def test_differences_between_two_games(home: Path) -> None:
    ended = call(home, "ask", "may I rearrange my graveyard in Magic and Duel Masters", "--lang", "zh")
    assert ended.code == 0
    differs = [line for line in ended.out.splitlines() if line.startswith("≠ ")]
    assert differs
    assert "万智牌" in differs[0]


def test_an_abstention_is_one_line_and_ends_with_1(home: Path) -> None:
    ended = call(home, "ask", "pokemon prize cards")
    assert (ended.code, ended.out.count("\n")) == (1, 1)
    assert "pokemon" in ended.out


def test_bad_input_is_one_line(home: Path) -> None:
    for arguments in (["graveyard", "--game", "chess"], ["graveyard", "--lang", "fr"], ["graveyard", "--as-of", "soon"], [""], []):
        ended = call(home, "ask", *arguments)
        assert (ended.code, ended.out, ended.err.count("\n")) in ((2, "", 1), (1, "", 1))
