"""Words beside a citation that are about another rule: `fit`, and the rule that fits better."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.sarif import verification_log
from rulestone import Library
from tests.support.homes import books_alone

BOOK = """Kite Yard Book

1. Game Concepts

101. General

101.1. The game is played in a yard by two flyers.

101.2. Each flyer brings a kite, a reel of string and a bell.

102. Ending the Game

102.1. The game is over when the last kite has landed.

102.2. A flyer whose reel is empty must leave the yard.

2. Gifts

201. Gifts of the Wind

201.1. Gliding

201.1a A gliding kite may cross the yard without its tail.

201.1b A second gliding tail on the same kite is useless.

201.2. Diving

201.2a A diving kite falls onto the nearest pole and breaks its frame.

201.2b Whoever breaks a frame pays the carpenter at dusk.
{more}
202. Gifts of the Rope

202.1. Tangle

202.1a Tangle lets a flyer knot two strings of neighbouring kites.

202.2. Anchor

202.2a Anchor keeps a kite above its pole until the bell has rung.

3. Turns

301. Dawn

301.1. At dawn every flyer unwinds the string and counts the knots.

301.2. Nobody may ring the bell while knots are counted.
"""
WHIRLING = """
201.3. Whirling

201.3a A whirling kite turns the weather vane once.
"""


def _book(*, with_whirling: bool) -> str:
    """The earlier edition has Whirling before Diving, so that Diving has another number."""
    text = BOOK.format(more="")
    if not with_whirling:
        return text
    moved = text.replace("201.2", "201.3")
    return moved.replace("201.3. Diving", WHIRLING.replace("201.3", "201.2").strip() + "\n\n201.3. Diving")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("fit")
    with books_alone(), Library.open(folder / "home") as opened:
        for edition, earlier in (("2023-01-01", True), ("2025-01-01", False)):
            file = folder / f"kite.{edition}.txt"
            file.write_text(_book(with_whirling=earlier), encoding="utf-8")
            opened.add([file], game="kite", edition=edition, authority="official", lang="en")
        yield opened


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("Diving (201.1) is dangerous.", "201.2"),
        ("See rule 201.1 for diving.", "201.2"),
        ("Rule 201.1, “Diving”, matters here.", "201.2"),
        ("- 202.1 – Anchor", "202.2"),
        ("202.1. Anchor", "202.2"),
        ("A kite with tangle is tied to the others, rule 202.2a.", "202.1"),
        ("Whoever breaks a frame has to pay the carpenter at dusk (rule 102.2).", "201.2b"),
    ],
)
def test_words_about_another_rule_are_doubtful(library: Library, text: str, better: str) -> None:
    [citation] = library.verify(text, game="kite", lang="en")["citations"]
    assert (citation["status"], citation["fit"]) == ("exists", "doubtful")
    assert (citation["fits_better"] or "").rsplit("/", 1)[-1] == better
    assert "the words beside it are about " + better in (citation["note"] or "")


@pytest.mark.parametrize(
    "text",
    [
        "Diving (201.2) is dangerous.",
        "202.2a: “Anchor keeps a kite above its pole until the bell has rung” and 301.1",
        "Rule 201.2a says “A diving kite falls onto the nearest pole and breaks its frame”, whatever 202.1a says.",
        "Rule 201.2b is about diving kites.",
        "Rule 201.1, “Gliding”, and rule 201.2, “Diving”, matter here.",
        "At dawn every flyer unwinds the string and counts all knots (rule 301.1).",
        "Whoever loses must leave (rule 102.2), says the steward.",
        "See rules 201.1 and 201.2 for diving.",
        "The answer is rule 102.2.",
        "I learned it from the carpenter yesterday, and rule 202.1 surprised me a lot.",
    ],
)
def test_right_and_bare_citations_are_not_doubtful(library: Library, text: str) -> None:
    assert "doubtful" not in {citation["fit"] for citation in library.verify(text, game="kite")["citations"]}


def test_a_quotation_is_compared_and_never_doubted(library: Library) -> None:
    [citation] = library.verify("Diving: rule 201.1a says “A gliding kite may cross the yard without its tail”.", game="kite")[
        "citations"
    ]
    assert (citation["status"], citation["fit"], citation["fits_better"]) == ("verified", None, None)


def test_the_edition_in_which_the_number_was_right_is_named(library: Library) -> None:
    [citation] = library.verify("Diving (201.3) is dangerous. Rule 201.3 again.", game="kite", as_of="2025-01-01")["citations"][:1]
    assert citation["status"] == "not_found"
    [citation] = library.verify("Whirling (201.2) turns the vane.", game="kite", as_of="2025-01-01", lang="en")["citations"]
    assert citation["fit"] is None  # no rule of that edition has the title
    [citation] = library.verify("Diving (201.2) is dangerous.", game="kite", as_of="2023-01-01", lang="en")["citations"]
    assert citation["fit"] == "doubtful"
    assert (citation["note"] or "").endswith("the words beside it are about 201.3 Diving, which is 201.2 in 2025-01-01")


def test_between_two_editions_the_words_choose(library: Library) -> None:
    def cited(text: str) -> tuple[str, str | None]:
        [citation] = library.verify(text, game="kite", as_of="2024-05-05", lang="en")["citations"]
        return citation["status"], citation["fits_better"] and "/".join(citation["fits_better"].split("/")[-2:])

    assert cited("Diving (201.2) is dangerous.") == ("unchecked", "2025-01-01/201.2")
    assert cited("Whirling (201.2) is dangerous.") == ("unchecked", "2023-01-01/201.2")
    assert cited("By rule 201.3a a frame breaks when a diving kite falls onto a pole.") == ("unchecked", "2023-01-01/201.3a")
    assert cited("Rule 201.2 surprised me.") == ("unchecked", None)
    assert cited("Rule 102.2 (leaving the yard)") == ("exists", None)


def test_doubtful_is_a_note_in_sarif_and_does_not_pass_strict(library: Library) -> None:
    text = "Diving (201.1) is dangerous."
    body = library.verify(text, game="kite", lang="en", strict=True)
    [result] = verification_log(body, text, "post.md")["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("doubtful", "note")
    assert "201.2 Diving" in json.dumps(result["message"])
    assert body["gate"]["verdict"] == "unproven"
