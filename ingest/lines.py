"""A text as its non-blank lines, and lines as reading text again."""

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

from corpus.words.text import CJK

CLOSED = re.compile(r"[.。!?！？:：;；)）」』》】\]”\"’]$")
"""Matches the last character of a sentence, title or list entry."""
FULL = 0.7
"""Share of the wrap width above which a line may have been ended by the margin."""
_SHORT = 0.45
"""Share of the wrap width below which a line was ended on purpose."""
_CJK_END = re.compile(f"[{CJK}\u3001-\u303f\uff01-\uff60]$")
_KANA_OR_HAN = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_HIRAGANA = re.compile("[\u3041-\u3096]")
_GOES_ON = re.compile("[ーぁぃぅぇぉっゃゅょんァィゥェォッャュョンを]|[はがに][、ぁ-ん]|です|ます|でし|まし")
"""What begins no sentence, no name and no entry of a list."""
_BEGUN = re.compile("[。、][^。、]*$|[はがをにでとてものやへ、]$")
"""The end of a line within a sentence: behind a comma or another sentence, or at a particle."""
_CJK_START = re.compile(f"[{CJK}\u3001-\u303f\uff01-\uff60]")


class Line(NamedTuple):
    """The text of one line without the spaces around it."""

    start: int
    end: int
    indent: int
    gap: int  # blank lines before it


def lines_of(text: str) -> list[Line]:
    """The non-blank lines."""
    lines: list[Line] = []
    start = gap = 0
    for raw in text.splitlines(keepends=True):
        words = raw.strip()
        if words:
            indent = len(raw) - len(raw.lstrip()) if raw[0].isspace() else 0
            lines.append(tuple.__new__(Line, (start + indent, start + indent + len(words), indent, gap)))
            gap = 0
        else:
            gap += 1
        start += len(raw)
    return lines


def is_closed(text: str, line: Line) -> bool:
    """Whether a line ends as a sentence, title or list entry ends."""
    return bool(CLOSED.match(text, line.end - 1, line.end))


def joined(text: str, lines: Sequence[Line], wrap: int) -> str:
    """The lines as reading text: a hard wrap disappears, a line ended on purpose stays a line."""
    if len(lines) == 1:
        return text[lines[0].start : lines[0].end]
    parts = [text[lines[0].start : lines[0].end]]
    for before, line in itertools.pairwise(lines):
        words = text[line.start : line.end]
        parts.append(_joint(parts[-1], words, before, line, wrap) + words)
    return "".join(parts)


def _is_torn(line: str, after: str) -> bool:
    """Whether a line of Japanese was broken in the middle of a sentence, however short it is beside the others of its page."""
    if not _KANA_OR_HAN.match(after) or not _HIRAGANA.search(line) or CLOSED.search(line):
        return False
    return bool(_GOES_ON.match(after) or _BEGUN.search(line))


def _joint(before: str, after: str, line: Line, next_line: Line, wrap: int) -> str:
    length = line.end - line.start
    if not next_line.gap and _is_torn(before[-length:], after):
        return ""
    if after[0].islower() and not CLOSED.search(before):
        return "" if before.endswith("-") else " "  # in the middle of a sentence, whatever stood between
    if next_line.gap or not wrap or length < _SHORT * wrap or (length < FULL * wrap and CLOSED.search(before)):
        return "\n"
    if before.endswith("-") or (_CJK_END.search(before) or _CJK_START.match(after)):
        return ""
    return " "
