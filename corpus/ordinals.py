"""Ordinal numbers as statutes and regulations have them: 第3条, 第1部第2章第3条, 第三條の二, 第二条第三款.

The address of an article is the shortest unambiguous path (`第3条`, `第2章第3条`); people cite it by any part of the whole path.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from corpus.words.text import to_half_width

UNITS = ("部編编篇", "章", "節节", "款目", "条條", "項项", "号號")
"""The divisions of a text by rank, the outermost first; those of one rank are not nested."""
HAN = "〇零一二三四五六七八九十百"
_FOLDED_UNITS = str.maketrans("编节條项號", "編節条項号")
_SHORT_UNITS = "款条條項项号號"
"""Units that need no 第 behind another step: 第3条2項."""
_COUNT_PATTERN = rf"(?:\d{{1,4}}|[{HAN}]{{1,6}})"
_BRANCH_PATTERN = rf"(?:\s?[のノ之]\s?(?P<branch>\d{{1,2}}|[{HAN}]{{1,3}})(?![\d.,つ人名枚個点回件年月日行文部般切種番段]))?"
_NOT_AFTER = (
    r"(?:(?<=部)(?!分)|(?<=[项項])(?!目)|(?<=[編编])(?![集成])|(?<=[号號])(?![室線线車车機机楼])"
    r"|(?<=目)(?![的标標指録录次])|(?<=[節节])(?![課课])|(?<=[章款条條篇]))"
)
"""Excludes units that are part of a longer word: 第一部分, 第3項目."""
_ORDINAL_PATTERN = rf"\(?(?P<count>{_COUNT_PATTERN})\)?\s?(?P<unit>[{''.join(UNITS)}]){_NOT_AFTER}{_BRANCH_PATTERN}"
_FOLLOWING_ORDINAL = re.compile(rf"\s?(?P<led>[のノ的之]?\s?第\s?)?{_ORDINAL_PATTERN}")
_FIRST_ORDINAL = re.compile(rf"第\s?{_ORDINAL_PATTERN}")
_BARE_ORDINAL = re.compile(_ORDINAL_PATTERN)


class Ordinal(NamedTuple):
    """One step of a path: 第3条の2 is (3, 2, 条). `branch` is 0 where there is none, `unit` in its Japanese form."""

    value: int
    branch: int
    unit: str

    def __str__(self) -> str:
        return f"第{self.value}{self.unit}" + (f"の{self.branch}" if self.branch else "")


Path = tuple[Ordinal, ...]


class FoundPath(NamedTuple):
    """A path in a text."""

    start: int
    end: int
    path: Path


def han_number(text: str) -> int:
    """The value of a number in Han characters: 二〇 and 二十 are 20."""
    if "百" not in text and "十" not in text:
        return int("".join(str(HAN.index(digit) - (1 if HAN.index(digit) else 0)) for digit in text))
    total = 0
    for part, unit in (("百", 100), ("十", 10)):
        if part in text:
            head, _, text = text.partition(part)
            total += unit * (HAN.index(head[-1]) - 1 if head.strip("零〇") else 1)
    return total + (HAN.index(text[-1]) - 1 if text.strip("零〇") else 0)


@lru_cache(maxsize=1 << 12)
def path_in(words: str) -> Path:
    """The path in the form of some words, including `3条2項`; empty for other words, such as `第3条.dup2`."""
    text = to_half_width(words).strip()
    path = _path_at(text, _FIRST_ORDINAL.match(text) or _BARE_ORDINAL.match(text))
    return path.path if path and path.end == len(text) else ()


def paths_in(text: str) -> Iterator[FoundPath]:
    """The paths in a narrow text (see `to_half_width`), each of which begins with 第; in its order."""
    at = text.find("第")
    while at >= 0:
        path = _path_at(text, _FIRST_ORDINAL.match(text, at))
        if path:
            yield path
        at = text.find("第", path.end if path else at + 1)


def fold_path(path: Path) -> str:
    """A path in the form of an address: 第1部第2章第3条."""
    return "".join(map(str, path))


def is_within(path: Sequence[Ordinal], containing_path: Sequence[Ordinal]) -> bool:
    """Whether a path cites the rule with the whole path: the last steps are equal, and the others occur in order."""
    steps = iter(containing_path[:-1])
    return path[-1:] == containing_path[-1:] and all(step in steps for step in path[:-1])


def _path_at(text: str, first: re.Match[str] | None) -> FoundPath | None:
    steps: list[Ordinal] = []
    match, end = first, 0
    while match and (step := _step(match)).unit not in (other.unit for other in steps):
        steps.append(step)
        end = match.end()
        match = _FOLLOWING_ORDINAL.match(text, end)
        if match and not match["led"] and match["unit"] not in _SHORT_UNITS:
            break
    return FoundPath(first.start(), end, tuple(steps)) if first else None


def _step(match: re.Match[str]) -> Ordinal:
    return Ordinal(_count_value(match["count"]), _count_value(match["branch"] or "〇"), match["unit"].translate(_FOLDED_UNITS))


def _count_value(count: str) -> int:
    return int(count) if count.isdigit() and count.isascii() else han_number(count)
