"""Which words belong to which citation: those that stand beside it, before or behind."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache

from corpus.editions.citations.cue import closed, lead
from corpus.editions.citations.mention import Item, Quotation
from corpus.editions.citations.phrases import any_of, compiled, listed
from corpus.editions.citations.quotation import told
from corpus.editions.citations.sentence import Ends

_FARTHEST = 240
"""Characters between a citation and words that are said to be its."""
_BRACKETED = re.compile(r"[(\[（［【〔][^()\[\]（）［］【】〔〕\n]{0,80}[)\]）］】〕]")
_OPEN = re.compile(r"\s{0,3}[,.;。、]?\s{0,3}(?:[(\[（［【〔]|[—–―-]{1,2}|~|\n\s{0,3}[—–―-])")
_LETTER = re.compile(r"[^\W_]")
_NUMBERED = re.compile(r"[\s*_`.:：。)）\]]{0,6}")
_SIGNED = re.compile(r"[\n>\s]*[—–―-]{1,2}\s?[^\n]{0,60}$")


class Tie(IntEnum):
    """How surely words are a citation's."""

    NEAR = 1  # somewhere near it
    BESIDE = 2  # nothing between that tells otherwise
    SAID = 3  # a word of saying between


@dataclass(frozen=True, slots=True)
class Attributed:
    """A quotation and the citation (its place in the list) that it is of."""

    quotation: Quotation
    mention: int
    tie: Tie


@cache
def _saying() -> re.Pattern[str]:
    latin = [word for word in listed("quotation", "saying") if word.isascii()]
    others = [word for word in listed("quotation", "saying") if not word.isascii()]
    return compiled(rf"(?<![A-Za-z]){any_of(*latin)}(?![A-Za-z])|{any_of(*others)}")


def attributed(
    text: str, items: Sequence[Item], quotations: Sequence[Quotation], sentences: Ends, paragraphs: Ends
) -> list[Attributed]:
    """The quotations of a text that are a citation's; `items` in the order of the text."""
    beside = _Beside(text, items, sentences, paragraphs)
    ties = [tie for quotation in quotations if (tie := beside.tie(quotation))]
    quoted = {tie.mention for tie in ties}
    for place, item in enumerate(items):
        words = None if place in quoted else told(text, closed(text, item.end))
        if words and not _overlaps(words, quotations):
            ties.append(Attributed(words, place, Tie.SAID))
    return ties


def _overlaps(words: Quotation, quotations: Sequence[Quotation]) -> bool:
    """Whether one of some quotations, none of which lies in another, has a part in some words."""
    at = bisect_left(quotations, words.end, key=lambda other: other.span.start)
    return at > 0 and quotations[at - 1].span.end > words.start


class _Beside:
    """The citations around a place."""

    def __init__(self, text: str, items: Sequence[Item], sentences: Ends, paragraphs: Ends) -> None:
        self.text, self.items, self.sentences, self.paragraphs = text, items, sentences, paragraphs
        self.starts = [item.start for item in items]
        self.behind_of: set[int] = set()

    def tie(self, quotation: Quotation) -> Attributed | None:
        """The citation that a quotation is of."""
        inside, before, behind = self._inside(quotation), self._before(quotation), self._behind(quotation)
        near = max((neighbour.tie for neighbour in (before, behind) if neighbour), default=Tie.NEAR)
        if inside and (quotation.marks == ">" or near == Tie.NEAR):
            return inside
        opened = behind and _OPEN.match(self.text, quotation.span.end)
        if behind and behind.tie > Tie.NEAR and (opened or not before or before.mention in self.behind_of):
            self.behind_of.add(behind.mention)
            return behind
        if before and (before.tie > Tie.NEAR or not behind or behind.tie == Tie.NEAR):
            return before
        if behind:
            self.behind_of.add(behind.mention)
        return behind

    def _inside(self, quotation: Quotation) -> Attributed | None:
        """A number at the head of the words, or a signature at the end of a block quote."""
        at = bisect_left(self.starts, quotation.start)
        if at < len(self.items) and self.items[at].end <= quotation.end:
            item = self.items[at]
            if not _LETTER.search(self.text, quotation.start, lead(self.text, item.start)) or self._led(quotation.start, item):
                gap = _NUMBERED.match(self.text, item.end)
                start = gap.end() if gap else item.end
                if start < quotation.end:
                    return Attributed(replace(quotation, start=start), at, Tie.BESIDE)
        last = bisect_left(self.starts, quotation.end) - 1
        if quotation.marks == ">" and last >= 0 and self.items[last].start > quotation.start:
            signed = _SIGNED.search(self.text[quotation.start : self.items[last].start])
            if signed and "\n" in signed[0]:
                return Attributed(replace(quotation, end=quotation.start + signed.start()), last, Tie.SAID)
        return None

    def _led(self, start: int, item: Item) -> bool:
        """Whether only a word such as `rule` stands before the number at the head of a quotation, and a full stop behind it."""
        words = self.text[start : item.start]
        return len(words) < 12 and len(words.split()) <= 2 and self.text[item.end : item.end + 1] in (".", ":")

    def _before(self, quotation: Quotation) -> Attributed | None:
        at = bisect_left(self.starts, quotation.span.start) - 1
        if at < 0:
            return None
        start, end = closed(self.text, self.items[at].end), quotation.span.start
        if self.items[at].end > end or end - start > _FARTHEST or not self._joined(start, end, quotation):
            return None
        gap = _BRACKETED.sub(" ", self.text[start:end])
        whole = quotation.marks == ">" or self.sentences.together(max(start - 1, 0), end)
        if whole and _saying().search(gap):
            return Attributed(quotation, at, Tie.SAID)
        return Attributed(quotation, at, Tie.BESIDE if whole and self._bare(gap) else Tie.NEAR)

    def _behind(self, quotation: Quotation) -> Attributed | None:
        at = bisect_left(self.starts, quotation.span.end)
        if at == len(self.items):
            return None
        start, end = quotation.span.end, self.items[at].start
        if end - start > _FARTHEST or not self._joined(start, end, quotation):
            return None
        gap = self.text[start : lead(self.text, end)]
        opened = bool(_OPEN.match(self.text, start))
        whole = opened or self.sentences.together(start, end)
        if whole and len(gap) < 60 and (opened or _saying().search(gap)):
            return Attributed(quotation, at, Tie.BESIDE)
        return Attributed(quotation, at, Tie.BESIDE if whole and self._bare(gap) else Tie.NEAR)

    def _joined(self, start: int, end: int, quotation: Quotation) -> bool:
        """Whether citation and words are in one paragraph; a block quote may be the next one."""
        if self.paragraphs.together(max(start - 1, 0), min(end, len(self.text) - 1)):
            return True
        return quotation.marks == ">" and self.text.count("\n", start, end) <= 2 and (end - start) <= _FARTHEST

    @staticmethod
    def _bare(gap: str) -> bool:
        """Whether hardly a word stands between."""
        return len(_LETTER.findall(gap)) <= 6
