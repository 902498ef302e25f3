"""The reading order of a PDF page: column by column, and each line at its height.

pdfium returns text in the order in which a page draws it. Most pages draw in reading order, and their text is kept as it is. Where
the order contradicts the positions (two columns drawn line by line, a title drawn after its section), the page is put together
anew from the positions of its characters.
"""

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles
from typing import TYPE_CHECKING

from corpus.words.text import CJK, CJK_MARKS

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage


_MIN_SIDE, _MIN_SHARE = 3, 0.05
"""Minimum number of pieces in a column, and their minimum share."""
_MAX_CROSSING = 0.15
"""Maximum share of pieces that cross the space between two columns: titles over both."""
_MAX_WIDTHS = 1.6
"""Maximum ratio of the widths of two columns: those of a table differ more."""
_MIN_BESIDE = 0.5
"""Minimum share of a column's height that is beside the other column."""
_SAME_LINE = 0.5
"""Maximum distance of two base lines of one line, in heights of its characters."""
_GAP = 1.0
"""Minimum space that separates two pieces of a line, in heights of its characters."""
_BETWEEN_CJK = re.compile(f"[{CJK}{CJK_MARKS}]{{2}}")
_SURROGATES = frozenset(map(chr, range(0xD800, 0xE000)))
_MIN_PIECE = 3
"""Minimum mean number of characters of a piece: vertical writing has one character in each."""


@dataclass(slots=True)
class _PagePiece:
    """Characters beside each other on a page; lengths in points from its lower left corner."""

    left: float
    right: float
    base: float  # the y of its base line
    height: float
    text: str = ""


def ordered_text(layer: "PdfTextPage", text: str) -> str:
    """The text of a page in reading order; `text` is what pdfium returns for it."""
    pieces = _pieces(layer)
    if pieces is None:
        return text
    is_vertical = sum(len(piece.text) for piece in pieces) < _MIN_PIECE * len(pieces)
    return text if is_vertical or _is_in_order(pieces) else "\n".join(_lines(pieces))


def _is_in_order(pieces: Sequence[_PagePiece]) -> bool:
    """Whether pieces are drawn column by column and from top to bottom."""
    while len(pieces) > 1 and all(pieces[0].base + pieces[0].height < piece.base for piece in pieces[1:]):
        pieces = pieces[1:]  # a foot that is drawn first
    gutter = _gutter(pieces)
    if gutter is None:
        return not any(after.base > before.base + before.height + after.height for before, after in _neighbours(pieces))
    across = [piece for piece in pieces if piece.left < gutter < piece.right]
    beside = [piece for piece in pieces if not piece.left < gutter < piece.right]
    returns = sum(before.left > gutter > after.left for before, after in pairwise(beside))
    sides = ([piece for piece in beside if (piece.left < gutter) is is_left] for is_left in (True, False))
    return returns <= 1 + len(across) and all(_is_in_order(side) for side in sides)


def _neighbours(pieces: Sequence[_PagePiece]) -> Iterator[tuple[_PagePiece, _PagePiece]]:
    """Each piece with the lowest one that is drawn before it."""
    lowest: _PagePiece | None = None
    for piece in pieces:
        if lowest:
            yield lowest, piece
        lowest = piece if lowest is None or piece.base < lowest.base else lowest


def _gutter(pieces: Sequence[_PagePiece]) -> float | None:
    """The x of the space between two columns; None if the pieces are one column or a table."""
    if len(pieces) < 2 * _MIN_SIDE:
        return None
    start, end = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    places = [start + (end - start) * step / 100 for step in range(25, 76)]
    crossing = [sum(piece.left < place < piece.right for piece in pieces) for place in places]
    fewest = min(crossing)
    if fewest > _MAX_CROSSING * len(pieces):
        return None
    best = [place for place, count in zip(places, crossing, strict=True) if count == fewest]
    gutter = best[len(best) // 2]
    left_side = [piece for piece in pieces if piece.right <= gutter]
    right_side = [piece for piece in pieces if piece.left >= gutter]
    return gutter if _are_columns(left_side, right_side, len(pieces)) else None


def _are_columns(left_side: Sequence[_PagePiece], right_side: Sequence[_PagePiece], count: int) -> bool:
    """Whether two groups of pieces are columns of text beside each other."""
    fewer = min(len(left_side), len(right_side))
    if fewer < max(_MIN_SIDE, _MIN_SHARE * count):
        return False
    lines = [_joined(side) for side in (left_side, right_side)]
    if min(map(len, lines)) < _MIN_SIDE:
        return False
    widths = sorted(quantiles((piece.right - piece.left for piece in side), n=5)[-1] for side in lines)
    tops, bottoms = ([edge(piece.base for piece in side) for side in lines] for edge in (max, min))
    beside = min(tops) - max(bottoms)
    shorter = min(top - bottom for top, bottom in zip(tops, bottoms, strict=True))
    return widths[1] <= _MAX_WIDTHS * widths[0] and beside > _MIN_BESIDE * shorter > 0


def _joined(pieces: Sequence[_PagePiece]) -> list[_PagePiece]:
    """Pieces of one line as one piece, from top to bottom, the pieces of a line from left to right."""
    lines: list[list[_PagePiece]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.base):
        if lines and lines[-1][0].base - piece.base <= _SAME_LINE * max(lines[-1][0].height, piece.height):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [_line(sorted(line, key=lambda piece: piece.left)) for line in lines]


def _line(pieces: Sequence[_PagePiece]) -> _PagePiece:
    text = pieces[0].text
    for piece in pieces[1:]:
        is_joined = text.endswith(" ") or _BETWEEN_CJK.fullmatch(text[-1:] + piece.text[:1])
        text += piece.text if is_joined else " " + piece.text
    return _PagePiece(pieces[0].left, max(piece.right for piece in pieces), pieces[0].base, pieces[0].height, text)


def _lines(pieces: Sequence[_PagePiece]) -> Iterator[str]:
    """The lines of pieces in reading order: between titles across the page the left column, then the right one."""
    gutter = _gutter(pieces)
    if gutter is None:
        yield from (line.text.rstrip() for line in _joined(pieces))
        return
    across = sorted((piece for piece in pieces if piece.left < gutter < piece.right), key=lambda piece: -piece.base)
    rest = [piece for piece in pieces if not piece.left < gutter < piece.right]
    for title in [*_joined(across), None]:
        band = [piece for piece in rest if title is None or piece.base > title.base]
        rest = [piece for piece in rest if title is not None and piece.base <= title.base]
        for is_left in (True, False):
            yield from _lines_of_column([piece for piece in band if (piece.right <= gutter) is is_left])
        if title:
            yield title.text.rstrip()


def _lines_of_column(pieces: Sequence[_PagePiece]) -> Iterator[str]:
    if pieces:
        yield from _lines(pieces)


def _pieces(layer: "PdfTextPage") -> list[_PagePiece] | None:
    """The pieces of a page with their text, in the order in which they are drawn.

    None if pdfium has no position or no valid code point for one of the characters.
    """
    from pypdfium2 import raw

    box, x, y = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    pieces = list[_PagePiece]()
    piece: _PagePiece | None = None
    for index in range(layer.count_chars()):
        character = chr(raw.FPDFText_GetUnicode(layer, index))
        if character in "\r\n":
            continue
        if character.isspace() or character == "\0":
            if piece and not piece.text.endswith(" "):
                piece.text += " "
            continue
        is_placed = raw.FPDFText_GetLooseCharBox(layer, index, box) and raw.FPDFText_GetCharOrigin(layer, index, x, y)
        if not is_placed or character in _SURROGATES:
            return None
        height = abs(box.top - box.bottom) or 1.0
        if piece and _goes_on(piece, box.left, y.value, height):
            piece.text += character
            piece.right = max(piece.right, box.right)
            continue
        piece = _PagePiece(box.left, box.right, y.value, height, character)
        pieces.append(piece)
    return pieces


def _goes_on(piece: _PagePiece, x: float, base: float, height: float) -> bool:
    """Whether a character at this place belongs to the piece before it."""
    is_beside = -_SAME_LINE * height <= x - piece.right <= _GAP * height
    return is_beside and abs(base - piece.base) <= _SAME_LINE * max(height, piece.height)
