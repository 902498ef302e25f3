"""The sentences and paragraphs of a text, as places where they end."""

import re
from bisect import bisect_right
from collections.abc import Iterable

from corpus.model import Span

_END = re.compile(
    r"[。！？!?]|\n|(?<!\b[a-zA-Z])(?<!vs)(?<!cf)(?<!no)(?<!No)(?<!ver)(?<!sec)\.(?=\s+[A-Z\"“„(\[\u3040-\u9fff]|\s*$)"
)
_BREAK = re.compile(r"\n[ \t>]*\n|\n(?=[ \t]*(?:#{1,6} |[-*•・] ))")


class Ends:
    """Where the parts of a text end; two places are in one part where no end lies between them."""

    def __init__(self, ends: list[int]) -> None:
        self.places = ends

    def part(self, place: int) -> int:
        """The index of the part that a place is in."""
        return bisect_right(self.places, place)

    def together(self, place: int, other: int) -> bool:
        """Whether two places are in the same part."""
        return self.part(place) == self.part(other)


def sentences(text: str, within: Iterable[Span] = ()) -> Ends:
    """The sentences of a text; an end inside one of some spans (quotations) is none."""
    ends = [match.end() for match in _END.finditer(text)]
    spans = sorted(within)
    kept: list[int] = []
    at = 0
    for end in ends:
        while at < len(spans) and spans[at].end < end:
            at += 1
        if at == len(spans) or not spans[at].start < end <= spans[at].end:
            kept.append(end)
    return Ends(kept)


def paragraphs(text: str) -> Ends:
    """The paragraphs of a text: parted by empty lines, headings and bullets."""
    return Ends([match.end() for match in _BREAK.finditer(text)])
