"""Lines that fit a terminal: Latin text breaks at spaces, CJK text anywhere but before a closing mark."""

import re
from collections.abc import Iterator
from functools import cache
from unicodedata import east_asian_width

_CLOSING = "、。，．：；！？」』）】〉》〕・ー…"
_BOLD = re.compile("\x1b\\[[0-9]{1,2}m")


@cache
def _token() -> re.Pattern[str]:
    """What a line may break behind. Compiled when a line is first broken: that takes longer than to print a rule."""
    return re.compile(f"\\s+|[\u2e80-\uffef][{_CLOSING}]*|[^\\s\u2e80-\uffef]+[{_CLOSING}]*")


def cells(text: str) -> int:
    """Columns that a text takes on a terminal; a switch to bold and back takes none."""
    if "\x1b" in text:
        text = _BOLD.sub("", text)
    return len(text) if text.isascii() else sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def wrap(text: str, width: int | None, first: str = "", rest: str | None = None) -> Iterator[str]:
    """The lines of a text, each at most `width` columns (None: no limit) with what stands before it.

    `first` stands before the first line, `rest` before the others (default: spaces as wide as `first`).
    """
    lead, hanging = first, " " * cells(first) if rest is None else rest
    for paragraph in text.splitlines() or [""]:
        taken = cells(lead) - cells(hanging)
        for line in _broken(paragraph, width - cells(hanging), taken) if width else [paragraph]:
            yield f"{lead}{line}".rstrip()
            lead = hanging


def _broken(text: str, width: int, taken: int) -> Iterator[str]:
    """`taken` columns of the first line are taken already."""
    line, used = "", taken
    for token in _token().findall(text):
        size = cells(token)
        if used > 0 and used + size > width and not token.isspace():
            yield line.rstrip()
            line, used = "", 0
        if line or not token.isspace():
            line, used = line + token, used + size
    yield line.rstrip()
