"""Do some words stand in a rule? Pieces around an ellipsis stand in order, an editor's brackets may stand for other words."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from corpus.editions.citations.phrases import any_of, compiled, listed, single
from corpus.editions.verify.comparable import Comparable, begins, comparable, ends
from corpus.words.text import CJK

_EDGE = ".,;:!?。、，．；：！？…⋯・)( 　（）—–-"
_BRACKETS = re.compile(r"[\[［]([^\[\]［］\n]{0,200})[\]］]")
_HAN = re.compile(f"[{CJK}]")
_WORD = re.compile(r"[A-Za-z0-9À-ɏ]+(?:['’][A-Za-z]+)?")
_MOST_SKIPPED = 120
"""Characters that brackets can stand for."""


@cache
def _ellipsis() -> re.Pattern[str]:
    return compiled(single("quotation", "ellipsis"))


@cache
def _turns() -> re.Pattern[str]:
    words = listed("quotation", "negation")
    latin = [word for word in words if word.isascii() and word[0].isalpha() and word != "n't"]
    others = [word for word in words if word not in latin]
    return compiled(rf"(?<![A-Za-z]){any_of(*latin)}(?![A-Za-z])|{any_of(*others)}")


@cache
def _torn() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return compiled(single("quotation", "torn_before")), compiled(single("quotation", "torn_after"))


def size(words: str) -> float:
    """How much is quoted, in words: of Japanese and Chinese two characters are one."""
    return len(_WORD.findall(words)) + len(_HAN.findall(words)) / 2


def place_in(words: str, whole: Comparable) -> tuple[int, int] | None:
    """Where quoted words stand in a text: `(start, end)` in the text's own characters; None where they do not."""
    if not whole.text:
        return None
    for pieces, gaps in _readings(words):
        place = _in_order(pieces, gaps, whole) if pieces else None
        if place:
            return place
    return None


def _readings(words: str) -> Iterator[tuple[list[str], list[int | None]]]:
    """The ways to read quoted words, the strictest first: pieces, and how many characters may be left out before each."""
    yield _pieces([words])
    parts = _ellipsis().split(words)
    if len(parts) > 1:
        yield _pieces(parts)
    inside = _BRACKETS.findall(words)
    if inside and not any(map(_turns().search, inside)):
        yield _bracketed(parts)


def _pieces(parts: Sequence[str]) -> tuple[list[str], list[int | None]]:
    folded = [comparable(part.strip(_EDGE)).text for part in parts]
    kept = [piece for piece in folded if piece]
    return kept, [None] * len(kept)


def _bracketed(parts: Sequence[str]) -> tuple[list[str], list[int | None]]:
    """Pieces between brackets too: what stands in the place of brackets is short."""
    pieces: list[str] = []
    gaps: list[int | None] = []
    for part in parts:
        for place, piece in enumerate(_BRACKETS.split(part)[::2]):
            if folded := comparable(piece.strip(_EDGE)).text:
                pieces.append(folded)
                gaps.append(_MOST_SKIPPED if place else None)
    return pieces, gaps


def _in_order(pieces: Sequence[str], gaps: Sequence[int | None], whole: Comparable) -> tuple[int, int] | None:
    """The first place where all pieces stand, each behind the one before."""
    for first in _places(pieces[0], whole, 0):
        if gaps[0] is not None and whole.source[: whole.places[first]].rstrip().endswith(("]", "］")):
            continue
        end = first + len(pieces[0])
        for piece, gap in zip(pieces[1:], gaps[1:], strict=True):
            there = next(_places(piece, whole, end), None)
            if there is None:
                return None  # a later start leaves less behind it
            if gap is not None and (there - end > gap or _kept(_skipped(whole, end, there))):
                break
            end = there + len(piece)
        else:
            return whole.span(first, end)
        if first > 4 * _MOST_SKIPPED * len(pieces):
            return None
    return None


def _kept(skipped: str) -> bool:
    """Whether words of a rule are such that no editor may put others in their place."""
    return "[" in skipped or "［" in skipped or bool(_turns().search(skipped))


def _skipped(whole: Comparable, start: int, end: int) -> str:
    """What stands between two pieces, as it is written."""
    return whole.source[whole.places[start - 1] + 1 : whole.places[end]] if end < len(whole.places) else ""


def _places(piece: str, whole: Comparable, start: int) -> Iterator[int]:
    """Where a piece stands as whole words."""
    at = whole.text.find(piece, start)
    while at >= 0:
        begin, end = whole.span(at, at + len(piece))
        if begins(whole.source, begin) and ends(whole.source, end) and not _is_torn(whole.source, begin, end):
            yield at
        at = whole.text.find(piece, at + 1)


def _is_torn(source: str, begin: int, end: int) -> bool:
    """Whether a Japanese or Chinese word is left off at the edge that turns the sentence round."""
    before, after = _torn()
    head = bool(_HAN.match(source, begin)) and bool(before.match(source[begin - 1 : begin]))
    return head or (bool(_HAN.match(source, end - 1)) and bool(after.match(source, end)))
