"""Running heads and feet: lines that come back page after page, and those of them that count the pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

_DIGITS = re.compile(r"\d{1,4}")
_LONGEST = 120  # characters of a head
_PLACES = 4  # numbers of a head, one of which may be the page's
_FEWEST = 4  # pages
_BLOCK = 6  # lines of a head or foot
_APART = 6  # lines between two pages, on average
_NO_HEAD = re.compile(r"[#*•|]|\d+[.\-:)]|(?:chapter|section|part|rule|step|level|example) ?\d|第 ?\d+ ?[章部编編篇条條]", re.I)
"""What counts on as well, but is no page: headings, rules, list entries, table rows."""


class _Line(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


Run = Callable[[list[tuple[int, int]]], dict[int, int]]
"""Picks from (line, number) pairs those that count on."""


def page_lines(text: str, lines: Sequence[_Line], counting: Run) -> dict[int, int]:
    """Lines such as `Complete Rules 12`, `Page 3 of 40`, `=== 第 5 页 ===` that count the pages: {line index: page}."""
    alike: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for index, line in enumerate(lines):
        if line.end - line.start > _LONGEST or not (text[line.end - 1].isdigit() or text[line.end - 1] in "=-—–)]ジ页頁"):
            continue
        words = text[line.start : line.end]
        if _NO_HEAD.match(words):
            continue
        for place, number in enumerate(_DIGITS.findall(words)[:_PLACES]):
            alike[f"{place} {_DIGITS.sub('#', words)}"].append((index, int(number)))
    found: dict[int, int] = {}
    for numbered in alike.values():
        if len(numbered) >= _FEWEST and numbered[-1][0] - numbered[0][0] >= max(_APART * len(numbered), len(lines) // 2):
            run = counting(numbered)
            found |= run if len(run) >= 0.8 * len(numbered) else {}
    return found


def heads(text: str, lines: Sequence[_Line], numbers: Mapping[int, int]) -> set[int]:
    """The lines in one block with page numbers that come back page after page."""
    often = max(_FEWEST, len(numbers) // 3)
    beside = {j for i in numbers for j in range(max(0, i - _BLOCK), min(len(lines), i + _BLOCK + 1))} - numbers.keys()
    words = {j: text[lines[j].start : lines[j].end] for j in beside}
    count = Counter(words.values())
    return {j for i in numbers for side in (-1, 1) for j in _block(i, side, lambda j: count[words.get(j, "")] >= often)}


def _block(line: int, side: int, is_head: Callable[[int], bool]) -> Iterable[int]:
    """The lines above or below a page number as long as they are heads."""
    for j in range(line + side, line + side * (_BLOCK + 1), side):
        if not is_head(j):
            return
        yield j
