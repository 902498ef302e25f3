"""Labels of games."""

import pytest

from api import labels


@pytest.mark.parametrize(
    ("slug", "tag"),
    [
        ("mtg", "MTG"),
        ("uno", "UNO"),
        ("onepiece", "One Piece"),
        ("lorcana", "Lorcana"),
        ("flesh-and-blood", "Flesh and Blood"),
        ("ferrymen", "Ferrymen"),
        ("ferry", "ferry"),
        ("unnamed", "unnamed"),
    ],
)
def test_the_short_name_of_a_game(slug: str, tag: str) -> None:
    labels.name_games(lambda: dict.fromkeys(("ferry", "ferrymen"), "The Game of Ferrymen"))
    assert labels.game_tag(slug) == tag
    labels.name_games(dict)
