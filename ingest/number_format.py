"""Numbering formats (`999.9a-9`) as one linear regular expression, and printed numbers as comparable keys.

The expression has no nested repetition: each component is a bounded run of one character class, so matching takes time linear in
the length of the line.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from corpus.catalogue import FORMAT_PART, Grammar, catalogue
from corpus.reference import fold_number
from corpus.words.text import CJK, CJK_MARKS

Key = tuple[int, ...]
"""A number as integers, from the outermost component: 4 → (4,), 400.7d of a grammar with hundreds → (4, 400, 7, 4)."""
_TORN_DOT = r" ?\.(?: (?=\d{1,3} ?\.))?"
"""A dot inside a number, with the spaces that copies of PDFs leave around it (`1 .2 .3 .`, `1. 2. 3.`)."""
_DASH = "[-\u2010\u2011\u2013\u2212]"
_COMPONENTS = re.compile(r"\d+|[a-z]+")
_AFTER_LETTER = rf"(?=\s?[{CJK}{CJK_MARKS}])"  # `701.23 b` is one number only before Japanese or Chinese


class Number(NamedTuple):
    """A number found in a text: its level in the grammar, its key and its span."""

    level: int
    key: Key
    surface: str
    start: int
    end: int  # after the final dot or other closing character
    dotted: bool  # whether it has a final dot, stands in brackets or is called a chapter
    label: str  # written as an address


def _component_pattern(part: str, first: bool) -> str:
    match part:
        case "900":
            return r"\d{1,2}00"
        case "999":
            return r"\d{3,4}"
        case "9":
            return r"\d{1,2}" if first else r"\d{1,3}"
        case "a":
            return rf"(?:[A-Za-z]{{1,2}}| [a-z]{_AFTER_LETTER})(?![A-Za-z])"
        case separator:
            return re.escape(separator)


def format_pattern(number_format: str, *, tolerate_errors: bool = False) -> str:
    """The regular expression of one number format; a dirty one allows torn dots and other dashes."""
    pattern = "".join(_component_pattern(match[0], match.start() == 0) for match in FORMAT_PART.finditer(number_format))
    return pattern.replace(r"\.", _TORN_DOT).replace(r"\-", _DASH) if tolerate_errors else pattern


@cache
def number_pattern(grammar: Grammar, *, tolerate_errors: bool = False) -> str:
    """One alternation over all levels, the deepest first, each a group named after its level (`l3`)."""
    levels = reversed(list(enumerate(grammar.levels)))
    forms = (
        (index, "|".join(format_pattern(number_format, tolerate_errors=tolerate_errors) for number_format in level.formats))
        for index, level in levels
    )
    return "|".join(f"(?P<l{index}>{form})" for index, form in forms)


# Text after a number that opens a rule: a space, the end, or (without a space after the dot) the first word.
_AFTER_NUMBER = rf"(?: ?\.(?=[\s\"'“‘(\[<A-Z{CJK}{CJK_MARKS}]|\*\*|$)|(?=[\s{CJK}\u3008-\u3011]|\*\*|$))"


_CAPTION = r"(?<=\d)(?=[A-Z][A-Za-z])"
"""Between a number and a caption that a copy glued to it: `2.23CANCELLATION`."""
_AFTER_CLOSED_NUMBER = rf"(?:\)(?=[\s\"'“‘A-Z{CJK}]|$)|{_AFTER_NUMBER})"
_NUMBER_AT_LINE_START = r"^[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*)?\d{1,3}(?:[.\-]\d{1,3}){1,6}"
_CLOSED_NUMBER = re.compile(rf"{_NUMBER_AT_LINE_START}\)(?=[\s{CJK}]|$)", re.M)
_OTHER_NUMBER = re.compile(rf"{_NUMBER_AT_LINE_START}\.?(?=[\s{CJK}]|$)", re.M)
_MIN_CLOSED_NUMBERS = 3


@lru_cache(maxsize=4)
def closes_numbers(text: str) -> bool:
    """Whether a book prints most of its numbers with a closing bracket: `1.1) Ferries`. In others that ends a wrapped citation."""
    closed = len(_CLOSED_NUMBER.findall(text))
    return closed >= _MIN_CLOSED_NUMBERS and closed > len(_OTHER_NUMBER.findall(text))


@cache
def opening_pattern(grammar: Grammar, *, closed: bool = False) -> re.Pattern[str]:
    """Matches a number at the start of a rule, with list, heading or emphasis marks before it.

    `closed`: the book prints a closing bracket after its numbers.
    """
    marks = r"[ \t\f]*(?:#{1,6}[ \t]+|[*\-•·◦▪●○■□>o][ \t]+)?(?:\*\*|__|§ ?)?"
    words = catalogue().cues
    lead = rf"(?:(?P<open>\()|(?P<word>{words['chapter']})(?=\d{{1,3}}(?!\d|[.\-]\d)|[\d.\-a-z]{{1,16}}:))?"
    after = rf"(?(open)\)(?=\s|$)|(?(word)(?:{words['chapter_end']})|{_after_number(closed)}))"
    return re.compile(rf"{marks}{lead}(?:{number_pattern(grammar, tolerate_errors=True)}){after}", re.M)


@cache
def bare_opening_pattern(grammar: Grammar, *, closed: bool = False) -> re.Pattern[str]:
    """Equivalent to `opening_pattern` on a line that begins with a digit, in half the time."""
    return re.compile(rf"(?:{number_pattern(grammar, tolerate_errors=True)}){_after_number(closed)}", re.M)


def _after_number(closed: bool) -> str:
    return f"(?:{_AFTER_CLOSED_NUMBER if closed else _AFTER_NUMBER}|{_CAPTION})"


@cache
def inline_pattern(grammar: Grammar) -> re.Pattern[str]:
    """Matches a number inside a line after the end of a sentence."""
    closed = r"(?<=[.。!?！？）)」』”\":：] )|(?<=[。！？）」』：])|(?<=[.!?)” ]\t)"
    return re.compile(rf"(?:{closed})(?:\*\*)?(?:{number_pattern(grammar)}){_AFTER_NUMBER}")


@cache
def anywhere_pattern(grammar: Grammar) -> re.Pattern[str]:
    """Matches a number inside a line after any text."""
    return re.compile(rf"(?:\*\*)?(?:{number_pattern(grammar)}){_AFTER_NUMBER}")


def _component_value(component: str) -> int:
    """Integer rank of a component; aa follows z."""
    if component.isdigit():
        return int(component)
    rank = 0
    for letter in component:
        rank = 26 * rank + ord(letter) - ord("a") + 1
    return rank


@lru_cache(maxsize=1 << 16)
def number_key(words: str, grammar: Grammar) -> Key:
    """The key of a printed number."""
    components = _COMPONENTS.findall(fold_number(words))
    values = [_component_value(component) for component in components]
    if not grammar.hundreds:
        return tuple(values)
    if len(components[0]) < 3:
        return (values[0], *values[1:])
    if grammar.levels[0].formats[0] == "900" and len(values) == 1 and values[0] % 100 == 0:
        return (values[0] // 100,)
    return (values[0] // 100, *values)


@cache
def _whole_pattern(grammar: Grammar) -> re.Pattern[str]:
    return re.compile(number_pattern(grammar, tolerate_errors=True))


def dotted_number(text: str, start: int, dot: int, grammar: Grammar) -> Number | None:
    """The number between two places of a text, of which the second has its final dot; None if no level has this form."""
    match = _whole_pattern(grammar).fullmatch(text, start, dot)
    return parse_number(match, grammar)._replace(end=dot + 1, dotted=True) if match else None


def parse_number(match: re.Match[str], grammar: Grammar) -> Number:
    """The number in a match of `opening_pattern` or `inline_pattern`."""
    group = match.lastgroup or ""  # the level: it closes last
    surface = match[group]
    start, end = match.span(group)
    closed = match.end()
    level, key, label = _parse_group(surface, group, grammar)
    return Number(level, key, surface, start, closed, closed > end, label)


@lru_cache(maxsize=1 << 16)
def _parse_group(surface: str, group: str, grammar: Grammar) -> tuple[int, Key, str]:
    """The level, key and label of a number that a group of the expression matched."""
    key = number_key(surface, grammar)
    level = 0 if len(key) == 1 else int(group[1:])  # `300.` has the form of a section and the key of a chapter
    return level, key, fold_number(surface)
