"""Concepts of a game in an editor's brackets within a quotation."""

from pathlib import Path

import pytest

from rulestone import Library
from tests.support.homes import DIGEST

DECKS = """Deck Book

1. Cards

1.1. Units

1.1.1. A unit with Rush may attack on the turn when it is played.

1.1.2. A unit may attack once each turn.

1.1.3. A unit that has attacked is turned sideways.

1.2. Turns

1.2.1. The players take turns, one after the other.

1.2.2. A turn ends when its player says so.

1.2.3. The first player draws no card.
"""


@pytest.mark.slow
def test_a_concept_of_the_game_in_an_editors_bracket_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESTONE_DIGEST", DIGEST)
    file = tmp_path / "decks.txt"
    file.write_text(DECKS, encoding="utf-8")
    with Library.open(tmp_path / "home") as library:
        library.add([file], game="onepiece", edition="2024-01-01", authority="official", lang="en")
        for inside, status in (("Rush", "verified"), ("Blocker", "misquoted"), ("it", "unchecked"), ("Flying", "unchecked")):
            [citation] = library.verify(f"One Piece rule 1.1.1: “A unit with [{inside}] may attack on the turn”")["citations"]
            assert (inside, citation["status"]) == (inside, status)
