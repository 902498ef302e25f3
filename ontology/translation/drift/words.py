"""Operators and terms: what a sentence says and its translation does not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.messages import message
from ontology.translation.drift.finding import Finding, Place, Span
from ontology.translation.drift.pairs import Bead, Pair, Part
from ontology.translation.drift.patterns import language, runs
from ontology.translation.drift.spared import is_spared
from ontology.translation.drift.terms import Termbase
from ontology.translation.drift.usual import Seen, Usual

_NEXT = re.compile(r"[\W_]*([A-Za-z]+|.)")
FEW = {"operator": ((6, 0.9), (16, 0.96)), "term": ((3, 0.9),)}
"""Exceptions in the whole book up to which less of a habit is enough: a few are worth a look, many are no exceptions."""
_TIMES = 3
"""Times that a part names a term from which on it makes no difference how often."""
_BEGINS = ("", ".", "“", "(", "!", "?", ":")
_CAPITAL = re.compile(r" (?:of |the )?[A-Z][a-z]")
_SURE = 0.5
"""Confidence of two sentences below which the whole part is looked at: what is missed may stand in the next one."""
OPPOSITES = (("at-least", "at-most"),)
_USUAL = {
    "turned": 0.0,
    "elsewhere": 0.8,
    "operator": 0.972,
    "term": 0.992,
    "other": 0.93,
    "back": 0.97,
    "added": 0.985,
}
"""How often the book must keep something for its lack to be reported."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A candidate: what was looked for, where, and whether it was found."""

    seen: Seen
    kind: str
    about: str
    pair: Pair
    source: tuple[Span, ...]
    target: tuple[Span, ...]
    instead: str = ""  # concept that stands in the place of another


def place(part: Part, spans: Sequence[Span] = ()) -> Place:
    """A place in a part."""
    return Place(part.iri, part.part, part.nth, part.text, tuple(spans))


def looked_for(pairs: Sequence[Pair], terms: Termbase) -> list[Missed]:
    """Everything that translations must keep, kept or not."""
    return [missing for pair in pairs for missing in (*_operators(pair), *_terms(pair, terms))]


def findings(missed: Sequence[Missed], terms: Termbase) -> Iterator[Finding]:
    """What the book nearly always keeps and did not keep."""
    usual, back = Usual(miss.seen for miss in missed), Usual(_back(missed, terms))
    told: set[tuple[int, tuple[Span, ...]]] = set()  # words that name two concepts are one term
    for miss in missed:
        if miss.kind == "other" and miss.instead and back.share([miss.instead]) < _USUAL["back"]:
            continue
        share = usual.share(miss.seen.keys)
        where = (id(miss.pair), miss.source)
        if not miss.seen.kept and share >= _least(miss, usual) and not (miss.kind in ("term", "other") and where in told):
            told |= {where} if miss.kind in ("term", "other") else set()
            yield _finding(miss, share, terms)


def _least(miss: Missed, usual: Usual) -> float:
    """How often the book must keep something: a few exceptions to a habit are worth a look, many are no habit."""
    if miss.kind == "other" and not miss.instead:
        return _USUAL["elsewhere"]
    exceptions = usual.missed(miss.seen.keys[-1])
    if miss.kind in FEW:
        return next((least for most, least in FEW[miss.kind] if exceptions <= most), _USUAL[miss.kind])
    return _USUAL[miss.kind]


def _finding(miss: Missed, share: float, terms: Termbase) -> Finding:
    source, target = place(miss.pair.source, miss.source), place(miss.pair.target, miss.target)
    sure = 0.9 if miss.kind == "turned" else round(share, 3)
    if miss.kind == "added":
        here = _words(miss.pair.target, miss.target)
        return Finding(
            "operator",
            message("{words}: the original says nothing of the kind ({operator})", words=here, operator=miss.about),
            source,
            target,
            sure,
            miss.about,
        )
    here = _words(miss.pair.source, miss.source)
    if miss.kind in ("operator", "turned"):
        return Finding(
            "operator",
            message("{words}: not rendered ({operator})", words=here, operator=miss.about),
            source,
            target,
            sure,
            miss.about,
        )
    names = terms.preferred(miss.about, miss.pair.target.lang)
    said = message("{words}: the termbase says {names}", words=here, names=", ".join(names))
    return Finding("term", said, source, target, sure, miss.about, names)


def _words(part: Part, spans: Sequence[Span]) -> str:
    return part.text[slice(*spans[0])] if spans else ""


def _operators(pair: Pair) -> Iterator[Missed]:
    if pair.source.title:
        return
    here, there = language(pair.source.lang).operators, language(pair.target.lang).operators
    for bead in pair.beads:
        mine, theirs = _scope(pair, bead)
        source, target = pair.source.text[slice(*mine)], pair.target.text[slice(*theirs)]
        if not source or not target:
            continue
        yield from _turned(pair, source, target, mine[0], theirs[0])
        for name in here.keys() & there.keys():
            if spans := here[name].asserted(source):
                kept = there[name].rendered(target)
                yield Missed(Seen(_keys(name, source, spans[0]), kept), "operator", name, pair, _moved(spans, mine[0]), (theirs,))
            if spans := there[name].asserted(target):
                kept = here[name].rendered(source)
                yield Missed(Seen([f"+{name}"], kept), "added", name, pair, (mine,), _moved(spans, theirs[0]))


def _turned(pair: Pair, source: str, target: str, first: int, start: int) -> Iterator[Missed]:
    """What has become its opposite: before and after."""
    here, there = language(pair.source.lang).operators, language(pair.target.lang).operators
    for word, other in OPPOSITES:
        for said, instead in ((word, other), (other, word)):
            spans = here[said].asserted(source)
            turned = there[instead].asserted(target)
            if spans and turned and not here[instead].asserted(source) and not there[said].asserted(target):
                yield Missed(
                    Seen([f"{said} not {instead}"], kept=False),
                    "turned",
                    f"{said}, {instead}",
                    pair,
                    _moved(spans, first),
                    _moved(turned, start),
                )


def _keys(name: str, text: str, span: Span) -> list[str]:
    """An operator with the word after it, and the operator alone."""
    after = _NEXT.match(text, span[1])
    said = text[slice(*span)].lower()
    return [f"{name}: {said} {after[1].lower() if after else ''}", f"{name}: {said}", name]


def _scope(pair: Pair, bead: Bead) -> tuple[Span, Span]:
    """The sentences to look at: the whole part where nobody can be sure of them."""
    if bead.confidence >= _SURE:
        return bead.source, bead.target
    return bead.source, (0, len(pair.target.text))


def _moved(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    return tuple((start + by, end + by) for start, end in spans)


def _is_name(text: str, span: Span) -> bool:
    """Whether a word has a capital within a sentence, or before another one: it is a part of a name, Elephant Graveyard."""
    start, end = span
    if not text[start].isupper():
        return False
    return text[max(start - 2, 0) : start].strip()[-1:] not in _BEGINS or _CAPITAL.match(text, end) is not None


def _is_within(span: Span, others: Sequence[Span]) -> bool:
    """Whether a span has anything in common with one of some others."""
    return any(start < span[1] and span[0] < end for start, end in others)


def _back(missed: Sequence[Missed], terms: Termbase) -> Iterator[Seen]:
    """For each term of the translation whether the original has it."""
    for pair in {id(miss.pair): miss.pair for miss in missed}.values():
        for concept in {concept for concept, _ in terms.named(pair.target.text, pair.target.lang)}:
            if terms.names(concept, pair.source.lang):
                yield Seen([concept], terms.has(pair.source.text, concept, pair.source.lang))


def _instead(pair: Pair, concept: str, terms: Termbase) -> tuple[str, Span] | None:
    """What a part has in the place of a concept: what slang or another game calls it, or a concept that the original lacks."""
    target, lang = pair.target.text, pair.target.lang
    if name := terms.elsewhere(target, concept, lang):
        return "", name
    mine = {known for known, _ in terms.named(pair.source.text, pair.source.lang)}
    for about, span in terms.named(target, lang):
        if about not in mine and not terms.has(pair.source.text, about, pair.source.lang):
            return about, span
    return None


def _terms(pair: Pair, terms: Termbase) -> Iterator[Missed]:
    """The terms of a part: pronouns stand for them in a sentence, hardly in a whole part that names them several times."""
    marks: dict[str, list[Span]] = {}
    data = language(pair.source.lang)
    idioms = [span for idiom in data.idioms for span in runs(idiom, pair.source.text)]
    for concept, span in terms.named(pair.source.text, pair.source.lang):
        word = pair.source.text[slice(*span)].lower()
        if word in data.no_terms or _is_name(pair.source.text, span) or _is_within(span, idioms):
            continue
        if terms.names(concept, pair.target.lang):
            marks.setdefault(concept, []).append(span)
    for concept, spans in marks.items():
        kept = terms.has(pair.target.text, concept, pair.target.lang) or is_spared(pair, concept, spans, terms)
        times = min(len(spans), _TIMES)
        word = pair.source.text[slice(*spans[0])].lower()
        seen = Seen([f"{concept} {word} {times}", f"{concept} {times}", concept], kept)
        yield _term(pair, concept, spans, seen, terms)


def _term(pair: Pair, concept: str, spans: Sequence[Span], seen: Seen, terms: Termbase) -> Missed:
    if not seen.kept and (instead := _instead(pair, concept, terms)):
        return Missed(seen, "other", concept, pair, tuple(spans), (instead[1],), instead[0])
    theirs = [bead.target for bead in pair.beads if bead.source[0] <= spans[0][0] < bead.source[1]]
    return Missed(seen, "term", concept, pair, tuple(spans), tuple(theirs))
