"""Markdown and wiki text as blocks: headings, nested bullets, tables, paragraphs.

HTML arrives here as Markdown.
"""

import re
from collections.abc import Callable, Sequence

from corpus.catalogue import Grammar
from corpus.model import Span
from ingest.layout import Layout
from ingest.lines import Line
from ingest.split.block import BULLET, Block, role_of

_MD_HEADING = re.compile(r"(#{1,6})[ \t]+(?=\S)")
_MD_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_MD_ROW = re.compile(r"\|.*\|$")
_MD_RULE = re.compile(r"[|:\- ]+$")
_WIKI_CELL = re.compile(r"\{\w+\}")
_ENDED = re.compile(r"[.。!?！？:：,，;；、]$")
_LONGEST_HEADING = 60


def split_markup(layout: Layout, grammar: Grammar) -> list[Block]:
    """The blocks of a Markdown or wiki text, in its order."""
    return _Splitter(layout, wiki=grammar.style == "wiki").split()


class _Splitter:
    def __init__(self, layout: Layout, *, wiki: bool) -> None:
        self.layout = layout
        self.wiki = wiki
        self.blocks: list[Block] = []
        self.indents: list[int] = []
        self.titled = False

    def split(self) -> list[Block]:
        attempts: Sequence[Callable[[int, Line], int]] = (self._furniture, self._heading, self._table, self._item)
        index = 0
        while index < len(self.layout.lines):
            line = self.layout.lines[index]
            taken = next((count for attempt in attempts if (count := attempt(index, line))), 0)
            if not taken:
                self._paragraph(line)
            index += taken or 1
        self.blocks += [Block("furniture", cover=[Span(*span)]) for span in self.layout.furniture]
        return self.blocks

    def _furniture(self, _: int, line: Line) -> int:
        role = role_of(self.layout, line)
        if role is None:
            return 0
        block = Block(role)
        block.add(line)
        self.blocks.append(block)
        return 1

    def _heading(self, index: int, line: Line) -> int:
        depth, start, end = self._wiki_heading(index, line) if self.wiki else self._markdown_heading(line)
        if not depth:
            return 0
        block = Block("heading", cover=[Span(line.start, line.end)], depth=depth)
        block.lines.append(Line(start, end, 0, line.gap))
        self.blocks.append(block)
        self.indents = []
        self.titled = True
        return 1

    def _markdown_heading(self, line: Line) -> tuple[int, int, int]:
        match = _MD_HEADING.match(self.layout.text, line.start, line.end)
        if match is None:
            return 0, 0, 0
        title = self.layout.text[match.end() : line.end].rstrip("#").rstrip()
        return (len(match[1]), match.end(), match.end() + len(title)) if title else (0, 0, 0)

    def _wiki_heading(self, index: int, line: Line) -> tuple[int, int, int]:
        """A short line that stands alone and ends no sentence; the first one is the page's title."""
        words = self.layout.words(index)
        last = index + 1 == len(self.layout.lines)
        alone = (line.gap or index == 0) and (last or self.layout.lines[index + 1].gap)
        plain = not (BULLET.match(words) or _ENDED.search(words) or _WIKI_CELL.search(words))
        follows_table = not last and bool(_WIKI_CELL.search(self.layout.words(index + 1)))
        if not (alone and plain and len(words) <= _LONGEST_HEADING) or follows_table:
            return 0, 0, 0
        return (2 if self.titled else 1), line.start, line.end

    def _table(self, index: int, line: Line) -> int:
        count = self._wiki_rows(index) if self.wiki else self._markdown_rows(index)
        if not count:
            return 0
        lines = self.layout.lines[index : index + count]
        cells = _wiki_cells if self.wiki else _markdown_cells
        raw = [self.layout.raw[row.start : row.end] for row in lines]
        block = Block("table", words="\n".join(raw), rows=cells(raw))
        block.cover = [Span(row.start, row.end) for row in lines]
        self.blocks.append(block)
        return count

    def _markdown_rows(self, index: int) -> int:
        count = 0
        while index + count < len(self.layout.lines) and _MD_ROW.match(self.layout.words(index + count)):
            count += 1
        return count if count > 1 else 0

    def _wiki_rows(self, index: int) -> int:
        """A header line with as many words as the rows below have cells, most of them `{Tick}`-like."""
        if _WIKI_CELL.search(self.layout.words(index)):
            return 0
        count = 1
        lines = self.layout.lines
        while index + count < len(lines) and not lines[index + count].gap and _WIKI_CELL.search(self.layout.words(index + count)):
            count += 1
        return count if count > 2 else 0

    def _item(self, _: int, line: Line) -> int:
        match = (BULLET if self.wiki else _MD_ITEM).match(self.layout.text, line.start, line.end)
        if not match:
            return 0
        while self.indents and self.indents[-1] >= line.indent:
            self.indents.pop()
        self.indents.append(line.indent)
        block = Block("item", cover=[Span(line.start, match.end())], depth=len(self.indents))
        block.add(Line(match.end(), line.end, line.indent, line.gap))
        self.blocks.append(block)
        return 1

    def _paragraph(self, line: Line) -> None:
        last = self.blocks[-1] if self.blocks else None
        if (
            last
            and last.lines
            and last.role != "heading"
            and (not line.gap or (last.role == "item" and line.indent > self.indents[-1]))
        ):
            last.add(line)
            return
        block = Block("prose" if self.titled else "front")
        block.add(line)
        self.blocks.append(block)
        self.indents = []


def _markdown_cells(rows: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows if not _MD_RULE.match(row))


def _wiki_cells(rows: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The header's words are the columns; in a row the last cells are single words, the name is what stands before."""
    header = tuple(rows[0].split())
    return (header, *(tuple(row.rsplit(maxsplit=len(header) - 1)) for row in rows[1:]))
