"""Which sentences of a text answer which of its translation: lengths (Gale and Church, 1993) and what both must share.

Numbers, symbols, words of Latin script and marked concepts are the same in every language; lengths are in proportion. A text is
short, its sentences keep their order, so the best way through is found by dynamic programming.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.languages import language_of
from corpus.model import Span

BEADS: Mapping[tuple[int, int], float] = {
    (1, 1): 0.0,
    (1, 2): 2.4,
    (2, 1): 2.4,
    (2, 2): 4.5,
    (1, 3): 5.0,
    (3, 1): 5.0,
    (1, 0): 4.0,
    (0, 1): 4.0,
}
"""How many sentences answer how many, and what that costs: -log of how seldom it is beside one to one."""
_WEIGHT = {"ja": 2.3, "zh": 3.0, "en": 1.0}
"""How many letters of English one character is worth; the ratio of the two texts themselves counts as much."""
_VARIANCE = 6.8
"""Of the length of a translation, for each letter (Gale and Church)."""
_FAR = 6
"""Sentences that a translation may be ahead or behind."""
_ANCHOR_COST = 4.0
_ANCHOR = re.compile(r"\{[^}\s]{1,5}\}|\d+(?:[.\-]\d+)*[a-z]{0,2}|[A-Za-z]{2,}")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Side:
    """The sentences of one side, with the concepts named in each."""

    lang: str
    text: str
    spans: Sequence[Span]
    concepts: Sequence[Collection[str]]


@dataclass(frozen=True, slots=True)
class Bead:
    """Sentences that answer each other, from first to before last on each side, and how sure that is (0 to 1)."""

    source: tuple[int, int]
    target: tuple[int, int]
    confidence: float


def align(source: Side, target: Side) -> list[Bead]:
    """The sentences of two sides, each in exactly one bead, in order."""
    measured = _Measured(source, target)
    best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
    for here in _grid(len(source.spans), len(target.spans)):
        ways = _before(here, best)
        steps = [(best[before][0] + measured.cost(before, here) + BEADS[_step(before, here)], before) for before in ways]
        if steps:
            best[here] = min(steps)
    return list(_way(best, (len(source.spans), len(target.spans)), measured))


def _grid(rows: int, columns: int) -> Iterator[tuple[int, int]]:
    """The places to come through, but those far from the straight way."""
    step = columns / rows if rows else columns
    for row in range(rows + 1):
        for column in range(columns + 1):
            if (row or column) and abs(column - row * step) <= max(_FAR, step):
                yield row, column


def _before(here: tuple[int, int], known: Collection[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    ways = ((here[0] - rows, here[1] - columns) for rows, columns in BEADS)
    return (before for before in ways if before in known)


def _step(before: tuple[int, int], here: tuple[int, int]) -> tuple[int, int]:
    return here[0] - before[0], here[1] - before[1]


def _way(
    best: Mapping[tuple[int, int], tuple[float, tuple[int, int]]], end: tuple[int, int], measured: "_Measured"
) -> Iterator[Bead]:
    steps, here = [], end
    while here != (0, 0):
        before = best[here][1]
        steps.append((before, here))
        here = before
    for before, here in reversed(steps):
        yield Bead((before[0], here[0]), (before[1], here[1]), measured.confidence(before, here))


class _Measured:
    """Two sides with the length and the anchors of every sentence."""

    def __init__(self, source: Side, target: Side) -> None:
        self._sides = source, target
        self._lengths = [[_length(side.text[span.start : span.end], side.lang) for span in side.spans] for side in (source, target)]
        latin = language_of(source.lang) == language_of(target.lang)
        self._anchors = [[_anchors(side, place, latin=latin) for place in range(len(side.spans))] for side in (source, target)]
        here, there = (sum(lengths) or 1.0 for lengths in self._lengths)
        self._ratio = math.sqrt(there / here)  # halfway between the languages at large and these very texts

    def cost(self, before: tuple[int, int], here: tuple[int, int]) -> float:
        """What it costs to take the sentences between two places for each other."""
        if not all(_step(before, here)):
            return 0.0
        shared = self._shared(before, here)
        return -math.log(max(self._likely(before, here), 1e-6)) + (0 if shared is None else _ANCHOR_COST * (1 - shared))

    def confidence(self, before: tuple[int, int], here: tuple[int, int]) -> float:
        """From 0 to 1."""
        step = _step(before, here)
        if not all(step):
            return 0.0
        whole = step == (len(self._sides[0].spans), len(self._sides[1].spans))
        if whole and step == (1, 1):
            return 1.0
        shared, likely = self._shared(before, here), self._likely(before, here)
        long = math.sqrt(math.sqrt(likely))
        sure = long if shared is None else 0.35 * long + 0.65 * shared
        return round(min(sure if step == (1, 1) else 0.9 * sure, 0.99), 2)

    def _likely(self, before: tuple[int, int], here: tuple[int, int]) -> float:
        """How likely two lengths are those of a sentence and its translation."""
        mine, theirs = (sum(lengths[first:last]) for lengths, first, last in zip(self._lengths, before, here, strict=True))
        mine *= self._ratio
        spread = math.sqrt(_VARIANCE * (mine + theirs) / 2) or 1.0
        return math.erfc(abs(theirs - mine) / spread / math.sqrt(2) / 2)

    def _shared(self, before: tuple[int, int], here: tuple[int, int]) -> float | None:
        """The share of anchors that both have; None where neither has any."""
        mine, theirs = (
            frozenset().union(*anchors[start:end]) for anchors, start, end in zip(self._anchors, before, here, strict=True)
        )
        every = len(mine | theirs)
        return len(mine & theirs) / every if every else None


def _length(text: str, lang: str) -> float:
    letters = len(_LATIN.findall(text))
    return letters + (len(text) - letters) * _WEIGHT.get(language_of(lang), 1.0)


def _anchors(side: Side, place: int, *, latin: bool) -> frozenset[tuple[str, int]]:
    """What must stand on the other side too, each with its number among the same; words only where they are foreign to the text."""
    span = side.spans[place]
    text = side.text[span.start : span.end]
    anchors = [word.lower() for word in _ANCHOR.findall(text) if latin or not word.isalpha()]
    counted = Counter([*anchors, *set(side.concepts[place])])
    return frozenset((anchor, number) for anchor, count in counted.items() for number in range(count))
