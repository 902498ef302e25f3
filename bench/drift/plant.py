"""Errors planted in a translation with a seed: a Chinese edition with 200 errors of eleven kinds, and their places.

Or second renderings of 200 terms, each in some of the rules that have the term.
It works on the lines of the file and shares no code with the error detection.
"""

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ERROR_KINDS = (
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
_WORDS = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
WRONG_TERMS: Mapping[str, str] = _WORDS["terms"]
LOST_NEGATIONS: Mapping[str, str] = _WORDS["operators"]
CARD_NAMES, OTHER_CARD_NAMES = _WORDS["names"], _WORDS["other_names"]
_ERRORS_PER_KIND = 5
"""At most one in this many places is changed, so that it is a slip and not a habit."""
_RULE = re.compile(r"^(\d{3}\.\d+[a-z]*)\.?\s?(.*)$")
_EXAMPLE = "例如："
_FIGURE = re.compile(
    r"(?<![0-9./{+\-–A-Za-z规则])([2-9]|1[0-9]|20)(?=点|张|个|位|次|名)|([两三四五六七八九])(?=张|个|位|点|次|名|种)"
)
_SYMBOL = re.compile(r"\{(?:[WUBRGC]|[0-9])\}|[+][0-9]/[+][0-9]|(?<![0-9+\-/])[0-9]/[0-9](?![0-9/])")
_CITED = re.compile(r"规则(\d{3})(\.\d+)?([a-z])?")
_SENTENCE = re.compile(r"[^。]+。[”）]?")


class PlantedError(NamedTuple):
    """One error: its kind, its rule and the original words."""

    kind: str
    number: str
    was: str


class Line(NamedTuple):
    """A line of the file, and its rule."""

    at: int
    number: str
    text: str
    example: bool


Change = Callable[[str, random.Random], tuple[str, str] | None]
"""A function from a line to the changed line and the original words; None if the line has nothing of the kind."""


def plant_errors(chinese: str, english: str, seed: int, count: int = 200) -> tuple[str, list[PlantedError]]:
    """The text with that many errors, each in a rule of its own."""
    chance = random.Random(seed)
    lines, original = chinese.split("\n"), _rules(english)
    numbered_lines = list(_lines(lines))
    chance.shuffle(numbered_lines)
    planted_errors: list[PlantedError] = []
    used_numbers: set[str] = set()
    for nth, kind in enumerate(ERROR_KINDS):
        # if one kind has too few places, the other kinds get more errors
        share = -(-(count - len(planted_errors)) // (len(ERROR_KINDS) - nth))
        change = _error_functions(original)[kind]
        for line in numbered_lines:
            if sum(slip.kind == kind for slip in planted_errors) >= share:
                break
            if line.number in used_numbers or (line.example != (kind == "missing-example") and kind != "name"):
                continue
            change_made = change(lines[line.at], chance) if kind != "untranslated" else _leave_untranslated(line, original)
            if change_made is not None and not (kind in ("name", "term") and _is_habit(change_made[1], planted_errors, chinese)):
                lines[line.at], was = change_made
                used_numbers.add(line.number)
                planted_errors.append(PlantedError(kind, line.number, was))
    return "\n".join(lines), planted_errors


def _is_habit(original: str, errors: Sequence[PlantedError], text: str) -> bool:
    """Whether a word has already been changed as often as allowed."""
    return sum(slip.was == original for slip in errors) >= (
        2 if original in WRONG_TERMS else max(1, sum(original in line for line in text.split("\n")) // _ERRORS_PER_KIND)
    )


def _lines(lines: Sequence[str]) -> Iterator[Line]:
    """The rules and examples of the book, whose table of contents has no numbers with an inner point."""
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


def _error_functions(original: Mapping[str, str]) -> Mapping[str, Change]:
    return {
        "missing-rule": _drop_rule,
        "missing-example": lambda text, _: ("", text),
        "missing-sentence": _drop_sentence,
        "number": _change_number,
        "symbol": _change_symbol,
        "name": _change_name,
        "citation": _change_citation,
        "term": _change_term,
        "operator": _drop_operator,
        "untranslated": lambda text, _: None,
        "punctuation": _change_sign,
    }


def _drop_rule(text: str, _: random.Random) -> tuple[str, str] | None:
    return ("", text) if len(text) > 30 else None


def _drop_sentence(text: str, rng: random.Random) -> tuple[str, str] | None:
    sentences = [
        sentence for sentence in _SENTENCE.findall(_RULE.sub(r"\2", text)) if len(sentence) >= 14 and "参见" not in sentence
    ]
    if len(sentences) < 2:
        return None
    removed_sentence = rng.choice(sentences[1:])
    return text.replace(removed_sentence, "", 1), removed_sentence


def _change_number(text: str, rng: random.Random) -> tuple[str, str] | None:
    matches = list(_FIGURE.finditer(text))
    if not matches:
        return None
    match = rng.choice(matches)
    others = "23456789" if match[1] else "两三四五六七八九"
    there = {term[0] for term in matches}
    other = rng.choice([word for word in others if word not in there])
    return text[: match.start()] + other + text[match.end() :], match[0]


def _change_symbol(text: str, rng: random.Random) -> tuple[str, str] | None:
    matches = list(_SYMBOL.finditer(text))
    if not matches:
        return None
    match = rng.choice(matches)
    other = {"{": rng.choice(["{S}", "{9}", ""]), "+": "+7/+7"}.get(match[0][0], "8/8")
    return text[: match.start()] + other + text[match.end() :], match[0]


def _change_name(text: str, rng: random.Random) -> tuple[str, str] | None:
    there = [name for name in CARD_NAMES if name in text]
    if not there:
        return None
    old_name = max(there, key=len)
    return text.replace(old_name, rng.choice(OTHER_CARD_NAMES)), old_name


def _change_citation(text: str, rng: random.Random) -> tuple[str, str] | None:
    matches = list(_CITED.finditer(text))
    if not matches:
        return None
    match = rng.choice(matches)
    other = f"规则{int(match[1]) % 700 + 101}" + (match[2] or "")
    return text[: match.start()] + other + text[match.end() :], match[0]


def _change_term(text: str, rng: random.Random) -> tuple[str, str] | None:
    there = [term for term in WRONG_TERMS if term in text]
    if not there:
        return None
    old_term = rng.choice(there)
    return text.replace(old_term, WRONG_TERMS[old_term]), old_term


def _drop_operator(text: str, rng: random.Random) -> tuple[str, str] | None:
    there = [(word, other) for word, other in LOST_NEGATIONS.items() if text.count(word) == 1]
    if not there:
        return None
    old_operator, other = rng.choice(there)
    return text.replace(old_operator, other, 1), old_operator


def _leave_untranslated(line: Line, original: Mapping[str, str]) -> tuple[str, str] | None:
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


def _change_sign(text: str, rng: random.Random) -> tuple[str, str] | None:
    body = _RULE.sub(r"\2", text).rstrip()
    if "。" not in body:
        return None
    ways = [_half_width, _double_full_stop, _drop_full_stop, _drop_bracket("（", "）"), _drop_bracket("“", "”")]
    rng.shuffle(ways)
    for way in ways:
        if (new_body := way(body)) != body:
            return text.replace(body, new_body), body
    return None


def _half_width(text: str) -> str:
    return re.sub(r"(?<=[一-鿿])，(?=[一-鿿])", ",", text, count=1)


def _double_full_stop(text: str) -> str:
    return text.replace("。", "。。", 1)


def _drop_full_stop(text: str) -> str:
    return text.removesuffix("。")


def _drop_bracket(first: str, last: str) -> Callable[[str], str]:
    return lambda text: text.replace(last, "", 1) if text.count(first) == text.count(last) else text


class PlantedRendering(NamedTuple):
    """A second rendering of a term: the usual words, the second ones, and the number of rules that have either."""

    usual: str
    second: str
    rules: int
    changed: int


_MIN_RULES, _SHARES = 6, (0.25, 0.5)
"""Rules with a term from which it is chosen, and the share of them that get the second rendering."""


def plant_renderings(
    chinese: str, english: str, names: Sequence[tuple[str, str]], seed: int, count: int = 200
) -> tuple[str, list[PlantedRendering]]:
    """The text with a second, invented rendering of so many terms; `names` are pairs of an English and a Chinese name.

    A term is chosen if enough rules have its name in both languages, and if its Chinese name and another chosen one do not contain
    each other.
    """
    chance = random.Random(seed)
    lines, original = chinese.split("\n"), _rules(english)
    characters = sorted({character for line in lines for character in line if "一" <= character <= "鿿"})
    pattern = re.compile("|".join(map(re.escape, sorted({name for _, name in names}, key=len, reverse=True))))
    having: dict[str, set[int]] = {}
    for line in _lines(lines):
        for name in {match[0] for match in pattern.finditer(line.text)}:
            having.setdefault(name, set()).add(line.at)
    numbers = {line.at: line.number for line in _lines(lines)}
    planted_renderings: list[PlantedRendering] = []
    for english_name, name in chance.sample(names, len(names)):
        word = re.compile(rf"\b{re.escape(english_name)}", re.IGNORECASE)
        places = sorted(at for at in having.get(name, ()) if word.search(original.get(numbers[at], "")))
        if len(planted_renderings) == count:
            break
        if (
            len(places) < _MIN_RULES
            or len(name) < 2
            or any(name in other.usual or other.usual in name for other in planted_renderings)
        ):
            continue
        second = next(word for word in _invented_words(chance, characters) if word not in chinese)
        changed_places = chance.sample(places, max(3, round(chance.uniform(*_SHARES) * len(places))))
        for at in changed_places:
            lines[at] = _replace_name(pattern, lines[at], name, second)
        planted_renderings.append(PlantedRendering(name, second, len(places), len(changed_places)))
    return "\n".join(lines), planted_renderings


def _replace_name(pattern: re.Pattern[str], text: str, name: str, second: str) -> str:
    """The text with other words for a name outside longer names, which the pattern matches too."""
    return pattern.sub(lambda match: second if match[0] == name else match[0], text)


def _invented_words(chance: random.Random, characters: Sequence[str]) -> Iterator[str]:
    while True:
        yield "".join(chance.choices(characters, k=chance.choice((2, 2, 3, 4))))
