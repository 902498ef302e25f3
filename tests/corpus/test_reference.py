"""References as people write them."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from corpus.catalogue import catalogue
from corpus.errors import InputError
from corpus.reference import Reference, game_by_name, parse_reference, slug_of_game
from corpus.words.text import fold_text

CASES = tomllib.loads((Path(__file__).parents[1] / "cases/references.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("words", "game", "book", "edition", "locator"), CASES["case"])
def test_reference(words: str, game: str, book: str, edition: str, locator: str) -> None:
    assert parse_reference(words) == Reference(locator, game or None, book or None, edition or None)


@pytest.mark.parametrize("words", [*CASES["refused"], "9" * 400])
def test_refused_in_one_line(words: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_reference(words)
    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["Pokémon Trading Card Game", "ポケカ", "宝可梦"])
def test_a_game_without_a_rulebook_has_names(name: str) -> None:
    assert slug_of_game(name) == "pokemon"
    assert game_by_name(name, {"pokemon": ()}) == "pokemon"
    assert game_by_name(name, {"dm": ()}) is None


def test_a_game_added_under_its_short_name_keeps_that_slug() -> None:
    iri = "https://w3id.org/rulestone/id/ptcg/cr/2024-01-01/1.2"
    assert parse_reference(iri, {"ptcg": ()}) == Reference("1.2", "ptcg", "cr", "2024-01-01")
    assert game_by_name("Pokémon", {"ptcg": ()}) == "ptcg"
    assert slug_of_game("ptcg") == "ptcg"


def test_the_names_of_a_game_are_its_own() -> None:
    games = [*catalogue().games.values(), *catalogue().other_games.values()]
    owners = Counter(fold_text(name) for game in games for name in {fold_text(name) for name in game.all_names})
    assert [name for name, number in owners.items() if number > 1] == []
    assert len(games) >= 40
