"""Page furniture: page numbers, and the headers and footers that come back page after page."""

import itertools
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from ingest.lines import Line, is_closed

_NUMBER = re.compile(r"[-–— ]{0,2}(\d{1,4})[-–— ]{0,2}$")
_NUMBER_GLUED = re.compile(r"[ \t](\d{1,4})$")
_LONGEST_NUMBER = 8  # characters of a page number and its dashes
_DIGITS = re.compile(r"\d{1,4}")
_LONGEST = 120  # characters of a header
_PLACES = 4  # numbers of a header, one of which may be the page's
_FEWEST = 4  # pages
_NEAR = 6  # lines of a header or footer
_APART = 6  # lines between two pages, on average
_NO_HEADER = re.compile(r"[#*•|]|\d+[.\-:)]|(?:chapter|section|part|rule|step|level|example) ?\d|第 ?\d+ ?[章部编編篇条條]", re.I)
"""What counts on as well, but is no page: headings, rules, list entries, table rows."""
Numbered = Sequence[tuple[int, int]]
"""Lines with a number: (line index, number)."""


def without_furniture(text: str, lines: list[Line]) -> tuple[list[Line], list[tuple[int, int]]]:
    """The lines without page furniture, and where that stands.

    Page numbers stand alone on a line, in a header, or glued to the end of a page's last line.
    """
    numbers = _lone_numbers(text, lines)
    glued = _glued_numbers(text, lines, numbers) if numbers else {}
    numbers |= _numbered_headers(text, lines)
    if not numbers:
        return lines, []
    dropped = numbers.keys() | _headers(text, lines, numbers)
    furniture: list[tuple[int, int]] = []
    kept: list[Line] = []
    broken = False
    for i, line in enumerate(lines):
        if i in dropped:
            furniture.append((line.start, line.end))
            broken = True
            continue
        if i in glued:
            furniture.append((glued[i], line.end))
            line = line._replace(end=line.start + len(text[line.start : glued[i]].rstrip()))
        if broken and kept and not is_closed(text, kept[-1]):
            line = line._replace(gap=0)  # a sentence runs on over the page break
        kept.append(line)
        broken = i in glued
    return kept, furniture


def _lone_numbers(text: str, lines: Sequence[Line]) -> dict[int, int]:
    """Page numbers alone on a line: {line index: page}."""
    alone = (
        (i, int(match[1]))
        for i, line in enumerate(lines)
        if line.end - line.start <= _LONGEST_NUMBER and (match := _NUMBER.match(text, line.start, line.end))
    )
    return _counting(list(alone))


def _counting(numbered: Numbered) -> dict[int, int]:
    """The longest run of numbers that counts on page by page: {line index: page}."""
    best: list[tuple[int, int]] = []
    tails: list[int] = []
    back: dict[int, int] = {}
    ends: list[int] = []
    for position, (_, number) in enumerate(numbered):  # longest increasing subsequence, O(n log n)
        place = bisect_left(tails, number)
        back[position] = ends[place - 1] if place else -1
        tails[place : place + 1] = [number]
        ends[place : place + 1] = [position]
    at = ends[-1] if ends else -1
    while at >= 0:
        best.append(numbered[at])
        at = back[at]
    best.reverse()
    steps = [after[1] - before[1] for before, after in itertools.pairwise(best)]
    counting = len(best) >= 3 and sum(step <= 3 for step in steps) >= 0.8 * len(steps)
    return dict(best) if counting else {}


def _glued_numbers(text: str, lines: Sequence[Line], numbers: Mapping[int, int]) -> dict[int, int]:
    """Pages whose number was glued to the end of their last line: {line index: where the number begins}."""
    pages = sorted(numbers.items())
    glued: dict[int, int] = {}
    for (before, low), (after, high) in zip([(0, 0), *pages], [*pages, (len(lines), pages[-1][1] + 2)], strict=True):
        for i in range(before, after) if high - low > 1 else ():
            match = _NUMBER_GLUED.search(text, max(lines[i].end - 5, lines[i].start), lines[i].end)
            last = i + 1 == len(lines) or lines[i + 1].gap >= 2
            if match and last and low < int(match[1]) < high:
                glued[i] = match.start(1)
                low = int(match[1])
    return glued


def _numbered_headers(text: str, lines: Sequence[Line]) -> dict[int, int]:
    """Lines such as `Complete Rules 12`, `Page 3 of 40`, `=== 第 5 页 ===` that count the pages: {line index: page}."""
    alike: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for index, line in enumerate(lines):
        last = text[line.end - 1]
        if not (last.isdigit() or last in "=-—–)]ジ页頁") or line.end - line.start > _LONGEST:
            continue
        words = text[line.start : line.end]
        if _NO_HEADER.match(words):
            continue
        for place, number in enumerate(_DIGITS.findall(words)[:_PLACES]):
            alike[f"{place} {_DIGITS.sub('#', words)}"].append((index, int(number)))
    pages: dict[int, int] = {}
    for numbered in alike.values():
        if len(numbered) >= _FEWEST and numbered[-1][0] - numbered[0][0] >= max(_APART * len(numbered), len(lines) // 2):
            run = _counting(numbered)
            pages |= run if len(run) >= 0.8 * len(numbered) else {}
    return pages


def _headers(text: str, lines: Sequence[Line], numbers: Mapping[int, int]) -> set[int]:
    """The lines beside page numbers that come back page after page."""
    often = max(_FEWEST, len(numbers) // 3)
    beside = {j for i in numbers for j in range(max(0, i - _NEAR), min(len(lines), i + _NEAR + 1))} - numbers.keys()
    words = {j: text[lines[j].start : lines[j].end] for j in beside}
    count = Counter(words.values())
    return {j for i in numbers for side in (-1, 1) for j in _header(i, side, lambda j: count[words.get(j, "")] >= often)}


def _header(line: int, side: int, comes_back: Callable[[int], bool]) -> Iterable[int]:
    """The lines above or below a page number, as long as they come back."""
    for j in range(line + side, line + side * (_NEAR + 1), side):
        if not comes_back(j):
            return
        yield j
