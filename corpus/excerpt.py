"""The words around a place in a text, cut to what helps to see how it is used."""

import re

from corpus.text import CJK, CJK_MARKS

_PIECE = re.compile(f"\\s+|[{CJK}{CJK_MARKS}]|[^\\s{CJK}{CJK_MARKS}]+")
_CHARACTER, _WORD, _SIDE = 2, 5, 40
"""The price of a CJK character and of a word in Latin script, and what one side may cost: 20 characters or 8 words."""
_WINDOW = 400  # characters; 8 words are shorter


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """The words before and after `text[start:end]`, at most 20 CJK characters or 8 other words on each side.

    `…` stands where the text goes on; line breaks become blanks.
    """
    head, tail = text[max(start - _WINDOW, 0) : start], text[end : end + _WINDOW]
    before = _cut(_PIECE.findall(head)[::-1])
    after = _cut(_PIECE.findall(tail))
    left, right = "".join(before[::-1]), "".join(after)
    more_before, more_after = len(left) < start and text[: start - len(left)].strip(), text[end + len(right) :].strip()
    left, right = re.sub(r"\s+", " ", left), re.sub(r"\s+", " ", right)
    return f"…{left.lstrip()}" if more_before else left.lstrip(), f"{right.rstrip()}…" if more_after else right.rstrip()


def _cut(pieces: list[str]) -> list[str]:
    """The pieces from the first on as far as their price allows."""
    left = _SIDE
    for count, piece in enumerate(pieces):
        left -= 0 if piece.isspace() else _CHARACTER if _is_cjk(piece) else _WORD
        if left < 0:
            return pieces[:count]
    return pieces


def _is_cjk(piece: str) -> bool:
    return len(piece) == 1 and not piece.isascii()
