"""Numbers in a text that may be rules' numbers, and which numberings they fit."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from corpus.catalogue import Grammar
from corpus.editions.citations.mention import Item
from corpus.reference import folded_number

TOKEN = re.compile(
    r"\d{1,4}(?:[.\-\u2010\u2011]\d{1,4}){0,7}(?:\.?[a-z]{1,2}(?![A-Za-z])|[A-Z](?![A-Za-z0-9])|\([a-z]\))?"
    r"(?:[.\-]\d{1,4}(?:\.?[a-z](?![a-z]))?){0,3}(?:~\d{1,3}(?:\.\d{1,3}){0,3})?"
)
"""Digits with what can belong to a rule's number; hyphens may be those of a range."""
_PART = re.compile(r"999|900|9|a|[.\-]")
_CLASSES = {"999": r"\d{3,4}", "900": r"\d{1,2}00", "9": r"\d{1,3}", "a": "[a-z]{1,2}"}
_PARTS = re.compile(r"\d+|[a-z]+")


def item_at(match: re.Match[str]) -> Item:
    """The number of a match of TOKEN."""
    return Item(match.start(), match.end(), folded_number(match[0].replace("(", "").replace(")", "")))


def fits(wanted: str, grammars: Iterable[Grammar]) -> bool:
    """Whether a number has the form of one in some numbering."""
    plain = wanted.partition("~")[0]
    return any(_form(grammar).fullmatch(plain) for grammar in grammars)


@cache
def _form(grammar: Grammar) -> re.Pattern[str]:
    formats = [number_format for level in grammar.levels for number_format in level.formats]
    return re.compile(
        "|".join(_PART.sub(lambda part: _CLASSES.get(part[0]) or re.escape(part[0]), shape) for shape in formats) or r"(?!)"
    )


@lru_cache(maxsize=1 << 12)
def parts(wanted: str) -> tuple[str, ...]:
    """The parts of a number: `702.19b` has `702`, `19` and `b`."""
    return tuple(_PARTS.findall(wanted.partition("~")[0]))


def is_plain(wanted: str) -> bool:
    """Whether a number is digits alone, as any count is."""
    return wanted.isdigit()


def is_telling(wanted: str) -> bool:
    """Whether a number can hardly be anything but a rule's: three digits, more, and a letter; or four parts and more."""
    pieces = parts(wanted)
    lettered = len(pieces) > 2 and len(pieces[0]) > 2 and any(part.isalpha() for part in pieces)
    return lettered or len(pieces) > 3 or "~" in wanted


def is_decimal(wanted: str) -> bool:
    """Whether it is a number like 603.3: as any measure can be, but seldom is."""
    pieces = parts(wanted)
    return len(pieces) == 2 and len(pieces[0]) > 2 and "." in wanted


def is_date(wanted: str) -> bool:
    """Whether it is a date with its year: 2022-06-10, 10.6.2022."""
    pieces = parts(wanted)
    return len(pieces) == 3 and any(len(part) == 4 and part[:2] in ("19", "20") for part in (pieces[0], pieces[2]))


def successor(last: str, suffix: str) -> str | None:
    """What `c` names behind 603.3b, or `5` behind 603.3: 603.3c, 603.5; None where it cannot go on so."""
    pieces = parts(last)
    if not pieces or suffix.isalpha() != pieces[-1].isalpha() or suffix.isdigit() != pieces[-1].isdigit():
        return None
    if (len(suffix), suffix) <= (len(pieces[-1]), pieces[-1]) or len(pieces) < 2:
        return None
    return last[: -len(pieces[-1])] + suffix
