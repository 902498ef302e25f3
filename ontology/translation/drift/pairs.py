"""A rule and its translation, part by part and sentence by sentence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corpus.model import Span as Place
from ontology.translation.bitext.align import Side, align
from ontology.translation.bitext.sentences import sentences
from ontology.translation.drift.finding import EXAMPLE, HEADWORD, NOTE, TEXT, Span

if TYPE_CHECKING:
    from corpus.contract import Aside, RuleCitation, RuleRecord

Named = Callable[[str, str], Sequence[tuple[str, Span]]]
"""From a text and its language to the concepts that it names, each with its place."""


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a rule in one language. `cites`: the locator of each rule that they cite, and where."""

    iri: str
    part: str
    nth: int
    lang: str
    text: str
    title: bool
    cites: Sequence[tuple[str, Span]] = field(default=())

    @property
    def hidden(self) -> list[Span]:
        """Where citations stand: their figures are no figures of the rule."""
        return [span for _, span in self.cites]


@dataclass(frozen=True, slots=True)
class Bead:
    """Sentences that answer each other; an empty span where one side has none."""

    source: Span
    target: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Pair:
    """A part and its translation, and which of their sentences answer each other."""

    source: Part
    target: Part
    beads: Sequence[Bead]


@dataclass(frozen=True, slots=True)
class Alone:
    """A part that the other text lacks, and the rule of the other text that lacks it, if there is one."""

    part: Part
    beside: Part | None


def parts(record: "RuleRecord", lang: str) -> list[Part]:
    """The parts of a rule in a language: headword, text, examples, notes."""
    if lang not in record["texts"]:
        return []
    iri, title = record["iri"], record["kind"] in ("chapter", "section")
    headword = record["headwords"].get(lang)
    collected = [Part(iri, HEADWORD, 1, lang, headword, title=True)] if headword else []
    cites = [cite for cite in record["cites"] if cite["lang"] == lang and "within" not in cite]
    collected.append(Part(iri, TEXT, 1, lang, record["texts"][lang]["text"], title, _cites(cites)))
    for name, asides in ((EXAMPLE, record["examples"]), (NOTE, record["notes"])):
        own = [aside for aside in asides if aside["lang"] == lang]
        collected += [_aside(iri, name, nth, lang, aside) for nth, aside in enumerate(own, 1)]
    return collected


def _aside(iri: str, name: str, nth: int, lang: str, aside: "Aside") -> Part:
    return Part(iri, name, nth, lang, aside["text"], False, _cites(aside.get("cites", ())))


def _cites(cites: "Sequence[RuleCitation]") -> tuple[tuple[str, Span], ...]:
    return tuple((cite["locator"], (cite["start"], cite["end"])) for cite in cites)


def paired(source: Sequence[Part], target: Sequence[Part], named: Named) -> Iterator[Pair | Alone]:
    """The parts of a rule with those of its translation."""
    texts = {part.part: part for part in target if part.part in (TEXT, HEADWORD)}
    for part in (part for part in source if part.part in (TEXT, HEADWORD)):
        if part.part in texts:
            yield pair(part, texts[part.part], named)
    for name in (EXAMPLE, NOTE):
        mine, theirs = ([part for part in some if part.part == name] for some in (source, target))
        beside = texts.get(TEXT), next((part for part in source if part.part == TEXT), None)
        yield from _asides(mine, theirs, beside, named)


def _asides(
    mine: Sequence[Part], theirs: Sequence[Part], beside: tuple[Part | None, Part | None], named: Named
) -> Iterator[Pair | Alone]:
    """Examples in their order; where one side has more, by what they say."""
    if len(mine) == len(theirs):
        yield from (pair(source, other, named) for source, other in zip(mine, theirs, strict=True))
        return
    for (first, last), (start, end) in _beads([part.text for part in mine], [part.text for part in theirs], mine, theirs, named):
        some, others = mine[first:last], theirs[start:end]
        yield from (pair(source, other, named) for source, other in zip(some, others, strict=False))
        yield from (Alone(source, beside[0]) for source in some[len(others) :])
        yield from (Alone(other, beside[1]) for other in others[len(some) :])


def _beads(
    mine: Sequence[str], theirs: Sequence[str], first: Sequence[Part], other: Sequence[Part], named: Named
) -> Iterator[tuple[Span, Span]]:
    if not (mine and theirs):
        yield (0, len(mine)), (0, len(theirs))
        return
    sides = (_joined(mine, first[0].lang, named), _joined(theirs, other[0].lang, named))
    yield from ((bead.source, bead.target) for bead in align(*sides))


def _joined(texts: Sequence[str], lang: str, named: Named) -> Side:
    """Several texts as the sentences of one."""
    spans, start = [], 0
    for text in texts:
        spans.append(Place(start, start + len(text)))
        start += len(text) + 1
    return Side(lang, "\n".join(texts), spans, [{concept for concept, _ in named(text, lang)} for text in texts])


def pair(source: Part, target: Part, named: Named) -> Pair:
    """A part and its translation with their sentences."""
    sides = [_side(part, named) for part in (source, target)]
    if not all(side.spans for side in sides) or source.title:
        return Pair(source, target, [Bead((0, len(source.text)), (0, len(target.text)), 1.0)])
    beads = align(*sides)
    return Pair(
        source, target, [Bead(_span(sides[0], bead.source), _span(sides[1], bead.target), bead.confidence) for bead in beads]
    )


def _side(part: Part, named: Named) -> Side:
    spans = sentences(part.text)
    marks = named(part.text, part.lang)
    return Side(
        part.lang,
        part.text,
        spans,
        [{concept for concept, (start, end) in marks if span.start <= start and end <= span.end} for span in spans],
    )


def _span(side: Side, numbers: Span) -> Span:
    first, last = numbers
    if first == last:
        at = side.spans[first].start if first < len(side.spans) else len(side.text)
        return at, at
    return side.spans[first].start, side.spans[last - 1].end
