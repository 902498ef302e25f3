"""Cards for models: the one that has a name, or why there is none, with candidates; concepts only on request."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from api.mcp.tools import tools
from corpus.errors import InputError, NotFoundError
from rulestone import Library

TABLE = """game,id,ja,en,text
ferry,F-001,渡し守の誓い,The Ferryman's Oath,Your ferry is shielded this turn. Draw a card.
ferry,F-002,霧,Fog,The ferry does not cross this turn.
ferry,F-003,霧の鐘,Bell of the Fog,"When this card sinks, put it into the bank."
ferry,F-004,渡し守の歌,The Ferryman's Song,
harbour,H-002,霧,Fog,No crate is seen.
ferry,F-005,,"Ilsa, Tide Keeper",Row.
harbour,H-003,,Ilsa,
reeds,R-001,,"Ilsa, Reed Cutter",
heron,B-001,,"An old and patient heron above the gloaming harbour",
heron,B-002,,Gloamyng 99,
"""
LIKE = "".join(f"reeds,R-{nth},,Gloaming {nth},\n" for nth in range(100, 120))
"""Shorter names with a word that a name of another game has."""
RULINGS = [
    {
        "id": ident,
        "question": f"May the Oath be played {ident} times?",
        "answer": "Yes, see 101.1.",
        "cards": [name] if name else [],
        "card_id": number,
        "date": date,
    }
    for ident, name, number, date in (
        ("7", "The Ferryman's Oath", "", "2024-03-08"),
        ("8", "渡し守の誓い", "", "2025-03-08"),
        ("9", "The Ferryman's Oath", "", "2023-03-08"),
        ("10", "", "F-001", "2026-03-08"),
    )
]


@pytest.fixture(scope="module")
def card_library(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("models")
    shutil.copytree(home, folder / "home")
    (folder / "cards.csv").write_text(TABLE + LIKE, encoding="utf-8")
    (folder / "rulings.json").write_text(json.dumps(RULINGS), encoding="utf-8")
    with Library.open(folder / "home", create=False) as library:
        library.add_cards(folder / "cards.csv")
        library.add(folder / "rulings.json", game="ferry", source="desk", later=True)
        yield library


def answer(library: Library, tool: str, /, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401
    body = tools()[tool].answer(library, arguments)
    jsonschema.validate(body, tools()[tool].output_schema)
    return body


def test_a_card_has_its_text_its_names_and_its_rulings(card_library: Library) -> None:
    body = answer(card_library, "get_card", name="渡し守の誓い", lang="en")
    assert (body["match"], body["candidates"], body["total"], body["note"]) == ("exact", [], 30, None)
    card = body["card"]
    assert (card["game"], card["id"], card["name"]) == ("ferry", "F-001", "The Ferryman's Oath")
    assert card["text"] == "Your ferry is shielded this turn. Draw a card."
    assert card["names"]["ja"] == ["渡し守の誓い"]
    assert [iri.rpartition("/")[2] for iri in card["rulings"]] == ["10", "8", "7", "9"]  # newest first
    assert "concepts" not in card
    assert answer(card_library, "get_card", name="The Ferryman's Oath", concepts=True)["card"]["concepts"]


@pytest.mark.parametrize(
    ("name", "game", "match", "candidates"),
    [
        ("Fog", None, "ambiguous", [("ferry", "F-002"), ("harbour", "H-002")]),
        ("fog", "harbour", "exact", []),
        ("ferryman's", None, "partial", [("ferry", "F-001"), ("ferry", "F-004")]),
        ("渡し守", None, "partial", [("ferry", "F-001"), ("ferry", "F-004")]),
        ("the Fo", None, "partial", [("ferry", "F-003")]),
        ("The Ferryman's Oats", None, "unknown", [("ferry", "F-001"), ("ferry", "F-004")]),
        ("The Ferryman's Oats", "harbour", "unknown", []),
        ("Zyzzyx", None, "unknown", []),
        ("…", None, "unknown", []),
        # a part of a divided name is not the name
        ("Tide Keeper", None, "partial", [("ferry", "F-005")]),
        ("Ilsa", "ferry", "partial", [("ferry", "F-005")]),
        ("Ilsa", "reeds", "partial", [("reeds", "R-001")]),
        ("Ilsa", None, "exact", []),
        # names of other games take no place
        ("gloaming", "heron", "partial", [("heron", "B-001")]),
        ("gloaming", "reeds", "partial", [("reeds", f"R-{nth}") for nth in range(100, 112)]),
        ("Gloaming 1044", "heron", "unknown", []),
        ("Gloamong 10", "heron", "unknown", [("heron", "B-002")]),
    ],
)
def test_a_name_that_is_not_one_card(
    card_library: Library, name: str, game: str | None, match: str, candidates: list[tuple[str, str]]
) -> None:
    body = answer(card_library, "get_card", name=name, game=game, lang="en")
    assert (body["match"], sorted((card["game"], card["id"]) for card in body["candidates"])) == (match, candidates)
    assert (body["card"] is None) == (match != "exact")
    assert all(("text" in card) == (match == "ambiguous") for card in body["candidates"])


@pytest.mark.parametrize(
    ("name", "game", "cards"),
    [
        ("Ilsa", None, [("harbour", "H-003")]),
        ("Ilsa", "reeds", [("reeds", "R-001")]),
        ("Ilsa", "ferry,reeds", [("ferry", "F-005"), ("reeds", "R-001")]),
        ("ilsa", "harbour", [("harbour", "H-003")]),
        ("Tide Keeper", "ferry", [("ferry", "F-005")]),
    ],
)
def test_a_part_of_a_name_belongs_to_the_games_asked(
    card_library: Library, name: str, game: str | None, cards: list[tuple[str, str]]
) -> None:
    assert sorted((card["game"], card["id"]) for card in card_library.cards(name, games=game)["cards"]) == cards


@pytest.mark.parametrize(("name", "game"), [("Tide Keeper", "reeds"), ("Ilsa", "heron"), ("…", "ferry")])
def test_cards_of_other_games_are_not_suggested(card_library: Library, name: str, game: str) -> None:
    with pytest.raises(NotFoundError) as error:
        card_library.cards(name, games=game)
    assert "did you mean" not in str(error.value)


def test_several_names_in_their_order(card_library: Library) -> None:
    names = ["Zyzzyx", "Bell of the Fog", "Fog", "The Ferryman's Song"]
    body = answer(card_library, "resolve_cards", names=names, game="ferry", lang="en")
    assert [card["name"] for card in body["cards"]] == names
    assert [card["match"] for card in body["cards"]] == ["unknown", "exact", "exact", "exact"]
    assert body["cards"][3]["card"]["text"] == ""


def test_without_cards_every_name_is_unknown(library: Library) -> None:
    assert answer(library, "resolve_cards", names=["Fog", "Bell"])["total"] == 0
    body = answer(library, "get_card", name="Fog", lang="en")
    assert (body["match"], body["total"]) == ("unknown", 0)
    assert body["note"] == "no cards are loaded, so no name is known: add a file of cards, or ask for the card's text"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], "0 names of cards were given; give 1 to 50"),
        (["Fog"] * 51, "51 names"),
        (["Fog", " "], "1 to 200 characters"),
        ("Fog", "array"),
    ],
)
def test_names_that_cannot_be_asked(card_library: Library, names: Any, words: str) -> None:  # noqa: ANN401
    with pytest.raises(InputError, match=words):
        answer(card_library, "resolve_cards", names=names)
