"""Tournament documents, penalty guides, manuals and regulations: prose below headings of every kind, addressed and whole."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from corpus.errors import InputError
from ingest.lines import layout_of
from ingest.pipeline import parse
from ingest.recognise import Hints, recognise
from tests.support.ferrymen import document, faults, locators, node, parsed

CASES = tomllib.loads((Path(__file__).parents[1] / "cases" / "documents.toml").read_text("utf-8"))["document"]
FERRY = Hints(game="ferry")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_part_has_its_address(case: dict[str, Any]) -> None:
    reading = parsed(case["text"], case["grammar"], case.get("lang", "en"), case["media"])
    assert locators(reading) == case["locators"].replace("ferrymen", "piers").split()
    names = {
        at: at.replace("ferrymen/", "piers/")
        for part in ("texts", "kinds", "numbers", "cites", "examples")
        for at in case.get(part, ())
    }
    assert {at: node(reading, names[at]).text for at in case.get("texts", ())} == case.get("texts", {})
    assert {at: node(reading, names[at]).kind for at in case.get("kinds", ())} == case.get("kinds", {})
    assert {at: node(reading, names[at]).number for at in case.get("numbers", ())} == case.get("numbers", {})
    assert {at: [cite.target for cite in node(reading, names[at]).cites] for at in case.get("cites", ())} == {
        at: [target] for at, target in case.get("cites", {}).items()
    }
    assert {at: [aside.text for aside in node(reading, names[at]).examples] for at in case.get("examples", ())} == case.get(
        "examples", {}
    )
    assert faults(case["text"], [reading]) == []


def grown(unit: str, times: int = 8) -> str:
    """The unit repeated with `{n}` = 1, 2, … and `{han}` the same in Han characters."""
    return "".join(unit.replace("{n}", str(n)).replace("{han}", "一二三四五六七八九十"[(n - 1) % 10]) for n in range(1, times + 1))


RULES = "A player must ring the bell before the ferry leaves.\n\nThe judge may ask for it again.\n\n"
RULES_JA = "選手は、出航の前に鐘を鳴らさなければならない。\n\n審判は、もう一度求めることができる。\n\n"
RULES_ZH = "选手必须在开船前敲钟。\n\n裁判可以要求再敲一次。\n\n"
RECOGNISED = {
    "numbered headings": (grown("{n}. Piers\n\n" + RULES + "{n}.1 Bells\n\n" + RULES), "text", "sections"),
    "numbered headings with a dash": (grown("{n}. 桟橋\n\n" + RULES_JA + "{n}-1 鐘\n\n" + RULES_JA), "text", "sections-dashed"),
    "chapters only": (grown("{n}. Of bells\n\n" + RULES + RULES), "text", "sections"),
    "Markdown": ("# Ferry Rules\n\n" + grown("## Pier {han}\n\n" + RULES + RULES), "markdown", "headings"),
    "plain headings": (grown("ABOUT PIER {han}\n\n" + RULES + RULES), "text", "headings"),
    "articles": (grown("第{n}章　桟橋\n\n第{n}条（鐘）\n" + RULES_JA + RULES_JA), "text", "outline"),
    "Han characters": (grown("{han}、码头\n\n" + RULES_ZH + RULES_ZH), "text", "outline"),
    "letters in Markdown": ("# Rules\n\n" + grown("## 第{han}章 码头\n\n" + RULES_ZH + RULES_ZH), "markdown", "outline"),
}


@pytest.mark.parametrize(("text", "media", "grammar"), RECOGNISED.values(), ids=RECOGNISED)
def test_the_structure_of_a_document_is_told(text: str, media: str, grammar: str) -> None:
    known = recognise(document(text, media), layout_of(text), FERRY)
    assert known.grammar.slug == grammar
    assert any(str(reason).startswith(f"structure {grammar}: ") for reason in known.why)
    assert faults(text, parse(document(text, media), FERRY)) == []


QUESTIONS = {
    "Markdown": ("# Guide\n\n## Bells\n\n", "**{q}**\n\n{a}\n\n", "ferrymen/1.1.{n}"),
    "headings of Markdown": ("# Guide\n\n", "## {q}\n\n{a}\n\n", "ferrymen/1.{n}"),
    "letters": ("", "Q{n}. {q}\nA{n}. {a}\n\n", "ferrymen/{n}"),
    "brackets": ("", "【Q】{q}\n【A】{a}\n\n", "ferrymen/{n}"),
    "text alone": ("", "{q}\n{a}\n\n", "ferrymen/{n}"),
}
ASKED = {
    "en": ("May a player ring at pier {n}?", "Yes, a player may ring {n} times."),
    "ja": ("プレイヤーは{n}番の鐘を鳴らせますか？", "はい、{n}回鳴らすことができます。"),
    "zh-Hans": ("玩家可以敲{n}号钟吗？", "可以，玩家必须等待{n}次。"),
}


@pytest.mark.parametrize("lang", ASKED)
@pytest.mark.parametrize(("head", "unit", "locator"), QUESTIONS.values(), ids=QUESTIONS)
def test_questions_are_headings_with_their_answers_below(head: str, unit: str, locator: str, lang: str) -> None:
    question, answer = ASKED[lang]
    text = head + grown(unit.replace("{q}", question).replace("{a}", answer), 24)
    media = "markdown" if head else "text"
    readings = parse(document(text, media), Hints(game="ferry", lang=lang))
    at = locator.replace("{n}", "24")
    assert question.replace("{n}", "24") in node(readings[0], at).text
    assert node(readings[0], at).kind.is_heading
    assert answer.replace("{n}", "24") in node(readings[0], f"{at}~1").text
    assert faults(text, readings) == []


BARE = (RULES + "No toll is taken from players who swim.\n\n") * 9


def test_paragraphs_alone_are_a_document_only_where_game_and_book_are_named() -> None:
    known = recognise(document(BARE), layout_of(BARE), Hints(game="ferry", book="house"))
    assert "paragraphs only: 27 of them, no headings and no numbers" in map(str, known.why)
    assert locators(parse(document(BARE), Hints(game="ferry", book="house"))[0])[:2] == ["ferrymen~1", "ferrymen~2"]
    with pytest.raises(InputError, match="not a rulebook"):
        recognise(document(BARE), layout_of(BARE), FERRY)


REFUSED = {
    "program code": grown("def ferry_{n}(player, judge):\n    # the player must pay\n    return player.pay(judge, {n})\n\n\n", 30),
    "a table of data": grown("Ferry {n}  player  12  must  4\n", 60),
    "a list of cards": grown("{n} Ferry of the Player\n{n} Judge's Bell\n", 40),
    "few paragraphs": "# Ferry Rules\n\n## Bells\n\n" + RULES + "## Ropes\n\n" + RULES,
    "a story with headings": "# The River\n\n"
    + grown("## Night {n}\n\nThe goose slept, and the water was black.\n\nIt rained.\n\n", 20),
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_no_document_of_rules_is_refused(text: str) -> None:
    media = "markdown" if text.startswith("#") else "text"
    with pytest.raises(InputError, match="not a rulebook"):
        recognise(document(text, media), layout_of(text), Hints(game="ferry", book="house"))
