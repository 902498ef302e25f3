"""Damage by copying: lines broken within a word, numbers in the middle of a line, wrapped citations."""

from textwrap import fill

import pytest

from corpus.catalogue import catalogue
from ingest.lines import join_lines, make_layout, non_blank_lines
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
        ("舟に書かれた名前は「赤い舟」\nになります。", "舟に書かれた名前は「赤い舟」になります。"),
        ("舟が着いたら(例：\n「綱を解く。」\nの舟なら)印を積みます。", "舟が着いたら(例：「綱を解く。」の舟なら)印を積みます。"),
        ("渡し守は札で‘\n（印）’を示します。", "渡し守は札で‘（印）’を示します。"),  # the picture between is lost
        ("キーワード\nを持つ舟は岸を離れません。", "キーワードを持つ舟は岸を離れません。"),
        ("「赤い舟」\nのこりの舟は岸を離れません。", "「赤い舟」\nのこりの舟は岸を離れません。"),
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
    expected = "1 1-1 1-1-1 1-1-2 1-2 1-2-1 1-2-2 1-3 1-3-1 1-4 1-4-1"
    assert locators(reading) == expected.split()
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


@pytest.mark.parametrize("lost_breaks", [1, 2, 3])
def test_numbers_without_a_dot_open_rules_on_the_line_of_another_one(lost_breaks: int) -> None:
    """Every line end but each fourth, third, second is lost; numbers that only cite, or count knots, open nothing."""
    lines = JOINED.splitlines()
    text = "".join(line + ("\n" if at % (lost_breaks + 1) == 0 else " ") for at, line in enumerate(lines))
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
    reading = recognise(document(text), make_layout(text), Hints(edition="2015-05-05"))
    assert str(own.key) == "fow/cr/undated"
    assert str(reading.key) == "fow/cr/2015-05-05"


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


def pages(book: list[str], numbers: list[str]) -> str:
    """Lines of a book, 12 to a page, with the next of some page numbers after the last words of each page."""
    ends = {12 * (page + 1) - 1: number for page, number in enumerate(numbers)}
    return "\n".join(line + ends.get(index, "") for index, line in enumerate(book))


COLOURS = ("red", "green", "blue", "white", "black", "grey", "brown")
FERRY_LINES = [
    line
    for number in range(1, 61)
    for line in (
        f"1.1.{number}. A ferry that has left the pier carries all of its tokens and",
        f"every rope to the {COLOURS[number % 7]} pier of the river before it may return home",
    )
]


def test_page_numbers_glued_to_words_are_no_part_of_the_rules() -> None:
    text = "1. Ferries\n1.1. Crossing\n" + pages(FERRY_LINES, [str(page) for page in range(2, 12)])
    texts = {node.text for node in parsed(text, "dotted").nodes if node.locator.count(".") == 2}
    assert texts == {
        f"{first.partition('. ')[2]} {second}" for first, second in zip(FERRY_LINES[::2], FERRY_LINES[1::2], strict=True)
    }


@pytest.mark.parametrize("numbers", [["7", "3", "9", "1", "4", "8", "2", "6", "5", "10"], ["2", "3", "4"]])
def test_digits_that_do_not_count_the_pages_stay(numbers: list[str]) -> None:
    text = "1. Ferries\n1.1. Crossing\n" + pages(FERRY_LINES, numbers)
    glued = [node.text for node in parsed(text, "dotted").nodes if node.text[-1].isdigit()]
    assert len(glued) == len(numbers)


def test_a_list_in_brackets_keeps_its_entries() -> None:
    text = "Ferries carry (any of:\n• red tokens\n• blue tokens) across."
    assert join_lines(text, non_blank_lines(text), 60) == text


def test_the_target_of_a_link_behind_a_citation_is_dropped_if_it_recurs() -> None:
    rules = [f'1.1.{n}. A ferry carries tokens to the piers. (See 2-{n} "Piers"){{}}' for n in range(1, 13)]
    head = "1. Ferries\n1.1. Crossing\n"
    linked = parsed(head + "\n".join(rule.format(f"2-{n}") for n, rule in enumerate(rules, 1)), "dotted")
    assert {node.text[-8:] for node in linked.nodes if node.locator.count(".") == 2} == {'"Piers")'}
    once = parsed(head + "\n".join(rule.format("2-1" if n == 0 else "") for n, rule in enumerate(rules)), "dotted")
    assert node(once, "1.1.1").text.endswith('"Piers")2-1')


def test_a_sentence_goes_on_after_a_form_feed() -> None:
    line = "1.1.{}. 渡し守は川を渡るあいだ綱を決して放さず、岸に着くまで印を数え、被\n{}称为渡船。"
    text = "1. 渡船\n1.1. 渡河\n" + "\n".join(line.format(n, "\f" if n == 3 else "") for n in range(1, 12))
    assert len({node.text for node in parsed(text, "dotted", "zh-Hans").nodes[2:]}) == 1


def test_a_sentence_goes_on_after_a_quotation_in_another_paragraph() -> None:
    text = "1. Ferries\n1.1. Crossing\n1.1.1. Ferries with “tokens carried”\n\nmay cross. Piers with (ropes).\nb) Ropes hold.\n"
    assert (
        node(parsed(text, "dotted"), "1.1.1").text == "Ferries with “tokens carried” may cross. Piers with (ropes).\nb) Ropes hold."
    )


def test_bullets_torn_off_their_entries() -> None:
    weather = "1.1.1. The weather is:\n•\nFog\n•\nRain\n"
    rule = "1.1.2. It tells:\n•\n•\nWhether it is foggy.\nWhether it rains.\n"
    reading = parsed("1. Ferries\n1.1. Crossing\n" + weather + rule, "dotted")
    assert node(reading, "1.1.1").text == "The weather is:\n• Fog\n• Rain"
    assert node(reading, "1.1.2").text == "It tells:\nWhether it is foggy.\nWhether it rains."


@pytest.mark.parametrize("label", ["Ex: If it rains,", "Ex.", "Example:", "Example A:", "Example 2:"])
def test_the_label_of_an_example_may_have_a_letter(label: str) -> None:
    text = f"1. Ferries\n1.1. Crossing\n1.1.1. A ferry crosses.\n{label} The red ferry crosses.\n1.1.2. A pier stays.\n"
    rule = node(parsed(text, "dotted"), "1.1.1")
    assert (rule.text, [aside.text for aside in rule.examples]) == ("A ferry crosses.", [f"{label} The red ferry crosses."])


def test_a_caption_in_the_middle_of_a_sentence_is_no_example() -> None:
    text = "1. Ferries\n1.1. Crossing\n1.1.1. Only the red half of a ferry can be\nEx: Red Ferry\nboarded.\n"
    assert node(parsed(text, "dotted"), "1.1.1").examples == ()


def paged() -> str:
    """A dotted book of eight pages: eight rules on each, then its number."""
    rules = "".join(
        f"1.{{n}}.{rule}. A ferryman of the {{n}}0{rule}th boat may row to the other bank and back.\n" for rule in range(1, 9)
    )
    whole = "1.{n}. Boats\n" + rules + "\n{n}\n\n"
    return "1. Ferries\n" + "".join(whole.replace("{n}", str(n)) for n in range(1, 9))


@pytest.mark.parametrize(
    ("last", "legend", "text"),
    [
        ("A boat is tied.", "FERRY EXAMPLE\n2\nCost & Oars\n0 3\nName\nBank\n1\nFERRY EXAMPLE", "A boat is tied."),
        ("A boat holds:", "Boats\nOars\n2 3\n4 5\nRopes", "A boat holds:\nBoats\nOars\n2 3\n4 5\nRopes"),  # a table
        ("A boat is tied.", "Boats\nOars\nRopes\nBanks", "A boat is tied.\nBoats\nOars\nRopes\nBanks"),
        ("A boat is tied.", "BOATS OARS\n4 2\n8 3\n16 4", "A boat is tied.\nBOATS OARS\n4 2\n8 3\n16 4"),  # a table
    ],
)
def test_the_legend_of_a_picture_at_the_end_of_a_page_is_no_part_of_a_rule(last: str, legend: str, text: str) -> None:
    book = paged().replace("\n\n3\n\n", f"\n1.3.9. {last}\n{legend}\n\n3\n\n")
    reading = parsed(book, "dotted")
    assert node(reading, "1.3.9").text == text
    assert faults(book, [reading]) == []


def test_the_numbers_of_pages_make_no_list_of_names_a_legend() -> None:
    names = ["Red Boat\nTHE FERRY\nOld Boat", "New Boat\nTHE RAFT\nBig Boat", "Long Boat\nTHE BARGE\nWide Boat"]
    book = paged() + "1.9. A boat has a name.\n" + "".join(f"{some}\n\n{page}\n\n" for page, some in enumerate(names, 9))
    assert [book[start:end].strip() for start, end in make_layout(book).furniture] == [str(page) for page in range(1, 12)]


def test_an_example_goes_on_after_a_page_break() -> None:
    example = "1.3.9. A boat is tied.\nExample: A boat lies at the bank.\n\n{}It may be untied."
    for page, words in (("3\n\n", "A boat is tied."), ("", "A boat is tied.\nIt may be untied.")):
        reading = parsed(paged().replace("\n\n3\n\n", f"\n{example.format(page)}\n\n"), "dotted")
        rule = node(reading, "1.3.9")
        untied = "" if "untied" in words else "\nIt may be untied."
        assert (rule.text, [each.text for each in rule.examples]) == (words, [f"Example: A boat lies at the bank.{untied}"])


def test_page_numbers_between_two_words_are_no_part_of_the_rules() -> None:
    one = paged().replace("\n\n4\n\n", "\n1.4.9. A boat is tied. Each captain 4 steers it.\n\n\n")
    text = one.replace("\n\n6\n\n", "\n1.6.9. Each boat 6 waits.\n\n\n")
    reading = parsed(text, "dotted")
    assert node(reading, "1.4.9").text == "A boat is tied. Each captain steers it."
    assert node(reading, "1.6.9").text == "Each boat waits."
    assert faults(text, [reading]) == []
    assert "captain 4 steers" in node(parsed(one, "dotted"), "1.4.9").text  # a single one may be a quantity
    quantities = parsed(text.replace("\n\n7\n\n", "\n1.7.9. A boat has 2 oars.\n\n7\n\n"), "dotted")
    assert "captain 4 steers" in node(quantities, "1.4.9").text  # the book writes quantities in digits
