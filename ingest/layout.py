"""The lines of a text as they were laid out: page furniture told apart, and the wrap width of the copy measured."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.words.text import narrow
from ingest.furniture import without_furniture
from ingest.lines import FULL, Line, is_closed, lines_of

_OPEN = 0.6
"""Share of the wrap width from which on a line may run on into the next one."""
_MOST_WRAPPED = 240
"""Characters; copies with longer lines are not hard-wrapped."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The lines of a text, what is page furniture among them, and the wrap width (0: not hard-wrapped)."""

    raw: str
    text: str  # narrow: the same offsets, plain digits, dots and spaces
    lines: tuple[Line, ...]
    furniture: tuple[tuple[int, int], ...]
    wrap: int

    def words(self, index: int) -> str:
        """The text of a line."""
        line = self.lines[index]
        return self.text[line.start : line.end]

    def closed(self, index: int) -> bool:
        """Whether a line ends as a sentence, title or list entry ends."""
        return is_closed(self.text, self.lines[index])

    def full(self, index: int) -> bool:
        """Whether a line of a hard-wrapped copy is long enough to have been wrapped."""
        line = self.lines[index]
        return bool(self.wrap) and line.end - line.start >= _OPEN * self.wrap

    def open(self, index: int) -> bool:
        """Whether a line of a hard-wrapped copy runs on into the next one."""
        return self.full(index) and not self.closed(index)


def layout_of(raw: str) -> Layout:
    """The layout of a text."""
    text = narrow(raw)
    lines, furniture = without_furniture(text, lines_of(text))
    return Layout(raw, text, tuple(lines), tuple(furniture), _wrap_width(text, lines))


def _wrap_width(text: str, lines: Sequence[Line]) -> int:
    """The width at which the copy was wrapped: most lines that run on are about as long as the longest of them."""
    lengths = [
        line.end - line.start for line, after in itertools.pairwise(lines) if not after.gap and not text[after.start].isdigit()
    ]
    if len(lengths) < 8:
        return 0
    width = sorted(lengths)[int(len(lengths) * 0.95)]
    full = sum(length >= FULL * width for length in lengths)
    return width if width <= _MOST_WRAPPED and full >= 0.6 * len(lengths) else 0
