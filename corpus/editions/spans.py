"""Differences between two texts by words, in Japanese and Chinese by characters, ignoring short accidental matches."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from corpus.words.text import CJK

if TYPE_CHECKING:
    from corpus.contract import ChangedSpan

_TOKEN = re.compile(f"[{CJK}]|[^\\W_]+(?:['’.\\-][^\\W_]+)*|\\s+|.", re.S)
_SHORT = 2
"""Maximum number of CJK characters between two changes that count as an accidental match."""
_Piece = tuple[bool, int, int, int, int]
"""Equal or not, and the bounds in both texts."""


def spans(old: str, new: str) -> "list[ChangedSpan]":
    """The equal, deleted, inserted and replaced spans of two texts, in code points."""
    if old == new or not old or not new:
        whole: ChangedSpan = {"op": _op(old == new, bool(old), bool(new)), "old": [0, len(old)], "new": [0, len(new)]}
        return [whole] if old or new else []
    return [
        {"op": _op(equal, a < b, c < d), "old": [a, b], "new": [c, d]}
        for equal, a, b, c, d in _joined(list(_pieces(old, new)), old)
        if a < b or c < d
    ]


def similarity(old: str, new: str) -> float:
    """The share of words that two texts have in the same order."""
    return round(min(Indel.normalized_similarity(_TOKEN.findall(old), _TOKEN.findall(new)), 0.999), 3)


def _pieces(old: str, new: str) -> Iterator[_Piece]:
    mine, theirs = _TOKEN.findall(old), _TOKEN.findall(new)
    here, there = _offsets(mine), _offsets(theirs)
    for code in Indel.opcodes(mine, theirs):
        yield code.tag == "equal", here[code.src_start], here[code.src_end], there[code.dest_start], there[code.dest_end]


def _offsets(tokens: Sequence[str]) -> list[int]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return offsets


def _joined(pieces: Sequence[_Piece], old: str) -> list[_Piece]:
    """Joins neighbouring changes and the accidental matches between them."""
    joined: list[_Piece] = []
    for place, (equal, *bounds) in enumerate(pieces):
        inside = 0 < place < len(pieces) - 1
        same = equal and not (inside and _is_accident(old[bounds[0] : bounds[1]]))
        if joined and joined[-1][0] == same:
            joined[-1] = (same, joined[-1][1], bounds[1], joined[-1][3], bounds[3])
        else:
            joined.append((same, *bounds))  # type: ignore[arg-type]
    return joined


def _is_accident(words: str) -> bool:
    return not words.strip() or (len(words) < _SHORT and not words.isascii())


def _op(equal: bool, gone: bool, come: bool) -> str:
    if equal:
        return "equal"
    return "replace" if gone and come else "delete" if gone else "insert"
