"""Splits prose under headings into blocks: paragraphs, list items, examples, notes and tables."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from corpus.catalogue import Grammar
from corpus.model import Kind, Span
from corpus.words.text import CJK
from ingest.lines import FULL_LINE_SHARE, Layout, Line, are_within_width, is_broken_word, is_torn
from ingest.split.block import Block, Role, furniture_blocks, line_role
from ingest.split.headings import (
    BULLET,
    Heading,
    HeadingFinder,
    find_contents,
    is_deliberately_short,
    is_label,
    is_title,
    joined_length,
)

_ANY_CJK = re.compile(f"[{CJK}]")
_WIDE = re.compile("[\u3001-\u303f\uff01-\uff60]")
_SENTENCE_END = re.compile(r"[.。!！?？][)）」』”\"’]?$")
_MAX_END_LENGTH = 3
"""Characters that show whether a sentence has ended."""
_MIN_WRAPPED_SHARE = 0.05
"""Share of lines that continue in the next one above which a text is hard-wrapped."""
_LIST_MARK_FORMS = {
    "circled": r"[①-⑳㉑-㉟]",
    "roman sign": r"\(?([ⅰ-ⅻⅠ-Ⅻ])(?:[.、)]|\s)",
    "number": r"\(?(\d{1,3})(?:[.、)](?!\d)|:\s|(?P<wide> ))",
    "roman": r"\(?([ivx]{1,5}|[IVX]{1,5})[.)](?=\s)",
    "upper": r"\(?([A-Z])[.、)](?=\s)",
    "lower": r"\(?([a-z])[.、)](?=\s|[^\x00-\x7f])",
    "han": r"\(?([一二三四五六七八九十]{1,3})(?:[、)]|(?P<wide> ))",
}
_LIST_MARKS = {name: re.compile(rf"(?:{form})[ \t]*") for name, form in _LIST_MARK_FORMS.items()}
_LONGEST_ENTRY = 15
"""Maximum number of lines of an entry in a numbered list."""
_TABLE_ROW = re.compile(r"\|.*\|$")
_TABLE_RULE = re.compile(r"[|:\- ]+$|[*\-_]{3,}$")
_MIN_ENDS, _APART = 8, 0.95
"""Number of short lines that end a sentence, and the share of them before a blank line above which they separate paragraphs."""


class _ListMark(NamedTuple):
    """The start of a list item."""

    style: str
    value: int  # 0: a bullet
    indent: int


def split_document(layout: Layout, grammar: Grammar) -> list[Block]:
    """The blocks of a document, in order. Every line is in exactly one."""
    wrap, full_width = _wrap_widths(layout)
    layout = replace(layout, wrap=wrap, full_width=full_width)
    contents = find_contents(layout)
    own = replace(layout, lines=tuple(line for i, line in enumerate(layout.lines) if i not in contents.lines))
    headings = HeadingFinder(own, grammar, contents.titles).headings()
    blocks = _DocumentSplitter(own, headings).split()
    contents_blocks = [Block.from_lines("furniture", layout.lines[i]) for i in sorted(contents.lines)]
    return [*blocks, *contents_blocks, *furniture_blocks(layout)]


def _wrap_widths(layout: Layout) -> tuple[int, int]:
    """The wrap width, and the length that nearly all wrapped lines have with the first word of the next line.

    Both are judged by the lines that end inside a sentence; 0 if these are few, or shorter than many others.
    """
    lengths, with_next_word = list[int](), list[int]()
    for i, (line, after) in enumerate(pairwise(layout.lines)):
        begins = layout.text[after.start]
        if after.gap or layout.is_closed(i) or BULLET.match(layout.text, after.start, after.end):
            continue
        if begins.islower() or (_ANY_CJK.match(begins) and _ANY_CJK.match(layout.text[line.end - 1])):
            lengths.append(line.end - line.start)
            with_next_word.append(joined_length(layout, line, after))
    if len(lengths) < max(8, _MIN_WRAPPED_SHARE * len(layout.lines)):
        return 0, 0
    width = sorted(lengths)[int(len(lengths) * 0.9)]
    if not are_within_width(layout.lines, width):
        return 0, 0
    ends = [
        after.gap > 0
        for i, (line, after) in enumerate(pairwise(layout.lines))
        if line.end - line.start < FULL_LINE_SHARE * width and _SENTENCE_END.search(layout.words(i))
    ]
    if len(ends) >= _MIN_ENDS and sum(ends) >= _APART * len(ends):
        return width, 0
    full = sorted(
        length_with_word
        for length, length_with_word in zip(lengths, with_next_word, strict=True)
        if length >= FULL_LINE_SHARE * width
    )
    return width, full[len(full) // 10]


class _DocumentSplitter:
    def __init__(self, layout: Layout, headings: Sequence[Heading]) -> None:
        self.layout = layout
        self.headings = {heading.line: heading for heading in headings}
        self.first = min(self.headings, default=0)
        self.blocks: list[Block] = []
        self.open: list[_ListMark] = []  # marks of the enclosing lists

    def split(self) -> list[Block]:
        index = 0
        while index < len(self.layout.lines):
            index += self._add_line(index, self.layout.lines[index])
        for block in self.blocks:
            if len(block.lines) > 1:
                block.words = self._reading_text(block.lines)
        return self.blocks

    def _reading_text(self, lines: Sequence[Line]) -> str:
        """The words of a block: wrapped lines are joined, intentional line breaks stay."""
        raw = self.layout.raw
        words = raw[lines[0].start : lines[0].end]
        for line, after in pairwise(lines):
            begins = raw[after.start : after.end]
            is_broken = (begins[0].islower() and not _SENTENCE_END.search(words[-_MAX_END_LENGTH:])) or is_torn(
                raw[line.start : line.end], begins
            )
            if not is_broken and is_deliberately_short(self.layout, line, after):
                words += "\n"
            elif is_broken_word(raw, words, begins):
                words = words[:-1]
            elif not words.endswith("-") and not (_ANY_CJK.match(words[-1]) or _WIDE.match(words[-1]) or _ANY_CJK.match(begins)):
                words += " "
            words += begins
        return words

    def _add_line(self, index: int, line: Line) -> int:
        """Adds the block that starts on a line, or the line to the previous block; returns the number of lines used."""
        if index in self.headings:
            return self._add_heading(index, self.headings[index])
        if rows := self._count_table_rows(index):
            return self._add_table(index, rows)
        if _TABLE_RULE.match(self.layout.words(index)):
            self.blocks.append(Block.from_lines("furniture", line))
        elif (role := line_role(self.layout, line)) and not is_label(self.layout.words(index)):
            self.blocks.append(Block.from_lines(role, line))
        elif (mark := self._mark(line)) is not None:
            self._add_item(line, *mark)
        elif self._continues_block(index):
            self.blocks[-1].add(line)
        else:
            self._add_to_paragraph(index, line)
        return 1

    def _add_heading(self, index: int, heading: Heading) -> int:
        line = self.layout.lines[index]
        end = line.end
        while end > heading.start and self.layout.text[end - 1] in "#=*_ \t":
            end -= 1
        start = heading.start
        while start < end and self.layout.text[start] in "*_ \t\u3000":
            start += 1
        role: Role = "number" if heading.number else "heading" if heading.top else "title"
        block = Block(role, depth=heading.depth, number=heading.number, kind=heading.kind)
        if start < end:
            block.lines.append(Line(start, end, 0, line.gap))
        block.cover.append(Span(line.start, line.end))
        for more in self.layout.lines[index + 1 : index + heading.lines]:
            block.add(more)
        self.blocks.append(block)
        self.open = []
        return heading.lines

    def _count_table_rows(self, index: int) -> int:
        count = 0
        while index + count < len(self.layout.lines) and _TABLE_ROW.match(self.layout.words(index + count)):
            count += 1
        return count if count > 1 else 0

    def _add_table(self, index: int, count: int) -> int:
        lines = self.layout.lines[index : index + count]
        raw = [self.layout.raw[row.start : row.end] for row in lines]
        cells = tuple(tuple(cell.strip() for cell in row.strip("|").split("|")) for row in raw if not _TABLE_RULE.match(row))
        self.blocks.append(Block("table", words="\n".join(raw), rows=cells, cover=[Span(row.start, row.end) for row in lines]))
        return count

    def _mark(self, line: Line) -> tuple[_ListMark, int] | None:
        """The mark of a possible item at this position, and the start of its words."""
        text = self.layout.text
        if match := BULLET.match(text, line.start, line.end):
            return (_ListMark(text[line.start], 0, line.indent), match.end()) if match.end() < line.end else None
        fresh: tuple[_ListMark, int] | None = None
        for style, form in _LIST_MARKS.items():
            if (match := form.match(text, line.start, line.end)) and match.end() < line.end:
                wide = match.groupdict().get("wide") is not None
                if wide and self.layout.raw[match.start("wide")] != "\u3000":
                    continue
                value = _mark_value(style, match)
                mark = _ListMark(style, value, line.indent), match.end()
                if any(other.style == style and 0 < value - other.value <= 2 for other in self.open):
                    return mark
                if 0 < value <= 1 + wide and fresh is None:  # the first paragraph of an article often has no number
                    fresh = mark
        return fresh

    def _add_item(self, line: Line, list_mark: _ListMark, start: int) -> None:
        depth = next((at for at in range(len(self.open) - 1, -1, -1) if self._is_sibling(self.open[at], list_mark)), None)
        if depth is None:
            bullets = enumerate(() if list_mark.value else self.open)
            deeper = (at for at, other in bullets if not other.value and other.indent > list_mark.indent)
            depth = next(deeper, len(self.open))
        self.open = [*self.open[:depth], list_mark]
        block = Block("item", cover=[Span(line.start, start)], depth=depth + 1)
        block.add(Line(start, line.end, line.indent, line.gap))
        self.blocks.append(block)

    @staticmethod
    def _is_sibling(other: _ListMark, list_mark: _ListMark) -> bool:
        if other.style != list_mark.style:
            return False
        return abs(other.indent - list_mark.indent) < 2 or bool(list_mark.value and list_mark.value > other.value)

    def _continues_block(self, index: int) -> bool:
        """Whether a line continues the block above it."""
        last = self.blocks[-1] if self.blocks else None
        if last is None or last.role in ("heading", "title", "table", "furniture") or not last.lines:
            return False
        line, above = self.layout.lines[index], self.layout.words(index - 1)
        if last.role == "number" and last.kind is not Kind.RULE:
            return False
        if self.layout.text[line.start].islower() and not _SENTENCE_END.search(above):
            return True
        if line.gap:
            return False
        if not _SENTENCE_END.search(above):
            return last.role != "front"
        if line.indent >= self.layout.lines[index - 1].indent + 2 and last.role != "item":
            return False
        return not is_deliberately_short(self.layout, self.layout.lines[index - 1], line) or (
            last.role == "item" and self._list_continues(index)
        )

    def _list_continues(self, index: int) -> bool:
        """Whether the open numbered list continues after a line, which then belongs to its entry."""
        mark = self.open[-1] if self.open else None
        if mark is None or not mark.value:
            return False
        for i in range(index + 1, min(index + _LONGEST_ENTRY, len(self.layout.lines))):
            line = self.layout.lines[i]
            if i in self.headings or line.gap:
                return False
            if (match := _LIST_MARKS[mark.style].match(self.layout.text, line.start, line.end)) and _mark_value(
                mark.style, match
            ) == mark.value + 1:
                return True
        return False

    def _add_to_paragraph(self, index: int, line: Line) -> None:
        """A paragraph; before the first heading, text that is not a sentence belongs to the title page."""
        has_title = index > self.first if self.headings else True
        last = index + 1 == len(self.layout.lines) or bool(self.layout.lines[index + 1].gap)
        front = not has_title and (
            is_title(self.layout.words(index)) or (last and not _SENTENCE_END.search(self.layout.words(index)))
        )
        self.blocks.append(Block.from_lines("front" if front else "prose", line))
        if not line.indent:
            self.open = [] if line.gap else self.open


def _mark_value(style: str, match: re.Match[str]) -> int:
    if style == "circled":
        return "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳".find(match[0][0]) + 1
    text = match[1]
    match style:
        case "roman sign":
            return (ord(text) - ord("Ⅰ")) % 16 + 1
        case "number":
            return int(text)
        case "han":
            return "一二三四五六七八九十".find(text[-1]) + 1 + (10 if len(text) > 1 and text[0] == "十" else 0)
        case "roman":
            numerals = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
            return numerals.index(text.lower()) + 1 if text.lower() in numerals else 0
    return ord(text.lower()) - 96
