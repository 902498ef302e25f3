"""Forms of citations and quotations from public articles: dashes in numbers, brackets in quotations, words of another rule."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulestone import Library
from tests.support.homes import books_alone

KITES = """Kite Yard Book

1. Kites

1.1. Red kites

1.1.1. A red kite must be tied before the blue one.

1.1.1.1. A player may untie one kite.

1.1.1.2. A player must pass the string.

1.1.2. [Glide] lets a kite be moved to the pole of the owner.

1.2. Poles

1.2.1. A pole must stand before a kite is flown.

1.2.2. [Dive] lets a kite fall onto the pole.

1.2.3. Each player ties the string with care.

2. Turns

2.1. Start

2.1.1. A player must count the poles of the yard at the start of a turn.

2.1.2. A player may fly one kite on a turn.

2.1.3. A kite with Glide passes the string of a kite without it.
"""
WHARVES = """Wharf Book

1. Wharves

1-1. Building

1-1-1. A wharf must be built of six planks.

1-1-2. A player may build one wharf on a turn.

1-1-3. A wharf without planks is removed from the river.

1-1-4. The owner of a wharf takes the toll of each boat.

1-2. Boats

1-2-1. A boat may stop at any wharf of the river.

1-2-2. A boat that is full must stop at the next wharf.

1-2-3. Each player must move one boat on a turn.

2. Tolls

2-1. Paying

2-1-1. A player must pay two coins for each boat that stops.

2-1-2. A player who cannot pay must give up the boat.
"""


OARS = """Oar Book

1. Concepts

101. Oars

101.1. An oar is made of ash.

Example: A broken oar that has been glued by its owner is still an oar.

101.1a An oar may be painted once.

101.1b An oar is as long as its owner.

101.1c A painted oar floats beside the boat.

102. Boats

102.1. A boat has two benches and a rudder.

102.2. Each boat carries four rowers and one dog.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("forms")
    with books_alone(), Library.open(folder / "home") as opened:
        for game, book in (("kite", KITES), ("wharf", WHARVES), ("oar", OARS)):
            file = folder / f"{game}.txt"
            file.write_text(book, encoding="utf-8")
            opened.add([file], game=game, edition="2024-01-01", authority="official", lang="en")
        yield opened


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        *((f"Wharf rule 1{dash}1{dash}4 is about tolls.", ["1-1-4"]) for dash in "-\u2010\u2011\u2012\u2013\u2014\u2212\uff0d"),
        ("Wharf rules 1–1–2 and 1–2–1 apply.", ["1-1-2", "1-2-1"]),
        ("Wharf rules 1-1-1–1-1-3 apply.", ["1-1-1", "1-1-2", "1-1-3"]),
        ("Wharf rules 1–1–1～1–1–3 apply.", ["1-1-1", "1-1-2", "1-1-3"]),
        ("Wharf ルール1-1-2～1-1-4", ["1-1-2", "1-1-3", "1-1-4"]),
        ("Wharf ルール１－１－２～１－１－４", ["1-1-2", "1-1-3", "1-1-4"]),
        ("Kite rules 1.1.1–1.1.2 apply.", ["1.1.1", "1.1.2"]),
        ("Kite rules 1.2.1‒1.2.3 apply.", ["1.2.1", "1.2.2", "1.2.3"]),
        ("Oar rules 101.1a/101.1c apply.", ["101.1a", "101.1c"]),
        *((f"Oar rules 101.1a{joint}c apply.", ["101.1a", "101.1c"]) for joint in ("/", ",", ", ", "、", "，", "及")),
        *(
            (f"Oar rules 101.1a{dash}c apply.", ["101.1a", "101.1b", "101.1c"])
            for dash in "-\u2011\u2012\u2013\u2014\u2212\uff0d\uff5e"
        ),
        ("Kite rules 1.2.1～1.2.3 apply.", ["1.2.1", "1.2.2", "1.2.3"]),
    ],
)
def test_a_number_is_read_with_any_dash(library: Library, text: str, cited: list[str]) -> None:
    citations = library.verify(text)["citations"]
    assert [(citation["rule"] or "").rsplit("/", 1)[-1] for citation in citations] == cited
    assert {citation["status"] for citation in citations} == {"exists"}


@pytest.mark.parametrize(
    ("text", "game", "cited"),
    [
        ("1.2.1から1.2.3まで", "kite", ["1.2.1", "1.2.2", "1.2.3"]),
        ("1.2.1至1.2.3", "kite", ["1.2.1", "1.2.2", "1.2.3"]),
        ("Kite: 1.2.1 through 1.2.3", None, ["1.2.1", "1.2.2", "1.2.3"]),
        ("rules from 101.1 to 102.1", "oar", ["101.1", "102.1"]),
        ("Oar rules 101.1a up to and including 101.1c", None, ["101.1a", "101.1b", "101.1c"]),
        ("Oar rules 101.1aないし101.1c", None, ["101.1a", "101.1b", "101.1c"]),
        ("rules 1.2.2–1.2.3 apply", None, ["1.2.2", "1.2.3"]),  # one game has both
        ("It fell from 1.2.1 to 1.2.3.", None, []),
        ("version 1.2.1 to 1.2.3", "kite", []),
        ("101.1 to 102.1 kg", "oar", []),
        ("1.2参照", "kite", ["1.2"]),
        ("詳しくは1.2を参照", "kite", ["1.2"]),
        ("如1.2所述", "kite", ["1.2"]),
        ("參閱1.2", "kite", ["1.2"]),
        ("Kiteの1.2をご参照ください", None, ["1.2"]),
        ("1.9を参照", "kite", []),
        ("図1.2を参照", "kite", []),
        ("1.2を参照", None, []),
    ],
)
def test_ranges_and_references_in_words(library: Library, text: str, game: str | None, cited: list[str]) -> None:
    citations = library.verify(text, game=game)["citations"]
    assert [(citation["rule"] or "").rsplit("/", 1)[-1] for citation in citations] == cited


def test_quoted_words_are_those_of_one_rule_of_a_range(library: Library) -> None:
    citations = library.verify("Kite rules 1.2.1–1.2.3: “Each player ties the string with care.”")["citations"]
    assert [citation["status"] for citation in citations] == ["exists", "exists", "verified"]
    citations = library.verify("Kite rules 1.2.1–1.2.3: “Each player cuts the string with care.”")["citations"]
    assert [citation["status"] for citation in citations] == ["misquoted"] * 3


def test_a_range_over_two_sections_says_that_only_its_ends_were_looked_up(library: Library) -> None:
    ends = library.verify("Kite rules 1.1.2–1.2.2 apply.", lang="en")["citations"]
    note = "1.1.2 and 1.2.2 are in different sections; only these two were looked up"
    assert [(citation["status"], citation["note"]) for citation in ends] == [("exists", note)] * 2
    assert {citation["note"] for citation in library.verify("Kite rules 1.2.1–1.2.3 apply.", lang="en")["citations"]} == {None}


@pytest.mark.parametrize("text", ["Wharf rules 1\u20111\u20114 and 1\u20131\u20131.", "Wharf rule １－１－４."])
def test_a_copy_keeps_the_dashes_of_unchanged_numbers(library: Library, text: str) -> None:
    assert library.apply_fixes(text, library.verify(text)) == text


@pytest.mark.parametrize(
    ("quoted", "status"),
    [
        ("[Glide] lets a kite be moved to the pole of [its] owner.", "unchecked"),
        ("lets a kite be moved to the pole of [its] owner.", "unchecked"),
        ("[Dive] lets a kite be moved to the pole of [its] owner.", "misquoted"),
        ("[It] lets a kite be moved to the pole of the owner.", "misquoted"),
        ("[Glide] lets a kite be moved to the bank of [its] owner.", "misquoted"),
        ("[Glide] does [not] let a kite be moved to the pole of [its] owner.", "misquoted"),
    ],
)
def test_each_bracket_is_the_rules_or_an_editors(library: Library, quoted: str, status: str) -> None:
    [citation] = library.verify(f"Kite rule 1.1.2: “{quoted}”")["citations"]
    assert citation["status"] == status
    if citation["quote"] and citation["quote"]["nearest"]:
        assert citation["quote"]["nearest"].count("[") == citation["quote"]["nearest"].count("]")


@pytest.mark.parametrize(
    ("rule", "quoted", "status"),
    [
        ("Kite rule 2.1.3", "A kite with [Glide] passes the string", "verified"),
        ("Kite rule 2.1.3", "A kite with [Dive] passes the string", "misquoted"),  # a title of the book
        ("Kite rule 2.1.3", "A kite with [this word] passes [a] string", "unchecked"),
        ("Kite rule 2.1.3", "A kite with [Dive] passes [a] string", "misquoted"),
        ("Kite rule 2.1.3", "passes the string of a kite without [Glide]", "verified"),
        ("Kite rule 2.1.3", "A kite with [Blocker] passes the string", "unchecked"),  # of no concept or title: an editor's word
        ("Kite rule 2.1.3", "A kite with [this word] [loses] the string", "unchecked"),
    ],
)
def test_a_term_in_an_editors_bracket_is_compared(library: Library, rule: str, quoted: str, status: str) -> None:
    [citation] = library.verify(f"{rule}: “{quoted}”")["citations"]
    assert citation["status"] == status


@pytest.mark.parametrize(
    ("cited", "words", "source"),
    [
        ("1.1.1.1", "A player must pass the string.", "1.1.1.2"),
        ("1.1.1.1", "A red kite must be tied before the blue one.", "1.1.1"),
        ("1.1.1.1", "A pole must stand before a kite is flown.", "1.2.1"),
        ("1.2.2", "A player must count the poles of the yard at the start of a turn.", "2.1.1"),
    ],
)
def test_the_rule_that_has_the_misquoted_words_is_named(library: Library, cited: str, words: str, source: str) -> None:
    [citation] = library.verify(f"Kite rule {cited} says “{words}”", lang="en")["citations"]
    assert citation["status"] == "misquoted"
    assert citation["note"] == f"these are the words of {source} in kite/cr/2024-01-01"


@pytest.mark.parametrize(
    ("cited", "words", "status", "note"),
    [
        (
            "101.1b",
            "A broken oar that has been glued by its owner",
            "misquoted",
            "these are the words of 101.1 in oar/cr/2024-01-01",
        ),
        (
            *("101.1d", "A broken oar that has been glued by its owner", "not_found"),
            "2024-01-01 has no rule 101.1d; these are the words of 101.1",
        ),
        ("101.1", "A painted oar floats beside the boat", "verified", "these are the words of 101.1c, a part of 101.1"),
        ("101.1", "A broken oar that has been glued by its owner", "verified", None),
        ("101.1c", "A painted oar floats beside the boat", "verified", None),
    ],
)
def test_examples_and_parts_are_named(library: Library, cited: str, words: str, status: str, note: str | None) -> None:
    [citation] = library.verify(f"Oar rule {cited} says “{words}”.", lang="en")["citations"]
    assert (citation["status"], citation["note"]) == (status, note)
