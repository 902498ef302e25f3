"""What differs between two texts, for a terminal: what is gone in `[-…-]`, what is new in `{+…+}`; in colour only beside that."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.contract import ChangedSpan

_AROUND = 60
"""Characters shown on each side of a change."""
_RED, _GREEN, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[0m"


def marked(old: str, new: str, spans: "Sequence[ChangedSpan]", width: int | None) -> str:
    """The runs that differ, with a little of what stands around them; without spans the words themselves."""
    if not spans:
        return new or old
    coloured = width is not None and "NO_COLOR" not in os.environ
    last = len(spans) - 1
    return "".join(_run(span, old, new, (place == 0, place == last), coloured=coloured) for place, span in enumerate(spans))


def _run(span: "ChangedSpan", old: str, new: str, ends: tuple[bool, bool], *, coloured: bool) -> str:
    gone, come = old[slice(*span["old"])], new[slice(*span["new"])]
    if span["op"] == "equal":
        return _shortened(come, *ends)
    red, green, plain = (_RED, _GREEN, _PLAIN) if coloured else ("", "", "")
    return (f"{red}[-{gone}-]{plain}" if gone else "") + (f"{green}{{+{come}+}}{plain}" if come else "")


def _shortened(words: str, first: bool, last: bool) -> str:
    """A run that both texts have, without its middle where it is long; at the ends only the side of the change."""
    if len(words) <= 2 * _AROUND:
        return words
    before = "" if first else words[:_AROUND]
    after = "" if last else words[-_AROUND:]
    return f"{before} … {after}"
