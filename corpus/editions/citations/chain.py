"""Numbers that follow each other as one citation: lists and ranges, of whole numbers or of what differs in them."""

import re
from collections.abc import Callable
from functools import cache

from corpus.editions.citations.cue import closed, is_counted
from corpus.editions.citations.mention import Item
from corpus.editions.citations.number import TOKEN, is_plain, item_at, parts, successor
from corpus.editions.citations.phrases import any_of, compiled, listed, shared

Reads = Callable[[str], bool]
_SUFFIX = re.compile(r"[a-z]{1,2}(?![A-Za-z0-9])|\d{1,3}(?![\d.\-]\d|\d|[A-Za-z])")
_GOES_ON = re.compile(r"[ \u00a0]{1,2}[a-z]{2,}")
_LONGEST = 60
"""Members of one list."""


@cache
def _joint() -> re.Pattern[str]:
    lead = any_of(*listed("lead", "sure"), *shared("cue"))
    join = any_of(*shared("join"), *listed("list", "join"))
    return compiled(rf"[*_`]{{0,2}}\s{{0,2}}(?:[,;、]\s{{0,2}})?{join}(?![A-Za-z])\s{{0,2}}(?:{lead}\s{{0,2}})?(?:第)?[*_`]{{0,2}}")


@cache
def _range() -> re.Pattern[str]:
    return compiled(rf"\.?\s?{any_of(*shared('range'), *listed('list', 'range'))}\s?(?:第)?(?=[\da-z])")


def chain(text: str, first: Item, is_number: Reads, is_known: Reads) -> list[Item]:
    """A citation and what a list or range adds to it.

    `is_number` tells whether a number fits a numbering, `is_known` whether some book has it.
    """
    items = [_with_range(text, first, is_number)]
    while len(items) < _LONGEST:
        joint = _joint().match(text, closed(text, items[-1].end))
        member = joint and _member(text, joint.end(), items[-1], is_number, is_known)
        if not member:
            break
        items.append(_with_range(text, member, is_number))
    return items


def split_range(item: Item, is_number: Reads) -> Item:
    """A number that fits no numbering but is two that do, with a hyphen between: 603.3-603.5, 400-402."""
    if is_number(item.wanted) or "-" not in item.wanted:
        return item
    head, _, tail = item.wanted.rpartition("-")
    while head and not is_number(head):
        head, _, more = head.rpartition("-")
        tail = f"{more}-{tail}"
    through = tail if is_number(tail) and len(parts(tail)) == len(parts(head)) else successor(head, tail)
    return Item(item.start, item.end, head, through) if head and through else item


def _with_range(text: str, item: Item, is_number: Reads) -> Item:
    """The second end of `400.7a–d`, `400.7a–400.7d` or `509.1b至c`."""
    dash = None if item.through else _range().match(text, closed(text, item.end))
    if not dash:
        return item
    whole = TOKEN.match(text, dash.end())
    if whole and is_number(item_at(whole).wanted) and len(parts(item_at(whole).wanted)) == len(parts(item.wanted)):
        return Item(item.start, whole.end(), item.wanted, item_at(whole).wanted)
    suffix = _SUFFIX.match(text, dash.end())
    through = successor(item.wanted, suffix[0]) if suffix else None
    if not suffix or not through or _is_article(text, suffix) or is_counted(text, item.start, suffix.end()):
        return item
    return Item(item.start, suffix.end(), item.wanted, through)


def _member(text: str, start: int, last: Item, is_number: Reads, is_known: Reads) -> Item | None:
    """The next member of a list: a number of the same look, or the letter in which it differs."""
    whole = TOKEN.match(text, start)
    if whole:
        item = split_range(item_at(whole), is_number)
        plain = is_plain(item.wanted)
        alike = plain == is_plain(last.wanted) and is_number(item.wanted) and (not plain or is_known(item.wanted))
        return item if alike and not is_counted(text, item.start, item.end) else None
    suffix = _SUFFIX.match(text, start)
    wanted = successor(last.through or last.wanted, suffix[0]) if suffix and suffix[0].isalpha() else None
    if not suffix or not wanted or _is_article(text, suffix):
        return None
    return Item(start, suffix.end(), wanted)


def _is_article(text: str, suffix: re.Match[str]) -> bool:
    """Whether a letter is a word of the sentence: `a` before another word."""
    return suffix[0] in ("a", "i") and bool(_GOES_ON.match(text, suffix.end()))
