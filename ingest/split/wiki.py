"""Splits wiki text into blocks: isolated heading lines, nested bullets, property tables, paragraphs."""

import re

from corpus.model import Span
from ingest.lines import Layout, Line
from ingest.split.block import BULLET, Block, furniture_blocks, line_role

_CELL_MARK = re.compile(r"\{\w+\}")
_SENTENCE_END = re.compile(r"[.。!?！？:：,，;；、]$")
_LONGEST_HEADING = 60


def split_wiki(layout: Layout) -> list[Block]:
    """The blocks of a page, in its order."""
    return _WikiSplitter(layout).split()


class _WikiSplitter:
    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.blocks: list[Block] = []
        self.indents: list[int] = []
        self.titled = False

    def split(self) -> list[Block]:
        index = 0
        while index < len(self.layout.lines):
            line = self.layout.lines[index]
            attempts = (self._add_furniture, self._add_heading, self._add_table, self._add_item)
            line_count = next((count for attempt in attempts if (count := attempt(index, line))), 0)
            if not line_count:
                self._add_paragraph(line)
            index += line_count or 1
        return [*self.blocks, *furniture_blocks(self.layout)]

    def _add_furniture(self, _: int, line: Line) -> int:
        if role := line_role(self.layout, line):
            self.blocks.append(Block.from_lines(role, line))
        return 1 if role else 0

    def _add_heading(self, index: int, line: Line) -> int:
        """A short isolated line that does not end a sentence; the first one is the page's title."""
        words = self.layout.words(index)
        last = index + 1 == len(self.layout.lines)
        alone = (line.gap or index == 0) and (last or self.layout.lines[index + 1].gap)
        plain = not (BULLET.match(words) or _SENTENCE_END.search(words) or _CELL_MARK.search(words))
        follows_table = not last and bool(_CELL_MARK.search(self.layout.words(index + 1)))
        if not (alone and plain and len(words) <= _LONGEST_HEADING) or follows_table:
            return 0
        self.blocks.append(Block("heading", [line._replace(indent=0)], [Span(line.start, line.end)], depth=2 if self.titled else 1))
        self.indents = []
        self.titled = True
        return 1

    def _add_table(self, index: int, _: Line) -> int:
        """A header line with as many words as the rows below have cells, most of them like `{Tick}`."""
        if _CELL_MARK.search(self.layout.words(index)):
            return 0
        count, lines = 1, self.layout.lines
        while index + count < len(lines) and not lines[index + count].gap and _CELL_MARK.search(self.layout.words(index + count)):
            count += 1
        if count <= 2:
            return 0
        raw = [self.layout.raw[row.start : row.end] for row in lines[index : index + count]]
        header = tuple(raw[0].split())  # the last cells of a row are single words, preceded by the name
        rows = (header, *(tuple(row.rsplit(maxsplit=len(header) - 1)) for row in raw[1:]))
        cover = [Span(row.start, row.end) for row in lines[index : index + count]]
        self.blocks.append(Block("table", cover=cover, words="\n".join(raw), rows=rows))
        return count

    def _add_item(self, _: int, line: Line) -> int:
        match = BULLET.match(self.layout.text, line.start, line.end)
        if not match:
            return 0
        while self.indents and self.indents[-1] >= line.indent:
            self.indents.pop()
        self.indents.append(line.indent)
        block = Block("item", cover=[Span(line.start, match.end())], depth=len(self.indents))
        block.add(Line(match.end(), line.end, line.indent, line.gap))
        self.blocks.append(block)
        return 1

    def _add_paragraph(self, line: Line) -> None:
        last = self.blocks[-1] if self.blocks else None
        goes_on = not line.gap or (last and last.role == "item" and line.indent > self.indents[-1])
        if last and last.lines and last.role != "heading" and goes_on:
            last.add(line)
            return
        self.blocks.append(Block.from_lines("prose" if self.titled else "front", line))
        self.indents = []
