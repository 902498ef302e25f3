"""What stands before and behind a number and tells what it is."""

import re
from enum import IntEnum
from functools import cache

from corpus.editions.citations.phrases import any_of, compiled, listed, shared, single

_WINDOW = 40
"""Characters before a number that are looked at."""


class Cue(IntEnum):
    """How sure the words before a number make it a rule's."""

    OTHER = -1  # another document's
    NONE = 0
    LIKELY = 1
    SURE = 2
    BOOK = 3


_HEAD = re.compile(r"(?:^|\n)[ \t>*_#`•・\-]{0,7}$")
_HEADED = re.compile(r"[.．]?[*_`]{0,3}[ \t]{1,2}[\"“‘「『(\[*_]{0,3}(?:[A-Z]|[^\W\d_A-Za-z])|[.．](?=[^\W\d_A-Za-z])")


@cache
def _cues() -> tuple[tuple[Cue, re.Pattern[str]], ...]:
    words = ((Cue.OTHER, "other"), (Cue.BOOK, "book"), (Cue.SURE, "sure"), (Cue.LIKELY, "likely"))
    return tuple((cue, compiled(rf"(?<![A-Za-z]){any_of(*listed('lead', name))}$")) for cue, name in words)


@cache
def _glue() -> re.Pattern[str]:
    return compiled(rf"(?:{single('behind', 'glue')}){{0,8}}+$")


def lead(text: str, start: int) -> int:
    """Where the words before a number end, without what glues them to it."""
    window = text[max(0, start - 10) : start]
    glue = _glue().search(window)
    return start - len(window) + (glue.start() if glue else len(window))


def cue_before(text: str, start: int) -> Cue:
    """What the words before a number say of it."""
    if text[start - 1 : start] == "第":
        return Cue.SURE
    end = lead(text, start)
    words = text[max(0, end - _WINDOW) : end]
    return next((cue for cue, pattern in _cues() if pattern.search(words)), Cue.NONE)


@cache
def _rule() -> re.Pattern[str]:
    return compiled(any_of(*listed("behind", "rule")))


@cache
def _quantity() -> re.Pattern[str]:
    return compiled(rf"(?:{any_of(*listed('behind', 'quantity'))}|\s?{any_of(*map(re.escape, shared('unit')))}(?![A-Za-z]))")


@cache
def _money() -> re.Pattern[str]:
    return compiled(rf"(?:{single('behind', 'money')})$")


@cache
def _spoken() -> re.Pattern[str]:
    return compiled(any_of(*listed("behind", "spoken")))


def closed(text: str, end: int) -> int:
    """Where a number ends with the word that calls it a rule, as in 704.5a条."""
    rule = _rule().match(text, end)
    return rule.end() if rule else end


def is_counted(text: str, start: int, end: int) -> bool:
    """Whether a unit, a currency or the like makes a number a quantity."""
    return bool(_quantity().match(text, end) or _money().search(text[max(0, start - 5) : start]))


def is_spoken_of(text: str, start: int, end: int) -> bool:
    """Whether a bare number stands as only a rule's does: alone in brackets, at the head of a line, or before `says`."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    if (before, behind) in (("(", ")"), ("[", "]"), ("（", "）"), ("【", "】"), ("*", "*"), ("`", "`")):
        return True
    return bool(_spoken().match(text, end) or (_HEAD.search(text[max(0, start - 8) : start]) and _HEADED.match(text, end)))
