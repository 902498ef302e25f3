"""Aligns the sentences of a text with those of its translation, by their lengths (Gale and Church, 1993) and shared anchors.

Numbers, symbols, Latin words in other scripts and marked concepts are anchors: both sides have them. Dynamic programming finds the
cheapest path, since sentences keep their order.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpus.languages import language_of
from corpus.model import Span
from corpus.words.sentences import split_sentences

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
"""(Sentences of the source, of the target) → cost: -log of the frequency of such a bead relative to one to one."""
_LENGTH_WEIGHTS = {"ja": 2.3, "zh": 3.0, "en": 1.0}
"""Number of English letters to which a character is equivalent; the ratio of the two texts has the same weight."""
_LENGTH_VARIANCE = 6.8
"""Variance of a translation's length per letter (Gale and Church)."""
_BAND_WIDTH = 6
"""Maximum number of sentences by which the two sides may be out of step."""
_ANCHOR_COST = 4.0
_ANCHOR = re.compile(r"\{[^}\s]{1,5}\}|\d+(?:[.\-]\d+)*[a-z]{0,2}|[A-Za-z]{2,}")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Side:
    """The sentences of one side, with the concepts mentioned in each."""

    lang: str
    text: str
    spans: Sequence[Span]
    concepts: Sequence[Collection[str]]


def side_of(lang: str, text: str, mentions: Sequence[tuple[str, int, int]]) -> Side:
    """The sentences of a text; `mentions` are the concepts in it, with the code points that name them."""
    spans = split_sentences(text)
    concepts = [{concept for concept, start, end in mentions if span.start <= start and end <= span.end} for span in spans]
    return Side(lang, text, spans, concepts)


@dataclass(frozen=True, slots=True)
class Bead:
    """Sentences that correspond, as half-open ranges of sentence numbers; `confidence` is from 0 to 1."""

    source: tuple[int, int]
    target: tuple[int, int]
    confidence: float


_Point = tuple[int, int]
"""Numbers of sentences of the source and the target before this point."""


def align_sentences(source: Side, target: Side) -> list[Bead]:
    """The beads of two sides in order; each sentence is in exactly one."""
    costs = _AlignmentCosts(source, target)
    best: dict[_Point, tuple[float, _Point]] = {(0, 0): (0.0, (0, 0))}
    for point in _band_points(len(source.spans), len(target.spans)):
        origins = [origin for rows, columns in BEADS if (origin := (point[0] - rows, point[1] - columns)) in best]
        steps = [(best[at][0] + costs.cost(at, point) + BEADS[_step_cost(at, point)], at) for at in origins]
        if steps:
            best[point] = min(steps)
    return list(_beads(best, (len(source.spans), len(target.spans)), costs))


def _band_points(rows: int, columns: int) -> Iterator[_Point]:
    """The points near the diagonal, row by row."""
    slope = columns / rows if rows else columns
    for row in range(rows + 1):
        for column in range(columns + 1):
            if (row or column) and abs(column - row * slope) <= max(_BAND_WIDTH, slope):
                yield row, column


def _step_cost(origin: _Point, point: _Point) -> tuple[int, int]:
    return point[0] - origin[0], point[1] - origin[1]


def _beads(best_steps: Mapping[_Point, tuple[float, _Point]], end: _Point, costs: "_AlignmentCosts") -> Iterator[Bead]:
    steps, point = [], end
    while point != (0, 0):
        origin = best_steps[point][1]
        steps.append((origin, point))
        point = origin
    for origin, point in reversed(steps):
        yield Bead((origin[0], point[0]), (origin[1], point[1]), costs.confidence(origin, point))


class _AlignmentCosts:
    """Two sides with the length and the anchors of every sentence."""

    def __init__(self, source: Side, target: Side) -> None:
        self._sides = source, target
        self._lengths = [
            [_weighted_length(side.text[span.start : span.end], side.lang) for span in side.spans] for side in (source, target)
        ]
        same_language = language_of(source.lang) == language_of(target.lang)
        self._anchors = [
            [_anchors(side, place, latin=same_language) for place in range(len(side.spans))] for side in (source, target)
        ]
        source_length, target_length = (sum(lengths) or 1.0 for lengths in self._lengths)
        self._ratio = math.sqrt(target_length / source_length)  # halfway between the languages in general and these texts

    def cost(self, origin: _Point, point: _Point) -> float:
        """The cost of a bead between two points, without the cost of its kind."""
        if not all(_step_cost(origin, point)):
            return 0.0
        shared = self._shared_anchors(origin, point)
        return -math.log(max(self._length_likelihood(origin, point), 1e-6)) + (0 if shared is None else _ANCHOR_COST * (1 - shared))

    def confidence(self, origin: _Point, point: _Point) -> float:
        """The confidence of a bead between two points, from 0 to 1."""
        step = _step_cost(origin, point)
        if not all(step):
            return 0.0
        if step == (1, 1) == (len(self._sides[0].spans), len(self._sides[1].spans)):
            return 1.0
        shared, length = self._shared_anchors(origin, point), math.sqrt(math.sqrt(self._length_likelihood(origin, point)))
        confidence = length if shared is None else 0.35 * length + 0.65 * shared
        return round(min(confidence if step == (1, 1) else 0.9 * confidence, 0.99), 2)

    def _length_likelihood(self, origin: _Point, point: _Point) -> float:
        """The likelihood that two lengths are those of a text and its translation."""
        source, target = (sum(lengths[first:last]) for lengths, first, last in zip(self._lengths, origin, point, strict=True))
        source *= self._ratio
        deviation = math.sqrt(_LENGTH_VARIANCE * (source + target) / 2) or 1.0
        return math.erfc(abs(target - source) / deviation / math.sqrt(2) / 2)

    def _shared_anchors(self, origin: _Point, point: _Point) -> float | None:
        """The share of anchors that both sides have; None if neither has any."""
        source, target = (
            frozenset().union(*anchors[first:last]) for anchors, first, last in zip(self._anchors, origin, point, strict=True)
        )
        total = len(source | target)
        return len(source & target) / total if total else None


def _weighted_length(text: str, lang: str) -> float:
    letters = len(_LATIN.findall(text))
    return letters + (len(text) - letters) * _LENGTH_WEIGHTS.get(language_of(lang), 1.0)


def _anchors(side: Side, place: int, *, latin: bool) -> frozenset[tuple[str, int]]:
    """The anchors of a sentence; equal anchors are numbered.

    `latin` counts every word, otherwise only words foreign to the text.
    """
    span = side.spans[place]
    text = side.text[span.start : span.end]
    anchors = [word.lower() for word in _ANCHOR.findall(text) if latin or not word.isalpha()]
    counts = Counter([*anchors, *set(side.concepts[place])])
    return frozenset((anchor, number) for anchor, count in counts.items() for number in range(count))
