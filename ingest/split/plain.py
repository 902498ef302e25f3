"""A numbered text as blocks: front matter, numbered rules, bullets, examples, notes, glossary entries."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from corpus.catalogue import Grammar
from corpus.model import Span
from ingest.inline import accepted_candidates
from ingest.lines import Layout, Line, is_torn, join_lines
from ingest.number import NumberCandidate, is_listed
from ingest.number_format import Number
from ingest.split.block import APPENDIX, BULLET, Block, cue_pattern, furniture_blocks, line_role
from ingest.split.headings import LONGEST_TITLE, is_markdown_heading, is_part, is_title

_BOLD_MARK = "**"
_LONGEST_HEADWORD = 60  # characters
_LONGEST_PART = 30
"""Maximum number of characters in a title that stands above a chapter."""
_CLAUSE = re.compile(r"[、，].*[、，]|[、，].{12}|: [a-z]|[a-z],? (?:that|which|is|are|may|must|can) ")
"""A part of a sentence that no title has."""
_MAX_FEW_ENTRIES = 20  # inverse share of new numbers that the back matter may have


def split_plain(layout: Layout, grammar: Grammar) -> list[Block]:
    """The blocks of a numbered text, in order. Every line is in exactly one."""
    candidates = accepted_candidates(layout, grammar)
    if not candidates:
        return [*_front_matter(layout, len(layout.lines)), *furniture_blocks(layout)]
    blocks = list(_front_matter(layout, candidates[0].line))
    glossary, back = _end_sections(layout, candidates)
    appendix = _appendix_start(layout, candidates[-1].line, glossary)
    body = _Body(layout, grammar, [candidate for candidate in candidates if candidate.line < appendix])
    blocks += body.group_lines(candidates[0].line, appendix)
    blocks += _appendix_blocks(layout, appendix, glossary)
    blocks += _glossary_blocks(layout, glossary, back)
    blocks += [Block.from_lines("front", layout.lines[i]) for i in range(back, len(layout.lines))]
    return [*_join_number_columns(blocks), *furniture_blocks(layout)]


def _front_matter(layout: Layout, body: int) -> Iterator[Block]:
    """Everything before the body; furniture from the word Contents on."""
    is_in_contents = False
    for index in range(body):
        line = layout.lines[index]
        is_in_contents = is_in_contents or bool(cue_pattern("contents").match(layout.text, line.start, line.end))
        dots = is_listed(layout.text, line.start, line.end)
        yield Block.from_lines("furniture" if is_in_contents or dots else "front", line)


def _end_sections(layout: Layout, candidates: list[NumberCandidate]) -> tuple[int, int]:
    """The start lines of the glossary and the back matter; the number of lines if there is none."""
    last = len(layout.lines)
    last_new = _last_new_number(candidates)
    titles = [i for i in range(last_new, last) if layout.lines[i].end - layout.lines[i].start < LONGEST_TITLE]
    glossary = [i for i in titles if _is_cue(layout, i, "glossary")]
    first = glossary[-1] if glossary else last_new
    back = next((i for i in titles if i > first and _is_cue(layout, i, "back")), last)
    return (glossary[-1] if glossary else back), back


def _appendix_start(layout: Layout, last_number: int, end: int) -> int:
    """The line after the last rule from which titles, lists and paragraphs without numbers follow; `end` if there is none.

    It is called an appendix, or is a title between blank lines.
    """
    for index in range(last_number + 1, end):
        line, words = layout.lines[index], layout.words(index)
        if not is_title(words) or not (line.gap or layout.is_closed(index - 1)):
            continue
        below = layout.lines[index + 1].gap if index + 1 < end else 0
        if (
            _is_cue(layout, index, "appendix")
            or (line.gap > 1 and below and layout.is_closed(index - 1))
            or is_markdown_heading(words)
        ):
            return index
    return end


def _appendix_blocks(layout: Layout, first: int, last: int) -> Iterator[Block]:
    """Headings and paragraphs after the last rule, which do not belong to it; marked if they are called an appendix."""
    paragraph: Block | None = None
    mark = APPENDIX if first < last and _is_cue(layout, first, "appendix") else ""
    for index in range(first, last):
        line, words = layout.lines[index], layout.words(index)
        heading = index == first or is_markdown_heading(words) or _is_appendix_title(layout, index)
        if paragraph and (heading or line.gap):
            yield _list_block(layout, paragraph)
            paragraph = None
        if heading:
            yield replace(_heading_block(layout, line), mark=mark)
        elif paragraph:
            paragraph.add(line)
        else:
            role = line_role(layout, line)
            paragraph = Block.from_lines(role, line) if role else replace(Block.from_lines("prose", line), mark=mark)
    if paragraph:
        yield _list_block(layout, paragraph)


def _list_block(layout: Layout, paragraph: Block) -> Block:
    """A paragraph of an appendix: most are lists, so that lines are joined in sentences only."""
    paragraph.words = join_lines(layout.raw, paragraph.lines, 0)
    return paragraph


def _heading_block(layout: Layout, line: Line) -> Block:
    """A heading without a number; its marks are not words."""
    words = layout.text[line.start : line.end]
    start = line.end - len(words.lstrip("#*_ "))
    title = line._replace(start=start, end=start + len(words.lstrip("#*_ ").rstrip("#*_ ")))
    return Block("heading", [title], [Span(line.start, line.end)], depth=1)


def _last_new_number(candidates: list[NumberCandidate]) -> int:
    """The line after which almost no number is new, as in a change history."""
    first = {candidate.number.label: candidate.line for candidate in reversed(candidates)}
    new = sorted(first.values())
    few = min(len(new) - 1, len(new) // _MAX_FEW_ENTRIES)
    return new[-1 - few]


def _gaps_before_repeated_numbers(candidates: list[NumberCandidate]) -> list[tuple[int, int]]:
    """The neighbouring lines with numbers, of which the second number was printed before or is smaller than the first."""
    labels: set[str] = set()
    gaps: list[tuple[int, int]] = []
    for above, candidate in pairwise(candidates):
        labels.add(above.number.label)
        if candidate.number.label in labels or candidate.number.key < above.number.key:
            gaps.append((above.line, candidate.line))
    return gaps


def _is_appendix_title(layout: Layout, index: int) -> bool:
    return _is_cue(layout, index, "appendix") and is_title(layout.words(index))


def _is_cue(layout: Layout, index: int, name: str) -> bool:
    line = layout.lines[index]
    return bool(cue_pattern(name).match(layout.text, line.start, line.end))


class _Body:
    """Groups the lines of the body around their numbers."""

    def __init__(self, layout: Layout, grammar: Grammar, candidates: list[NumberCandidate]) -> None:
        self.layout = layout
        self.grammar = grammar
        self.on_line: dict[int, list[NumberCandidate]] = defaultdict(list)
        for candidate in candidates:
            self.on_line[candidate.line].append(candidate)
        self.gaps = _gaps_before_repeated_numbers(candidates)
        self.page_tops = layout.page_tops()
        self.blocks: list[Block] = []
        self.rule: Block | None = None  # the last numbered or bulleted block
        self.indents: list[int] = []

    def group_lines(self, first: int, last: int) -> list[Block]:
        for index in range(first, last):
            line = self.layout.lines[index]
            candidates = self.on_line.get(index)
            if candidates is None:
                self._add_plain_line(index, line)
            elif len(candidates) == 1 and not candidates[0].glued:
                self._add_rule(line, candidates[0].number, line.start, line.end)
            else:
                self._add_numbered_line(line, candidates)
        return self.blocks

    def _add_numbered_line(self, line: Line, candidates: list[NumberCandidate]) -> None:
        before = self._number_start(candidates[0])
        if candidates[0].glued:
            self._add_continuation(self._trim_part(line, line.start, before))
        for at, candidate in enumerate(candidates):
            start = self._number_start(candidate) if candidate.glued else line.start
            end = self._number_start(candidates[at + 1]) if at + 1 < len(candidates) else line.end
            self._add_rule(line, candidate.number, start, end)

    def _add_rule(self, line: Line, number: Number, start: int, end: int) -> None:
        """A number and its words, from `start` to `end` of a line."""
        words = self._trim_part(line, number.end, end)
        has_words = words.end > words.start
        cover = Span(start, words.end if has_words else end)
        self.rule = Block("number", [words] if has_words else [], [cover], number.level, number)
        self.indents = []
        self.blocks.append(self.rule)

    def _number_start(self, candidate: NumberCandidate) -> int:
        """The start of a number inside a line, with its emphasis mark."""
        start = candidate.number.start
        return start - len(_BOLD_MARK) if self.layout.text.endswith(_BOLD_MARK, 0, start) else start

    def _trim_part(self, line: Line, start: int, end: int) -> Line:
        """A part of a line without the spaces and marks of emphasis around it."""
        words = self.layout.text[start:end].lstrip().removeprefix(_BOLD_MARK).lstrip()
        start = max(start, end) - len(words)
        return Line(start, start + len(words.rstrip()), line.indent, line.gap)

    def _add_plain_line(self, index: int, line: Line) -> None:
        role = line_role(self.layout, line)
        bullet = BULLET.match(self.layout.text, line.start, line.end) if self.grammar.items else None
        if role:
            self.blocks.append(Block.from_lines(role, line))
        elif bullet:
            self._add_item(line, bullet.end())
        elif self._opens_appendix(index, line):
            self.blocks.append(replace(_heading_block(self.layout, line), mark=APPENDIX))
        elif self._is_heading(index, line):
            self.blocks.append(_heading_block(self.layout, line))
        elif self._is_prose(index, line):
            self.blocks.append(Block.from_lines("prose", line))
        else:
            self._add_continuation(line._replace(gap=0) if index in self.page_tops else line)

    def _add_item(self, line: Line, words: int) -> None:
        while self.indents and self.indents[-1] >= line.indent:
            self.indents.pop()
        self.indents.append(line.indent)
        content = self._trim_part(line, words, line.end)
        block = Block("item", cover=[Span(line.start, content.start)], depth=len(self.indents))
        block.add(content)
        self.rule = block
        self.blocks.append(block)

    def _is_prose(self, index: int, line: Line) -> bool:
        """Text below a heading with a title is a separate prose block; a heading that is a sentence continues."""
        last = self.blocks[-1]
        if last.role == "prose":
            return bool(line.gap)
        if last.role == "heading":
            return True
        heading = last.number is not None and self.grammar.levels[last.depth].kind.is_heading
        if not heading or not last.lines:
            return False
        if self._is_title(last, line):
            return bool(line.gap) or not self.layout.is_open(index - 1)
        return bool(line.gap) and self.layout.is_closed(index - 1)

    def _is_title(self, heading: Block, after: Line) -> bool:
        """Whether the words of a numbered heading are a title, and not a sentence that continues."""
        if len(heading.lines) > LONGEST_TITLE:
            return False  # each line has a character; its words, which grow with each, would be read again at each
        words = self.layout.text[heading.lines[0].start : heading.lines[-1].end]
        below = self.layout.text[after.start : after.end]
        goes_on = not after.gap and (words.endswith("-") or below[0].islower() or is_torn(words, below))
        return is_title(words) and not goes_on and not _CLAUSE.search(words)

    def _opens_appendix(self, index: int, line: Line) -> bool:
        """Whether a line is the title of an appendix that states rules of the main text again, under their numbers."""
        if not _is_appendix_title(self.layout, index) or not (line.gap or self.layout.is_closed(index - 1)):
            return False
        at = bisect_left(self.gaps, (index,)) - 1
        return at >= 0 and index < self.gaps[at][1]

    def _is_heading(self, index: int, line: Line) -> bool:
        """Whether a line without a number is a heading: a part of the book, a Markdown heading, or a title above a chapter."""
        words = self.layout.words(index)
        if not is_title(words) or not (line.gap or self.layout.is_closed(index - 1)):
            return False
        if is_markdown_heading(words) or is_part(words):
            return True
        below, above = self.on_line.get(index + 1), self.blocks[-1]
        chapter = below is not None and not below[0].number.level and not below[0].glued
        is_above_closed = bool(above.lines) and above.role in ("number", "example", "note") and self._is_closed(above)
        return chapter and is_above_closed and len(words) <= _LONGEST_PART and not self.layout.is_closed(index)

    def _add_continuation(self, line: Line) -> None:
        """Adds a line to the block above or, after a finished example and a blank line, to its rule."""
        if not self.blocks:
            self.blocks.append(Block("front"))
        last = self.blocks[-1]
        if last.role in ("example", "note") and line.gap and self.rule and self._is_closed(last):
            last = self.rule
        if last.role in ("furniture", "editorial") and self.rule:
            last = self.rule
        last.add(line)

    def _is_closed(self, block: Block) -> bool:
        return self.layout.text[block.lines[-1].end - 1] in '.。!?！？)）」』”"'


def _glossary_blocks(layout: Layout, first: int, last: int) -> Iterator[Block]:
    """The glossary's heading and its entries: an entry begins after a blank line, or at a headword if the blank line is missing."""
    entry: Block | None = None
    for index in range(first, last):
        line = layout.lines[index]
        if index == first:
            yield Block("heading", [line], [Span(line.start, line.end)], depth=0, mark="glossary")
        elif entry is None or line.gap or _is_headword(layout, index, last, entry):
            if entry:
                yield entry
            entry = Block("entry", cover=[Span(line.start, line.end)], mark=layout.raw[line.start : line.end])
        else:
            entry.add(line)
    if entry:
        yield entry


def _is_headword(layout: Layout, index: int, last: int, entry: Block) -> bool:
    words = layout.words(index)
    return (
        bool(entry.lines)
        and len(words) < _LONGEST_HEADWORD
        and layout.is_closed(index - 1)
        and not layout.is_closed(index)
        and not words[0].isdigit()
        and index + 1 < last
        and not layout.lines[index + 1].gap
    )


def _join_number_columns(blocks: list[Block]) -> list[Block]:
    """Joins numbers that a copy split off into a column with the lines of the other column, if their counts are equal."""
    for at, block in enumerate(blocks):
        if block.role != "number" or len(block.lines) < 2 or block.lines[0].start <= block.cover[0].end:
            continue
        first = at
        while first and blocks[first - 1].role == "number" and not blocks[first - 1].lines:
            first -= 1
        column = blocks[first : at + 1]
        if len(column) == len(block.lines):
            words, block.cover = list(block.lines), block.cover[:1]
            block.lines = []
            for number, line in zip(column, words, strict=True):
                number.add(line)
    return blocks
