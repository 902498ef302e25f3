"""Tournament documents, penalty guides, manuals and regulations: prose below headings of every kind, addressed and whole."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from corpus.errors import InputError
from ingest.lines import make_layout
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
    "bullets below prose": (
        grown("{n}. Piers\n\n" + RULES + "{n}.1 Bells\n\n" + RULES + "- Ring.\n- Row.\n\n"),
        "text",
        "sections",
    ),
    "terms": (
        "Glossary of the River\n\n" + grown("Bell {han}: the judge must hear it before the ferry leaves.\n\n", 20),
        "text",
        "paragraphs",
    ),
    "letters in Markdown": ("# Rules\n\n" + grown("## 第{han}章 码头\n\n" + RULES_ZH + RULES_ZH), "markdown", "outline"),
}


@pytest.mark.parametrize(("text", "media", "grammar"), RECOGNISED.values(), ids=RECOGNISED)
def test_the_structure_of_a_document_is_told(text: str, media: str, grammar: str) -> None:
    known = recognise(document(text, media), make_layout(text), FERRY)
    assert known.grammar.slug == grammar
    assert any(str(reason).startswith((f"structure {grammar}: ", "paragraphs only")) for reason in known.why)
    assert faults(text, parse(document(text, media), FERRY)) == []


QUESTIONS = {
    "Markdown": ("# Guide\n\n## Bells\n\n", "**{q}**\n\n{a}\n\n", "ferrymen/1.1.{n}"),
    "headings of Markdown": ("# Guide\n\n", "## {q}\n\n{a}\n\n", "ferrymen/1.{n}"),
    "letters": ("", "Q{n}. {q}\nA{n}. {a}\n\n", "ferrymen/{n}"),
    "letters in Markdown": ("# Guide\n\n## Bells\n\n", "Q: {q}\nA: {a}\n\n", "ferrymen/1.1.{n}"),
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


LONG_QUESTION = (
    "May a player who has already rung the bell of one pier ask the judge to hear the bell of\n"
    "another pier before the ferry of the opponent has left the bank of the river for the {n}th time?"
)


@pytest.mark.parametrize("unit", ["Q{n}. {q}\nA. A judge must hear it.\n\n", "{q}\n\nA judge must hear it.\n\n"])
def test_a_question_longer_than_a_line_is_one_heading(unit: str) -> None:
    text = "Ferry Questions\n\n" + grown(unit.replace("{q}", LONG_QUESTION), 24)
    [reading] = parse(document(text), FERRY)
    assert locators(reading)[-2:] == ["ferrymen/24", "ferrymen/24~1"]
    assert node(reading, "ferrymen/24").text.endswith(
        "hear the bell of another pier before the ferry of the opponent has left the bank of the river for the 24th time?"
    )
    assert faults(text, [reading]) == []


def paged(lines: list[str], header: str, length: int = 9) -> str:
    """Lines with a header above each page."""
    return "\n".join(line for at in range(0, len(lines), length) for line in (header, *lines[at : at + length]))


WRAPPED = [
    "{n}. The Pier",
    "Player {x} who reaches the double-sided pier must ring the bell before the rope is tied, and the",
    "judge must hear it. The opponent may ask for a second bell if the first one was not loud enough to wake",
    "the goose.",
    "{n}.1 Ropes and Bells of the Night",
    "Player {x} must bring one rope. The judge may ask for another one if the rope of a player is con-",
    "ceded to the opponent, or if the double-",
    "sided rope is wet:",
    "• wet rope {x} must be dried before the next round of the tournament begins at the same pier, or",
    "the race is conceded;",
    "• a dry rope must be shown.",
]


@pytest.mark.parametrize("header", ["FERRY TOURNAMENT RULES", "© Ferry Games. All rights reserved."])
def test_a_header_without_a_page_number_is_no_text(header: str) -> None:
    lines = [line.replace("{n}", str(n)).replace("{x}", chr(64 + n)) for n in range(1, 10) for line in WRAPPED]
    [reading] = parse(document(paged(lines, header)), FERRY)
    assert reading.grammar == "sections"
    assert not [node.locator for node in reading.nodes if header in node.text]
    assert faults(paged(lines, header), [reading]) == []


def test_numbered_headings_with_bullets_and_no_blank_line_are_read() -> None:
    lines = [line.replace("{n}", str(n)).replace("{x}", chr(64 + n)) for n in range(1, 10) for line in WRAPPED]
    [reading] = parse(document("\n".join(lines)), FERRY)
    assert locators(reading)[:6] == ["1", "1~1", "1.1", "1.1~1", "1.1~2", "1.1~3"]
    assert node(reading, "1.1~1").text.endswith("is conceded to the opponent, or if the double-sided rope is wet:")
    assert node(reading, "9.1~3").text == "a dry rope must be shown."


@pytest.mark.parametrize(
    ("article", "texts"),
    {
        "第{n}条（鐘）\n１　選手は、鐘を鳴らさなければならない。\n２　審判は、次の者を退場させる。\n一　盗んだ者\n二　眠った者\n": [
            "（鐘）",
            "選手は、鐘を鳴らさなければならない。",
            "審判は、次の者を退場させる。",
            "盗んだ者",
            "眠った者",
        ],
        "第{n}条　码头\n选手必须敲钟。\n２　裁判可以要求再敲一次。\n": ["码头", "选手必须敲钟。", "裁判可以要求再敲一次。"],
    }.items(),
)
def test_paragraphs_and_items_of_articles_need_no_blank_lines(article: str, texts: list[str]) -> None:
    text = grown(article, 12) + "附則\nこの規則は選手に適用する。\n"
    [reading] = parse(document(text), FERRY)
    assert [rule.text for rule in reading.nodes if rule.locator.startswith("第7条")] == texts
    assert reading.nodes[-2].text == "附則"
    assert faults(text, [reading]) == []


def test_lines_of_a_text_that_is_not_wrapped_are_paragraphs() -> None:
    text = grown(
        "{n}. 桟橋\n選手は、出航の前に必ず鐘を鳴らさなければならない。\n審判は、もう一度だけ鐘を求めることができる。\n", 12
    )
    [reading] = parse(document(text), FERRY)
    assert locators(reading)[:3] == ["1", "1~1", "1~2"]


BARE = (RULES + "No toll is taken from players who swim.\n\n") * 9


def test_paragraphs_alone_are_a_document_only_where_game_and_book_are_named() -> None:
    known = recognise(document(BARE), make_layout(BARE), Hints(game="ferry", book="house"))
    assert "paragraphs only: 27 of them, no headings and no numbers" in map(str, known.why)
    assert locators(parse(document(BARE), Hints(game="ferry", book="house"))[0])[:2] == ["ferrymen~1", "ferrymen~2"]
    with pytest.raises(InputError, match="not a rulebook"):
        recognise(document(BARE), make_layout(BARE), FERRY)


REFUSED = {
    "program code": grown("def ferry_{n}(player, judge):\n    # the player must pay\n    return player.pay(judge, {n})\n\n\n", 30),
    "settings": "# Rules\n\n"
    + grown('# Ferry {n}: what a player must pay.\nname = "The player\'s ferry."\nmarks = ["must", "card"]\n\n', 20),
    "a table of data": grown("Ferry {n}  player  12  must  4\n", 60),
    "cards with their texts": grown("Bell {han}: the player must hear it before the ferry leaves.\n\n", 20),
    "a list of cards": grown("{n} Ferry of the Player\n{n} Judge's Bell\n", 40),
    "few paragraphs": "# Ferry Rules\n\n## Bells\n\n" + RULES + "## Ropes\n\n" + RULES,
    "a story with headings": "# The River\n\n"
    + grown("## Night {n}\n\nThe goose slept, and the water was black.\n\nIt rained.\n\n", 20),
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_document_without_rules_is_refused(text: str) -> None:
    media = "markdown" if text.startswith("#") else "text"
    with pytest.raises(InputError, match="not a rulebook"):
        recognise(document(text, media), make_layout(text), FERRY if text.startswith("Bell") else Hints(game="ferry", book="house"))


@pytest.mark.parametrize("marks", ["（ⅰ）（ⅱ）（ⅲ）", "ⅰ．ⅱ．ⅲ．", "Ⅰ Ⅱ Ⅲ "])
def test_roman_numerals_of_one_character_are_items(marks: str) -> None:
    width = len(marks) // 3
    colours = ("赤い舟", "青い舟", "白い舟")
    items = "\n".join(marks[width * n : width * (n + 1)] + colour for n, colour in enumerate(colours))
    text = f"1. 舟\n\n舟は川に浮かびます。\n\n1.1. 舟の色\n\n舟の色は次のとおりです。\n\n{items}\n\n1.2. 川\n\n川は流れます。\n"
    reading = parsed(text, "sections", "ja")
    assert [node(reading, f"1.1~{place}").text for place in range(2, 5)] == list(colours)
    assert faults(text, [reading]) == []
