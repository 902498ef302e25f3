"""Errors planted into a translation by a seeded hand: a Chinese edition with 200 errors of eleven kinds, and where they are.

It works on the lines of the file and shares nothing with what looks for errors.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

KINDS = (
    "missing-rule",
    "missing-example",
    "missing-sentence",
    "number",
    "symbol",
    "name",
    "citation",
    "term",
    "operator",
    "untranslated",
    "punctuation",
)
WRONG_TERMS = {
    "坟墓场": "墓地",
    "牌库": "卡组",
    "手牌": "手卡",
    "生物": "怪兽",
    "战场": "场面",
    "永久物": "永续物",
    "异能": "能力",
    "放逐": "除外",
    "横置": "倾斜",
    "衍生物": "代币",
    "指示物": "计数器",
    "堆叠": "堆栈",
    "操控者": "持有人",
    "拥有者": "所有人",
    "法术力": "魔力",
    "效应": "效果",
    "目标": "对象",
    "牌手": "选手",
    "咒语": "法术牌",
    "伤害": "损伤",
    "鹏洛客": "旅法师",
    "先攻": "先制",
    "践踏": "蹂躏",
    "神器": "宝物",
    "结界": "附魔",
}
"""Terms of the book, and words that another translator might take."""
LOST = (
    ("不能", "能"),
    ("不会", "会"),
    ("不得", "可"),
    ("不再", "再"),
    ("可以", ""),
    ("只能", "能"),
    ("仅", ""),
    ("除非", "如果"),
    ("改为", ""),
    ("必须", ""),
    ("每位", "一位"),
    ("每个", "一个"),
    ("每当", "当"),
    ("至少", ""),
    ("同时", ""),
)
"""Words that decide what a rule means, and what a slip makes of them."""
NAMES = (
    "符爪熊",
    "仿生妖",
    "墓地鼠群",
    "午夜拾荒客",
    "吱响寄主",
    "不稳定变形兽",
    "万物使者",
    "俊杰",
    "天启",
    "阿炯",
    "贾路的兽群",
    "倍产旺季",
    "塔莫耶夫",
    "分叉击",
)
"""Names of cards and people that the book has in several examples."""
OTHERS = ("灰熊", "闪电击", "血月", "谦卑", "自然秩序", "风暴元素", "秋柳", "霜巨人", "金翼天使")
"""Names that it has not."""
_EACH = 5
"""Of so many places one is mistaken at most: a slip, no other habit."""
_RULE = re.compile(r"^(\d{3}\.\d+[a-z]*)\.?\s?(.*)$")
_EXAMPLE = "例如："
_FIGURE = re.compile(
    r"(?<![0-9./{+\-–A-Za-z规则])([2-9]|1[0-9]|20)(?=点|张|个|位|次|名)|([两三四五六七八九])(?=张|个|位|点|次|名|种)"
)
_SYMBOL = re.compile(r"\{(?:[WUBRGC]|[0-9])\}|[+][0-9]/[+][0-9]|(?<![0-9+\-/])[0-9]/[0-9](?![0-9/])")
_CITED = re.compile(r"规则(\d{3})(\.\d+)?([a-z])?")
_SENTENCE = re.compile(r"[^。]+。[”）]?")


class Planted(NamedTuple):
    """One error: its kind, the rule in which it is, and what was there."""

    kind: str
    number: str
    was: str


class Line(NamedTuple):
    """A line of the file, and the rule that it belongs to."""

    at: int
    number: str
    text: str
    example: bool


Change = Callable[[str, random.Random], tuple[str, str] | None]
"""From a line to what it becomes and what was there; None where it has nothing of the kind."""


def planted(chinese: str, english: str, seed: int, count: int = 200) -> tuple[str, list[Planted]]:
    """The text with that many errors, each in a rule of its own."""
    chance = random.Random(seed)
    lines, original = chinese.split("\n"), _rules(english)
    numbered = list(_lines(lines))
    chance.shuffle(numbered)
    told: list[Planted] = []
    used: set[str] = set()
    for nth, kind in enumerate(KINDS):
        wanted = -(-(count - len(told)) // (len(KINDS) - nth))  # what one kind has not enough places for, the others have
        change = _changes(original)[kind]
        for line in numbered:
            if sum(slip.kind == kind for slip in told) >= wanted:
                break
            if line.number in used or (line.example != (kind == "missing-example") and kind != "name"):
                continue
            made = change(lines[line.at], chance) if kind != "untranslated" else _left(line, original)
            if made is not None and not (kind in ("name", "term") and _is_habit(made[1], told, chinese)):
                lines[line.at], was = made
                used.add(line.number)
                told.append(Planted(kind, line.number, was))
    return "\n".join(lines), told


def _is_habit(was: str, told: Sequence[Planted], text: str) -> bool:
    """Whether a word has been mistaken as often as it may be."""
    return sum(slip.was == was for slip in told) >= (
        2 if was in WRONG_TERMS else max(1, sum(was in line for line in text.split("\n")) // _EACH)
    )


def _lines(lines: Sequence[str]) -> Iterator[Line]:
    """The rules and examples of the book, whose table of contents has no numbers with a point inside."""
    number = ""
    for at, text in enumerate(lines):
        if match := _RULE.match(text):
            number = match[1]
            yield Line(at, number, text, False)
        elif number and text.startswith(_EXAMPLE):
            yield Line(at, number, text, True)


def _rules(english: str) -> Mapping[str, str]:
    matches = (_RULE.match(line) for line in english.split("\n"))
    return {match[1]: match[2] for match in matches if match}


def _changes(original: Mapping[str, str]) -> Mapping[str, Change]:
    return {
        "missing-rule": _no_rule,
        "missing-example": lambda text, _: ("", text),
        "missing-sentence": _no_sentence,
        "number": _other_number,
        "symbol": _other_symbol,
        "name": _other_name,
        "citation": _other_citation,
        "term": _other_term,
        "operator": _no_operator,
        "untranslated": lambda text, _: None,
        "punctuation": _other_sign,
    }


def _no_rule(text: str, _: random.Random) -> tuple[str, str] | None:
    return ("", text) if len(text) > 30 else None


def _no_sentence(text: str, chance: random.Random) -> tuple[str, str] | None:
    sentences = [
        sentence for sentence in _SENTENCE.findall(_RULE.sub(r"\2", text)) if len(sentence) >= 14 and "参见" not in sentence
    ]
    if len(sentences) < 2:
        return None
    gone = chance.choice(sentences[1:])
    return text.replace(gone, "", 1), gone


def _other_number(text: str, chance: random.Random) -> tuple[str, str] | None:
    matches = list(_FIGURE.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches)
    others = "23456789" if match[1] else "两三四五六七八九"
    there = {term[0] for term in matches}
    other = chance.choice([word for word in others if word not in there])
    return text[: match.start()] + other + text[match.end() :], match[0]


def _other_symbol(text: str, chance: random.Random) -> tuple[str, str] | None:
    matches = list(_SYMBOL.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches)
    other = {"{": chance.choice(["{S}", "{9}", ""]), "+": "+7/+7"}.get(match[0][0], "8/8")
    return text[: match.start()] + other + text[match.end() :], match[0]


def _other_name(text: str, chance: random.Random) -> tuple[str, str] | None:
    there = [name for name in NAMES if name in text]
    if not there:
        return None
    gone = max(there, key=len)
    return text.replace(gone, chance.choice(OTHERS)), gone


def _other_citation(text: str, chance: random.Random) -> tuple[str, str] | None:
    matches = list(_CITED.finditer(text))
    if not matches:
        return None
    match = chance.choice(matches)
    other = f"规则{int(match[1]) % 700 + 101}" + (match[2] or "")
    return text[: match.start()] + other + text[match.end() :], match[0]


def _other_term(text: str, chance: random.Random) -> tuple[str, str] | None:
    there = [term for term in WRONG_TERMS if term in text]
    if not there:
        return None
    gone = chance.choice(there)
    return text.replace(gone, WRONG_TERMS[gone]), gone


def _no_operator(text: str, chance: random.Random) -> tuple[str, str] | None:
    there = [(word, other) for word, other in LOST if text.count(word) == 1]
    if not there:
        return None
    gone, other = chance.choice(there)
    return text.replace(gone, other, 1), gone


def _left(line: Line, original: Mapping[str, str]) -> tuple[str, str] | None:
    """The rule, or the last sentence of a long one, in English."""
    english = original.get(line.number, "")
    if len(english) < 60:
        return None
    head = line.text[: line.text.index(_RULE.sub(r"\2", line.text))]
    sentences = _SENTENCE.findall(_RULE.sub(r"\2", line.text))
    last = english.rstrip().split(". ")[-1]
    if len(sentences) > 2 and len(last) > 40:
        return head + "".join(sentences[:-1]) + last, sentences[-1]
    return head + english, line.text


def _other_sign(text: str, chance: random.Random) -> tuple[str, str] | None:
    body = _RULE.sub(r"\2", text).rstrip()
    if "。" not in body:
        return None
    ways = [_half_width, _twice, _endless, _torn("（", "）"), _torn("“", "”")]
    chance.shuffle(ways)
    for way in ways:
        if (made := way(body)) != body:
            return text.replace(body, made), body
    return None


def _half_width(text: str) -> str:
    return re.sub(r"(?<=[一-鿿])，(?=[一-鿿])", ",", text, count=1)


def _twice(text: str) -> str:
    return text.replace("。", "。。", 1)


def _endless(text: str) -> str:
    return text.removesuffix("。")


def _torn(first: str, last: str) -> Callable[[str], str]:
    return lambda text: text.replace(last, "", 1) if text.count(first) == text.count(last) else text
