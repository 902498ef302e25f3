"""The words around a place in a text, as many as help to see how it is used."""

import re

from corpus.words.text import CJK, CJK_MARKS

_UNIT = re.compile(f"\\s+|[{CJK}{CJK_MARKS}]|[^\\s{CJK}{CJK_MARKS}]+")
_CHARACTER, _WORD, _BUDGET = 2, 5, 40
"""The price of a CJK character and of a word in Latin script, and what one side may cost: 20 characters or 8 words."""
_WINDOW = 400  # characters; 8 words are shorter


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """The words before and after `text[start:end]`, at most 20 CJK characters or 8 other words on each side.

    `…` stands where the text goes on; line breaks become spaces.
    """
    head, tail = text[max(start - _WINDOW, 0) : start], text[end : end + _WINDOW]
    before = _affordable(_UNIT.findall(head)[::-1])
    after = _affordable(_UNIT.findall(tail))
    left, right = "".join(before[::-1]), "".join(after)
    more_before, more_after = len(left) < start and text[: start - len(left)].strip(), text[end + len(right) :].strip()
    left, right = re.sub(r"\s+", " ", left), re.sub(r"\s+", " ", right)
    return f"…{left.lstrip()}" if more_before else left.lstrip(), f"{right.rstrip()}…" if more_after else right.rstrip()


def _affordable(units: list[str]) -> list[str]:
    """The units from the first on as far as their price allows."""
    left = _BUDGET
    for count, unit in enumerate(units):
        left -= 0 if unit.isspace() else _CHARACTER if _is_cjk(unit) else _WORD
        if left < 0:
            return units[:count]
    return units


def _is_cjk(unit: str) -> bool:
    return len(unit) == 1 and not unit.isascii()
