"""`concept` and `term`: what they print, and the uses of one label."""

from pathlib import Path

import pytest

from tests.support.commands import call


@pytest.mark.parametrize(
    ("arguments", "excerpts"),
    [
        ("show dm:401.1 --lang en", ["\nconcepts: deck (defined here), "]),
        ("show dm:400.3b --lang ja", ["\n概念："]),
        (
            "concept dm/mana-zone --lang en",
            ["mana zone · dm · zone", "  ja      マナゾーン*", "400.4 · dm cr 2025-12-17: “", "\n* official"],
        ),
        ("concept yard --lang ja", ["墓地 · dm · ゾーン", "墓地 · mtg · ゾーン", "\nrulestone concept mtg/graveyard\n"]),
        ("concept Main Deck --lang en", ["Main Deck · ygo · deck", "rulestone concept ygo/main-deck"]),
        (
            "term 山札 --lang en --limit 1",
            ["│mtg ", "│ library*", "\nmtg · ja · ", "shown\n  mtg cr 2024-06-07 · our gloss\n"],
        ),
        ("term 山札 --lang en --game dm --in ja", ["│dm   │ en      │ deck", "\ndm · ja · "]),
    ],
)
def test_concepts_and_terms_print_their_rules(home: Path, arguments: str, excerpts: list[str]) -> None:
    ended = call(home, *arguments.split())
    assert (ended.code, ended.err) == (0, "")
    for words in excerpts:
        assert words in ended.out


def test_a_loaded_game_without_zones_names_the_remedy(home: Path) -> None:
    ended = call(home, "compare", "zones", "--games", "ferry,mtg")
    assert (ended.code, ended.out) == (1, "")
    assert "no zone was recognised in the texts of 'ferry'; docs/extraction.md" in ended.err
    unknown = call(home, "compare", "zones", "--games", "chess")
    assert unknown.code == 2 and "expected some of" in unknown.err
