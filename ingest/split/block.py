"""The result of a splitter: blocks of text without addresses."""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from corpus.catalogue import catalogue
from corpus.model import Kind, Span
from ingest.lines import Layout, Line, join_lines
from ingest.number_format import Number

Role = Literal[
    "number", "heading", "title", "item", "prose", "entry", "table", "example", "note", "editorial", "front", "furniture"
]
APPENDIX = "appendix"
"""The mark of the blocks of an appendix."""
BULLET = re.compile(r"(?:[•·◦▪●○■□*+\-–][ \t]+)")


@dataclass(slots=True)
class Block:
    """A span of a text with one role. `depth` counts heading levels or bullet depths from 1."""

    role: Role
    lines: list[Line] = field(default_factory=list)  # the words, without number and bullet
    cover: list[Span] = field(default_factory=list)  # the whole span, including number and bullet
    depth: int = 0
    number: Number | None = None
    mark: str = ""  # a footnote's mark, or the headword line of a glossary entry
    words: str | None = None  # the reading text if a parser made it; otherwise it is joined from the lines
    rows: tuple[tuple[str, ...], ...] = ()
    kind: Kind | None = None  # of a number in a document, if the grammar has no level for it
    owner: "Block | None" = None  # the block of a footnote; otherwise the preceding block

    def add(self, line: Line) -> None:
        """Adds a line."""
        self.lines.append(line)
        self.cover.append(Span(line.start, line.end))

    @classmethod
    def from_lines(cls, role: Role, *lines: Line) -> "Block":
        """A block of whole lines."""
        return cls(role, list(lines), [Span(line.start, line.end) for line in lines])

    def reading_text(self, layout: Layout) -> str:
        """The words as reading text, not yet cleaned."""
        if self.words is not None:
            return self.words
        if len(self.lines) == 1:
            line = self.lines[0]
            return layout.raw[line.start : line.end]
        return join_lines(layout.raw, self.lines, layout.wrap) if self.lines else ""

    def spans(self, text: str) -> tuple[Span, ...]:
        """The covered span, joined over spaces."""
        if len(self.cover) == 1:
            return (self.cover[0],)
        spans: list[Span] = []
        for span in sorted(self.cover):
            if spans and (span.start <= spans[-1].end or text[spans[-1].end : span.start].isspace()):
                spans[-1] = Span(spans[-1].start, max(span.end, spans[-1].end))
            else:
                spans.append(span)
        return tuple(spans)


def furniture_blocks(layout: Layout) -> list[Block]:
    """The page furniture of a text, a block for each piece."""
    return [Block("furniture", cover=[Span(start, end)]) for start, end in layout.furniture]


_HEADING_START = r"(?:#{1,6}\s+)?(?:\d{1,2}\.?\s+)?"  # a heading's mark and number
_EMPHASIS = r"[*_]{0,3}"
_ROLE_PREFIXES = {
    "contents": _HEADING_START,
    "appendix": _HEADING_START,
    "glossary": _HEADING_START,
    "back": _HEADING_START,
    "example": _EMPHASIS,
    "note": _EMPHASIS,
}


@cache
def cue_pattern(name: str) -> re.Pattern[str]:
    """Matches the words of the catalogue that open a block of one role."""
    return re.compile(_ROLE_PREFIXES.get(name, "") + "(?:" + "|".join(f"(?:{words})" for words in catalogue().cues[name]) + ")")


_CUED_ROLES = ("example", "note", "editorial", "furniture")
_ROLE_CUES = re.compile("|".join(f"(?P<{role}>{cue_pattern(role).pattern})" for role in _CUED_ROLES))


def line_role(layout: Layout, line: Line) -> Role | None:
    """The role of a line, according to its first words."""
    match = _ROLE_CUES.match(layout.text, line.start, line.end)
    return match.lastgroup if match else None  # type: ignore[return-value]
