"""Slips that an operator or a term elsewhere in the sentence hides: the book itself says what it would have written there.

A sentence that has fewer operators than its original, or none of the names of a term, may still be sound: translations turn
sentences. It is a slip where the book would much likelier write the sentence with the missing word in it (a noisy channel: how
seldom the book leaves such a word out, times how much likelier the sentence becomes).
"""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from corpus.messages import message
from corpus.words.text import CJK
from ontology.translation.bitext.sentences import sentences
from ontology.translation.drift.finding import Finding, Span
from ontology.translation.drift.names import names
from ontology.translation.drift.pairs import Bead, Pair
from ontology.translation.drift.patterns import Operator, language
from ontology.translation.drift.style import Style
from ontology.translation.drift.terms import Termbase
from ontology.translation.drift.usual import Seen, Usual
from ontology.translation.drift.words import Missed, place

Key = tuple[str, str, int, str]
"""Rule, part, which of its kind, and what about it: at most one finding for each."""
_SURE = 0.5
"""Confidence of two sentences from which on they are counted."""
_MOST = 2
"""Operators of a kind in a sentence from which on translations sum up."""
_ODDS = {"operator": 7.1, "term": 34.0}
"""How likely a slip must be, as the logarithm of its odds."""
_ALIKE = 22.0
"""The same of a character that a wrong name of a term has in common with its name: translators vary terms by halves."""
_KEPT = 0.88
"""How often the book must keep a term for its lack to be looked into."""
_LONGEST, _WORDS = 3, 400
"""Characters of a wrong word, and of a text that is looked through for one."""
_HAN = re.compile(f"[{CJK}]+")


class Short(NamedTuple):
    """A sentence with fewer operators of a kind than its original."""

    pair: Pair
    bead: Bead
    name: str
    spans: Sequence[Span]  # of the operators in the source, within its sentences
    seen: Seen


class Restored(NamedTuple):
    """What the book would have written, where, and how much likelier."""

    gain: float
    words: str
    span: Span


def findings(pairs: Sequence[Pair], missed: Sequence[Missed], told: Collection[Key], terms: Termbase) -> Iterator[Finding]:
    """Slips that are not told yet."""
    style = Style(pair.target.text for pair in pairs)
    yield from _operators(pairs, style, told, terms)
    yield from _terms(missed, style, told, terms)


def key(finding: Finding) -> Key:
    """What tells a finding of the words of a part from another one."""
    at = finding.source or finding.target
    return (at.iri, at.part, at.nth, finding.about) if at else ("", "", 0, finding.about)


def _operators(pairs: Sequence[Pair], style: Style, told: Collection[Key], terms: Termbase) -> Iterator[Finding]:
    counted = [operator for pair in pairs if not pair.source.title for operator in _counted(pair)]
    usual = Usual(operator.seen for operator in counted)
    for operator in (operator for operator in counted if not operator.seen.kept and len(operator.spans) <= _MOST):
        source = operator.pair.source
        if (source.iri, source.part, source.nth, operator.name) in told:
            continue
        restored = _restored(operator, style, terms)
        odds = restored.gain + usual.surprise(operator.seen.keys)
        if odds >= _ODDS["operator"]:
            spans = [(start + operator.bead.source[0], end + operator.bead.source[0]) for start, end in operator.spans]
            said = message("{words}: not rendered ({operator})", words=source.text[slice(*spans[0])], operator=operator.name)
            yield Finding(
                "operator",
                said,
                place(source, spans),
                place(operator.pair.target, [operator.bead.target]),
                _confidence(odds),
                operator.name,
            )


def _confidence(odds: float) -> float:
    return round(odds / (odds + 2), 3)


def _counted(pair: Pair) -> Iterator[Short]:
    """Each operator of each sentence, kept where the translation has as many."""
    here, there = language(pair.source.lang).operators, language(pair.target.lang).operators
    for bead in (bead for bead in pair.beads if bead.confidence >= _SURE):
        source, target = pair.source.text[slice(*bead.source)], pair.target.text[slice(*bead.target)]
        if len(sentences(source)) > len(sentences(target)):
            continue  # sentences that are made one say once what they say of both
        for name in here.keys() & there.keys() if source and target else ():
            spans = here[name].counted(source)
            if spans and there[name].restores:
                kept = len(there[name].counted(target)) >= len(spans)
                said = source[slice(*spans[0])].lower()
                yield Short(pair, bead, name, spans, Seen([f"{name}: {said} {len(spans)}", f"{name}: {said}", name], kept))


def _restored(short: Short, style: Style, terms: Termbase) -> Restored:
    """The likeliest way to put an operator back, beside what stands there or in the place of one character."""
    text, lang = short.pair.target.text, short.pair.target.lang
    operator: Operator = language(lang).operators[short.name]
    inside = {at for _, (start, end) in terms.named(text, lang) for at in range(start + 1, end)}
    first, last = short.bead.target
    with style.without(text):
        ways = (
            Restored(style.gain(text, at, end, words), words, (at, end))
            for at in range(first, last + 1)
            if at not in inside
            for end in (at, at + 1)
            if end <= last and end not in inside
            for words in operator.restores
            if not text.startswith(words, at) and not text.endswith(words, 0, at) and style.knows(text, at, end, words)
        )
        return max(ways, default=Restored(-math.inf, "", short.bead.target))


def _terms(missed: Sequence[Missed], style: Style, told: Collection[Key], terms: Termbase) -> Iterator[Finding]:
    usual = Usual(term.seen for term in missed)
    best: dict[tuple[int, int], tuple[float, Missed, Span]] = {}
    for term in (term for term in missed if _is_open(term, usual, told)):
        restored = _renamed(term, style, terms)
        odds = restored.gain + usual.surprise(term.seen.keys)
        place_of = (id(term.pair), restored.span[0])
        if odds >= max(_ODDS["term"], best.get(place_of, (0.0,))[0]):
            best[place_of] = odds, term, restored.span  # a wrong word stands for one term
    for odds, term, span in best.values():
        yield _renaming(term, span, odds, terms)


def _is_open(term: Missed, usual: Usual, told: Collection[Key]) -> bool:
    """Whether a term that is missing may have been given a wrong name.

    Not beside names of cards and people, which the book has but once or twice: there whatever it has often is likelier.
    """
    source, target = term.pair.source, term.pair.target
    return (
        not term.seen.kept
        and term.kind in ("term", "other")
        and not source.title
        and len(target.text) <= _WORDS
        and usual.share(term.seen.keys) >= _KEPT
        and (source.iri, source.part, source.nth, term.about) not in told
        and not names(source.text, source.lang)
    )


def _renaming(term: Missed, span: Span, odds: float, terms: Termbase) -> Finding:
    source, target = term.pair.source, term.pair.target
    expected = terms.preferred(term.about, target.lang)
    here = source.text[slice(*term.source[0])]
    said = message("{words}: the termbase says {names}", words=here, names=", ".join(expected))
    where = place(source, term.source), place(target, [span])
    return Finding("term", said, *where, _confidence(odds / 4), term.about, expected)


def _renamed(term: Missed, style: Style, terms: Termbase) -> Restored:
    """The likeliest place of a name of a concept, instead of words that the book has nowhere else."""
    text, lang = term.pair.target.text, term.pair.target.lang
    known = {at for _, span in terms.named(text, lang) for at in range(*span)}
    with style.without(text):
        ways = (
            Restored(style.gain(text, start, end, name) + _ALIKE * (not {*name}.isdisjoint(text[start:end])), name, (start, end))
            for start, end in _pieces(text)
            if known.isdisjoint(range(start, end)) and style.is_new(text, start, end)
            for name in terms.preferred(term.about, lang)
        )
        return max(ways, default=Restored(-math.inf, "", (0, 0)))


def _pieces(text: str) -> Iterator[Span]:
    """Pieces of a text that may be one wrong word."""
    for run in _HAN.finditer(text):
        for start in range(*run.span()):
            yield from ((start, end) for end in range(start + 1, min(start + _LONGEST, run.end()) + 1))
