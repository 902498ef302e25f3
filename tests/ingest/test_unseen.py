"""Rulebooks that nobody has shown the parser: layouts, numberings and dates of other games, and what is no rulebook."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from corpus.errors import InputError
from ingest.dates import stated_date
from ingest.lines import make_layout
from ingest.pipeline import parse
from ingest.recognise import Hints, recognise
from tests.support.ferrymen import document, faults, locators, node, parsed

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "unseen.toml").read_text("utf-8"))
FERRY = Hints(game="ferry", lang="en")


def grown(text: str) -> str:
    """The text with `{each:…}` repeated for n = 1 … 12, and `{down:…}` for n = 12 … 1."""

    def repeat(match: re.Match[str]) -> str:
        numbers = range(1, 13) if match[1] == "each" else range(12, 0, -1)
        return "".join(match[2].replace("{n}", str(n)) for n in numbers)

    return re.sub(r"\{(each|down):(.*?)\n\}", lambda match: repeat(match) + "\n", text, flags=re.S)


@pytest.mark.parametrize("case", CASES["number"], ids=lambda case: case["name"])
def test_layouts_of_other_games(case: dict[str, Any]) -> None:
    reading = parsed(case["text"], case["grammar"], case.get("lang", "en"), case.get("media", "text"))
    assert locators(reading) == case["locators"].split()
    for at, words in case.get("texts", {}).items():
        assert node(reading, at).text == words
    for at, printed in case.get("numbers", {}).items():
        assert node(reading, at).number == printed
    for at, target in case.get("cites", {}).items():
        assert [cite.target for cite in node(reading, at).cites] == [target]
    assert faults(case["text"], [reading]) == []


@pytest.mark.parametrize("case", CASES["fit"], ids=lambda case: case["name"])
def test_the_grammar_is_found_by_fit(case: dict[str, Any]) -> None:
    text = "".join(case["unit"].replace("{c}", str(chapter)) for chapter in range(1, 7))
    known = recognise(document(text), make_layout(text), Hints(game="ferry"))
    assert known.grammar.slug == case["grammar"]


@pytest.mark.parametrize(("words", "edition"), CASES["date"].items())
def test_the_date_that_a_title_page_states(words: str, edition: str) -> None:
    assert (stated_date(words) or ("", ""))[0] == edition


def test_a_version_in_a_history_of_changes_is_no_date_of_the_edition() -> None:
    assert stated_date("Ferry Rules\n" + "Water flows.\n" * 100 + "(2019/06/21) Ver.2.2\n") is None


@pytest.mark.parametrize("text", CASES["refused"].values(), ids=CASES["refused"])
def test_a_text_that_is_no_rulebook_is_refused_even_for_a_named_game(text: str) -> None:
    grown_ = grown(text)
    with pytest.raises(InputError, match="not a rulebook"):
        parse(document(grown_, "markdown" if grown_.startswith("#") else "text"), FERRY)


def test_running_heads_and_feet_that_count_pages_are_furniture() -> None:
    pages = [
        f"{chapter}. River\n{chapter}.1. Water\n"
        + "".join(f"{chapter}.1.{rule}. Water flows, whatever bell is rung for it.\n" for rule in range(1, 9))
        + f"\nferry.example\n\n©Ferrymen\n\nBased on the goose by A. Miller.  {chapter}\n"
        for chapter in range(1, 9)
    ]
    reading = parsed("".join(pages), "dotted")
    assert node(reading, "3.1.8").text == "Water flows, whatever bell is rung for it."
    assert len(reading.nodes) == 8 * 10
    assert faults("".join(pages), [reading]) == []


@pytest.mark.parametrize(
    "head", ["Page {} of 40", "=== PAGE {} ===", "{}ページ", "Complete Rules Version 3.3 Page {}", "Ferry Rules | {}"]
)
def test_page_counts_of_every_kind_are_furniture(head: str) -> None:
    rules = [f"1.1.{rule}. Water flows down and never up, whatever is rung." for rule in range(1, 97)]
    text = "1. River\n1.1. Water\n" + "".join(
        "\n".join(rules[at : at + 12]) + f"\n{head.format(2 + at // 12)}\n" for at in range(0, 96, 12)
    )
    reading = parsed(text, "dotted")
    assert {line.text for line in reading.nodes[2:]} == {"Water flows down and never up, whatever is rung."}
    assert faults(text, [reading]) == []


def test_headings_that_count_are_no_pages() -> None:
    text = "".join(
        f"Chapter {chapter}\n{chapter}.1. Water\n" + "".join(f"{chapter}.1.{rule}. Water flows.\n" for rule in range(1, 9))
        for chapter in range(1, 9)
    )
    assert len(parsed(text, "dotted").nodes) == 8 * 10
