"""Sentences without a translation: told by which sentences answer each other, and by length."""

from collections.abc import Iterator, Sequence
from statistics import median

from corpus.messages import message
from ontology.translation.bitext.sentences import sentences
from ontology.translation.drift.finding import Finding, Span
from ontology.translation.drift.numbers import figures
from ontology.translation.drift.pairs import Bead, Pair
from ontology.translation.drift.terms import Termbase
from ontology.translation.drift.words import place

_SHORT, _LONG = 25, 60
"""Characters of a sentence that is worth telling, and of one whose loss shows in the length of what is left."""
_LACK = 0.68
"""How long a translation is at most, beside its usual length, where a sentence of it is lost."""
_ROOM = 0.55
"""The share of a lost sentence that the whole part must be shorter than usual."""


def ratio(pairs: Sequence[Pair]) -> float:
    """How long the translation is beside the original, at large."""
    ratios = [
        len(pair.target.text) / len(pair.source.text) for pair in pairs if len(pair.source.text) >= _LONG and pair.target.text
    ]
    return median(ratios) if ratios else 1.0


def findings(pair: Pair, usual: float, terms: Termbase) -> Iterator[Finding]:
    """Sentences of a part that have no translation."""
    if pair.source.title:
        return
    spans = [span for bead in pair.beads for span in _lost(pair, bead, usual, terms)]
    short = usual * len(pair.source.text) - len(pair.target.text)
    lost = sum(end - start for start, end in spans) * usual
    if spans and short >= _ROOM * lost:
        words = pair.source.text[slice(*spans[0])]
        said = message("{words}: has no translation", words=words if len(words) <= 80 else f"{words[:80]}…")
        at = [bead.target for bead in pair.beads if bead.source[0] <= spans[0][0] < max(bead.source[1], bead.source[0] + 1)]
        yield Finding("missing-sentence", said, place(pair.source, spans), place(pair.target, at), 0.9, words[:40])


def _lost(pair: Pair, bead: Bead, usual: float, terms: Termbase) -> Iterator[Span]:
    """The sentences of a bead that are lost: all of one without a translation, of a short one those of which nothing is there."""
    first, last = bead.source
    if last - first < _SHORT:
        return
    if bead.target[0] == bead.target[1]:
        yield bead.source
    elif last - first >= _LONG and (bead.target[1] - bead.target[0]) < _LACK * usual * (last - first):
        fitting = [span for span in _sentences(pair, bead) if span[1] - span[0] >= _SHORT and _fits_without(span, bead, usual)]
        yield from sorted(fitting, key=lambda span: _kept(pair, span, bead, terms))[:1]


def _sentences(pair: Pair, bead: Bead) -> Iterator[Span]:
    first, last = bead.source
    spans = sentences(pair.source.text[first:last])
    if len(spans) > 1:
        yield from ((span.start + first, span.end + first) for span in spans)


def _fits_without(span: Span, bead: Bead, usual: float) -> bool:
    """Whether what translates a bead is about as long as the bead without a sentence would have it."""
    rest = usual * (bead.source[1] - bead.source[0] - (span[1] - span[0]))
    return _LACK * rest <= bead.target[1] - bead.target[0] <= rest / _LACK


def _kept(pair: Pair, span: Span, bead: Bead, terms: Termbase) -> float:
    """The share of what marks a sentence that is in what translates its bead."""
    words, there = pair.source.text[slice(*span)], pair.target.text[slice(*bead.target)]
    concepts = {concept for concept, _ in terms.named(words, pair.source.lang)}
    kept = [terms.has(there, concept, pair.target.lang) for concept in concepts if terms.names(concept, pair.target.lang)]
    known = {figure.value for figure in figures(there, pair.target.lang)}
    kept += [figure.value in known for figure in figures(words, pair.source.lang) if figure.strict]
    return sum(kept) / len(kept) if kept else 0.0
