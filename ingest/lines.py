"""A text as its non-blank lines, with page furniture found and the wrap width of the copy measured."""

import itertools
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corpus.text import CJK, narrow
from ingest.furniture import heads, page_lines

_CLOSED = re.compile(r"[.。!?！？:：;；)）」』》】\]”\"’]$")
_CJK_END = re.compile(f"[{CJK}\u3001-\u303f\uff01-\uff60]$")
_CJK_START = re.compile(f"[{CJK}\u3001-\u303f\uff01-\uff60]")
_PAGE = re.compile(r"[-–— ]{0,2}(\d{1,4})[-–— ]{0,2}$")
_PAGE_GLUED = re.compile(r"[ \t](\d{1,4})$")
_LONGEST_PAGE = 8  # characters of a page number and its dashes
_SHORT, _FULL, _OPEN = 0.45, 0.7, 0.6
"""Shares of the wrap width: below the first a line was ended on purpose, above the second perhaps by the margin."""
_MOST_WRAPPED = 240
"""Characters; copies with longer lines are not hard-wrapped."""


class Line(NamedTuple):
    """The text of one line without the blanks around it."""

    start: int
    end: int
    indent: int
    gap: int  # blank lines before it


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a text, what is page furniture among them, and the wrap width (0: not hard-wrapped)."""

    raw: str
    text: str  # narrow: the same offsets, plain digits, dots and blanks
    lines: tuple[Line, ...]
    furniture: tuple[tuple[int, int], ...]
    wrap: int

    def words(self, index: int) -> str:
        """The text of a line."""
        line = self.lines[index]
        return self.text[line.start : line.end]

    def closed(self, index: int) -> bool:
        """Whether a line ends as a sentence, title or list entry ends."""
        line = self.lines[index]
        return bool(_CLOSED.match(self.text, line.end - 1, line.end))

    def full(self, index: int) -> bool:
        """Whether a line of a hard-wrapped copy is long enough to have been wrapped."""
        line = self.lines[index]
        return bool(self.wrap) and line.end - line.start >= _OPEN * self.wrap

    def open(self, index: int) -> bool:
        """Whether a line of a hard-wrapped copy runs on into the next one."""
        return self.full(index) and not self.closed(index)


def lines_of(text: str) -> list[Line]:
    """The non-blank lines."""
    found: list[Line] = []
    start = gap = 0
    for raw in text.splitlines(keepends=True):
        words = raw.strip()
        if words:
            indent = len(raw) - len(raw.lstrip()) if raw[0].isspace() else 0
            found.append(Line(start + indent, start + indent + len(words), indent, gap))
            gap = 0
        else:
            gap += 1
        start += len(raw)
    return found


def page(raw: str) -> Page:
    """The lines of a text without its page numbers."""
    text = narrow(raw)
    lines, furniture = _without_pages(text, lines_of(text))
    return Page(raw, text, tuple(lines), tuple(furniture), _wrap_width(text, lines))


def _wrap_width(text: str, lines: Sequence[Line]) -> int:
    """The width at which the copy was wrapped: most lines that run on are about as long as the longest of them."""
    running = [
        line.end - line.start for line, after in itertools.pairwise(lines) if not after.gap and not text[after.start].isdigit()
    ]
    if len(running) < 8:
        return 0
    width = sorted(running)[int(len(running) * 0.95)]
    full = sum(length >= _FULL * width for length in running)
    return width if width <= _MOST_WRAPPED and full >= 0.6 * len(running) else 0


def _without_pages(text: str, lines: list[Line]) -> tuple[list[Line], list[tuple[int, int]]]:
    """Drops page numbers, alone on a line or glued to the end of a page's last line, and running heads beside them."""
    alone = {
        i: int(m[1])
        for i, line in enumerate(lines)
        if line.end - line.start <= _LONGEST_PAGE and (m := _PAGE.match(text, line.start, line.end))
    }
    numbers = _counting(list(alone.items()))
    glued = _glued_pages(text, lines, numbers) if numbers else {}
    numbers |= page_lines(text, lines, _counting)
    if not numbers:
        return lines, []
    running = heads(text, lines, numbers)
    furniture: list[tuple[int, int]] = []
    kept: list[Line] = []
    broken = False
    for i, line in enumerate(lines):
        if i in numbers or i in running:
            furniture.append((line.start, line.end))
            broken = True
            continue
        if i in glued:
            cut = glued[i]
            furniture.append((cut, line.end))
            line = Line(
                line.start,
                cut - len(text[line.start : cut]) + len(text[line.start : cut].rstrip()),
                line.indent,
                line.gap,
            )
        if broken and kept and not _CLOSED.match(text, kept[-1].end - 1, kept[-1].end):
            line = line._replace(gap=0)  # a sentence runs on over the page break
        kept.append(line)
        broken = i in glued
    return kept, furniture


def _counting(numbered: list[tuple[int, int]]) -> dict[int, int]:
    """The longest run of lone numbers that counts on page by page: {line index: page}."""
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


def _glued_pages(text: str, lines: list[Line], numbers: dict[int, int]) -> dict[int, int]:
    """Pages whose number was glued to the end of their last line: {line index: where the number begins}."""
    pages = sorted(numbers.items())
    found: dict[int, int] = {}
    for (before, low), (after, high) in zip([(0, 0), *pages], [*pages, (len(lines), pages[-1][1] + 2)], strict=True):
        for i in range(before, after) if high - low > 1 else ():
            match = _PAGE_GLUED.search(text, max(lines[i].end - 5, lines[i].start), lines[i].end)
            last = i + 1 == len(lines) or lines[i + 1].gap >= 2
            if match and last and low < int(match[1]) < high:
                found[i] = match.start(1)
                low = int(match[1])
    return found


def joined(text: str, lines: Sequence[Line], wrap: int) -> str:
    """The lines as reading text: a hard wrap disappears, a line ended on purpose stays a line."""
    if len(lines) == 1:
        return text[lines[0].start : lines[0].end]
    parts = [text[lines[0].start : lines[0].end]]
    for before, line in itertools.pairwise(lines):
        words = text[line.start : line.end]
        parts.append(_joint(parts[-1], words, before, line, wrap) + words)
    return "".join(parts)


def _joint(before: str, after: str, line: Line, next_line: Line, wrap: int) -> str:
    length = line.end - line.start
    if after[0].islower() and not _CLOSED.search(before):
        return "" if before.endswith("-") else " "  # in the middle of a sentence, whatever stood between
    if next_line.gap or not wrap or length < _SHORT * wrap or (length < _FULL * wrap and _CLOSED.search(before)):
        return "\n"
    if before.endswith("-") or (_CJK_END.search(before) or _CJK_START.match(after)):
        return ""
    return " "
