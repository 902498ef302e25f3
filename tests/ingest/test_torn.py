"""Damage by copying: lines broken within a word, numbers in the middle of a line, wrapped citations."""

from textwrap import fill

import pytest

from corpus.catalogue import catalogue
from ingest.lines import make_layout
from ingest.recognise import Hints, recognise
from tests.support.ferrymen import DOTTED_BULLETS_JA, HUNDREDS_EN, document, faults, locators, node, parsed

LONG = "The captain who steers the ferry over the river decides alone in which order the tokens come ashore there.\n"
JA = """\
1. 渡し

100. 総則

100.1. {0}
100.2. 船長は櫂を持ちます。船長は櫂を持ちます。船長は櫂を持ちます。船長は櫂を持ちます。櫂は流しません。
"""
JA += "".join(
    f"100.{number}. 渡し守は川を渡るあいだ綱を決して放さず、岸に着くまで印を数え、それから船\n着き場で休みます。\n"
    for number in range(3, 12)
)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("渡し守とは、渡し舟を\n漕ぐ者です。", "渡し守とは、渡し舟を漕ぐ者です。"),
        ("綱は、岸につな\nぎます。櫂はつな\nぎません。", "綱は、岸につなぎます。櫂はつなぎません。"),
        ("舟は印を積み、ドッ\nクに着きます。", "舟は印を積み、ドックに着きます。"),
        ("できるだけ早く渡る\n雨の日は渡れないことがあります。", "できるだけ早く渡る\n雨の日は渡れないことがあります。"),  # a title
        ("赤い印\n青い印\n白い印", "赤い印\n青い印\n白い印"),  # a list
        ("綱を解きます。\n舟を出します。", "綱を解きます。\n舟を出します。"),
    ],
)
def test_a_line_of_japanese_broken_in_a_sentence_is_joined(lines: str, text: str) -> None:
    source = JA.format(lines)
    reading = parsed(source, "hundreds", "ja")
    assert node(reading, "100.1").text == text
    assert not faults(source, [reading])


PIERS = """\
1. The River

1-1. Ferries 1-1-1. A ferry floats.
1-1-2. A ferry has 2-1-1. tokens at most.
1-2. Ropes and Knots 1-2-1. A rope is tied. 1-2-2. A knot holds.
1-3. Of Crossing 1-2-1. again
1-3-1. The toll is paid.
1-4. Pier No. 4-1-1 of the Bank
1-4-1. It is dry.
"""


def test_a_title_and_its_first_rule_on_one_line_are_two() -> None:
    reading = parsed(PIERS, "dashed")
    wanted = "1 1-1 1-1-1 1-1-2 1-2 1-2-1 1-2-2 1-3 1-3-1 1-4 1-4-1"
    assert locators(reading) == wanted.split()
    assert node(reading, "1-1").text == "Ferries"
    assert node(reading, "1-1-1").text == "A ferry floats."
    assert node(reading, "1-3").text == "Of Crossing 1-2-1. again"
    assert not faults(PIERS, [reading])


RULES = "".join(
    f"{section}.{rule} {words}\n"
    for section in (100, 101, 102)
    for rule, words in enumerate(
        ("Ferries float.", "A goose pays (see rule 100.1) or swims.", "Every rope has 2.5 knots.", "Bells ring."), 1
    )
)
JOINED = "1. River\n" + RULES.replace("\n101.1", "\n101. Geese\n101.1").replace("\n102.1", "\n102. Ropes\n102.1").replace(
    "100.1", "100. Ferries\n100.1", 1
)


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_numbers_without_a_dot_open_rules_on_the_line_of_another_one(lost: int) -> None:
    """Every line end but each fourth, third, second is lost; numbers that only cite, or count knots, open nothing."""
    lines = JOINED.splitlines()
    text = "".join(line + ("\n" if at % (lost + 1) == 0 else " ") for at, line in enumerate(lines))
    whole, torn = parsed(JOINED, "hundreds"), parsed(text, "hundreds")
    assert locators(torn) == locators(whole)
    assert [node.text for node in torn.nodes] == [node.text for node in whole.nodes]
    assert not faults(text, [torn])


def test_the_first_line_of_a_torn_copy_may_hold_several_rules() -> None:
    torn = parsed(fill("Ferry Rules. " + " ".join(JOINED.splitlines()), 100), "hundreds")
    assert locators(torn) == locators(parsed(JOINED, "hundreds"))


def test_two_bold_numbers_in_one_paragraph_are_two_rules() -> None:
    text = "**1. The River**\n\n**1-1. Ferries**\n\n**1-1-1.** A ferry floats. **1-1-2.** A ferry sinks.\n\n**1-1-3.** It rests.\n"
    reading = parsed(text, "dashed", media="markdown")
    assert locators(reading) == ["1", "1-1", "1-1-1", "1-1-2", "1-1-3"]
    assert [node(reading, f"1-1-{number}").text for number in (1, 2, 3)] == ["A ferry floats.", "A ferry sinks.", "It rests."]
    assert not faults(text, [reading])


def test_a_wrapped_citation_at_the_start_of_a_line_belongs_to_the_rule_above() -> None:
    text = HUNDREDS_EN.replace(
        "100.1b The goose belongs to nobody, see rule 201.2.",
        "100.1b The goose belongs to nobody unless a captain of another ferry feeds it at the bank, and then rule\n"
        "100.1a does not apply to it.\n" + LONG,
    )
    reading = parsed(text, "hundreds")
    assert "100.1a.dup2" not in locators(reading)
    assert "rule 100.1a does not apply to it." in " ".join(node(reading, "100.1b").text.split())


def test_a_headword_keeps_its_full_width_brackets() -> None:
    text = "1. 河\n\n100. 总则\n\n100.1. 船长掌舵。\n\n词汇表\n\n绳（已废止）\n系船之物。\n\n鹅，鸭\n水鸟。\n"
    reading = parsed(text, "hundreds", "zh-Hans")
    assert [entry.headword for entry in reading.nodes if entry.headword] == ["绳（已废止）", "鹅，鸭"]


def test_a_told_edition_keeps_no_book_from_being_recognised() -> None:
    marks = next(known.marks for known in catalogue().editions if known.book == "fow/cr" and known.lang == "ja")
    text = DOTTED_BULLETS_JA.replace("桟橋には", f"{' '.join(marks)}の桟橋には", 1)
    own = recognise(document(text), make_layout(text), Hints())
    told = recognise(document(text), make_layout(text), Hints(edition="2015-05-05"))
    assert str(own.key) == "fow/cr/undated"
    assert str(told.key) == "fow/cr/2015-05-05"


def test_a_chapter_title_at_the_end_of_a_rule_of_the_chapter_before_opens_the_chapter() -> None:
    chapters = [
        f"{n}. {title}\n\n{n}-1. {title} first\n\n" + "".join(f"{n}-1-{k}. {LONG}\n" for k in range(1, 6))
        for n, title in enumerate(("Crossing", "Landing", "Resting", "Leaving"), 1)
    ]
    source = "".join(chapters).replace("\n3. Resting\n", " (See 1-1. Crossing first) 3. Resting\n", 1)
    source = source.replace("ashore there.\n (See", "ashore there. (See")
    reading = parsed(source, "dashed", "en")
    assert node(reading, "3").text == "Resting"
    assert node(reading, "2-1-5").text.endswith("(See 1-1. Crossing first)")
    assert node(reading, "3-1").parent == "3"
