"""Numbered books in narrow lines: a line belongs to the rule above until the next number, in every script."""

from textwrap import wrap

import pytest

from ingest.pipeline import parse
from ingest.recognise import Hints
from tests.support.ferrymen import document, faults, parsed

BOOKS = {
    "ja": ("凧", "赤い凧", "プレイヤーは自分のターンに凧を一つだけ揚げることができる。"),
    "zh": ("风筝", "红色的风筝", "每位牌手在自己的回合中可以放飞一只风筝，而不是两只或三只。"),
    "en": ("Kites", "Red kites", "A player may fly only one kite during each of their own turns."),
    "ja, two sentences": (
        "凧",
        "赤い凧",
        "プレイヤーは自分のターンに凧を一つ揚げる。ただし、糸がからんだ場合、その凧は揚げられない。",
    ),
    "zh, two sentences": ("风筝", "红色的风筝", "每位牌手在自己的回合中可以放飞一只风筝。如果线已经缠住，则该风筝不能被放飞。"),
}
"""Title of the chapter and of its section, and the words of each rule."""


def narrow(text: str, width: int) -> str:
    """The text in lines of at most so many characters; Japanese and Chinese break anywhere."""
    if text.isascii():
        return "\n".join(wrap(text, width))
    return "\n".join(text[start : start + width] for start in range(0, len(text), width))


@pytest.mark.parametrize("width", [20, 38])
@pytest.mark.parametrize("dot", [".", "-"])
@pytest.mark.parametrize("book", BOOKS)
def test_every_rule_ends_where_the_next_number_begins(book: str, dot: str, width: int) -> None:
    chapter, section, words = BOOKS[book]
    rules = [narrow(f"1{dot}1{dot}{n}. {words}", width) for n in range(1, 21)]
    text = "\n".join([f"1. {chapter}", f"1{dot}1. {section}", *rules])
    (reading,) = parse(document(text, "text"), Hints(game="kite"))
    texts = {node.locator: node.text for node in reading.nodes}
    assert list(texts) == ["1", f"1{dot}1", *(f"1{dot}1{dot}{n}" for n in range(1, 21))]
    assert {text for locator, text in texts.items() if locator.count(dot) == 2} == {words}
    assert faults(text, [reading]) == []


PARTS = """第Ⅰ部　凧
1. 凧
1.1. 赤い凧
1.1.1. 凧師は凧を揚げる。
1.1.2. 凧師は凧を下ろす。
風の章
2. 風
2.1. 風の場合は、凧師が凧を揚げたときに
限り風が吹く。
2.1.1. 凧師は風を待つ。
2.1.2. 凧師は風を呼ぶ。

付録A：凧師一覧

赤い凧師
青い凧師
付録B：凧の一覧
大きな凧
"""


def test_parts_titles_and_appendices_do_not_belong_to_the_rule_above() -> None:
    reading = parsed(PARTS, "dotted", "ja")
    assert [(node.locator, node.kind, node.text) for node in reading.nodes if not node.number] == [
        ("piers/1", "chapter", "風の章"),
        ("piers/2", "chapter", "付録A：凧師一覧"),
        ("piers/2~1", "prose", "赤い凧師\n青い凧師"),
        ("piers/3", "chapter", "付録B：凧の一覧"),
        ("piers/3~1", "prose", "大きな凧"),
    ]
    rules = {node.locator: node.text for node in reading.nodes}
    assert rules["2.1"] == "風の場合は、凧師が凧を揚げたときに限り風が吹く。"
    assert (rules["1.1.2"], rules["2.1.2"]) == ("凧師は凧を下ろす。", "凧師は風を呼ぶ。")
    assert faults(PARTS, [reading]) == []


@pytest.mark.parametrize(
    ("names", "cut", "rest", "dot"),
    [
        (("Kites", "Poles"), "A kite may be tied to the long pole", "or to the short pole.", " "),
        (("凧の章", "棒の章"), "凧師は凧を長い棒に結ぶことができ、そのあとで", "短い棒に結ぶことができる。", ""),
    ],
    ids=["en", "ja"],
)
def test_running_heads_of_several_chapters_are_no_words_of_rules(names: tuple[str, str], cut: str, rest: str, dot: str) -> None:
    pages = [
        "".join(f"{chapter}.1.{page * 3 + n}. {cut}\n{rest}\n" for n in range(2)) + f"{chapter}.1.{page * 3 + 2}. {cut}"
        for chapter in (1, 2)
        for page in range(5)
    ]
    text = "".join(
        (f"{page // 5 + 1}. {names[page // 5]}\n{page // 5 + 1}.1. {names[page // 5]}\n" if page % 5 == 0 else "")
        + f"{words}\n\f{names[page // 5]} {page + 2}\n{rest}\n"
        for page, words in enumerate(pages)
    )
    reading = parsed(text, "dotted", "en" if dot else "ja")
    rules = [node for node in reading.nodes if node.locator.count(".") == 2]
    assert len(rules) == 30
    assert {node.text for node in rules} == {cut + dot + rest}
    assert faults(text, [reading]) == []
