"""A rule and its translation, part by part and sentence by sentence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus import model
from corpus.model import HEADING_KINDS
from ontology.translation.drift.finding import DriftPlace, Span
from ontology.translation.passages import EXAMPLE, HEADWORD, NOTE, TEXT
from ontology.translation.sentence_alignment import Side, align_sentences, side_of

if TYPE_CHECKING:
    from corpus.contract import Aside, RuleCitation, RuleRecord

MentionFinder = Callable[[str, str], Sequence[tuple[str, Span]]]
"""Maps a text and its language to the concepts that it mentions, each with its place."""


@dataclass(frozen=True, slots=True)
class RulePart:
    """Words of a rule in one language. `cites`: the locator and place of each rule that they cite."""

    iri: str
    part: str
    nth: int
    lang: str
    text: str
    title: bool
    cites: Sequence[tuple[str, Span]] = ()

    @property
    def citation_spans(self) -> list[Span]:
        """The places of citations, whose figures are not figures of the rule."""
        return [span for _, span in self.cites]

    def place_of_spans(self, spans: Sequence[Span] = ()) -> DriftPlace:
        """A place in the part; without spans, the whole part."""
        return DriftPlace(self.iri, self.part, self.nth, self.text, tuple(spans))


@dataclass(frozen=True, slots=True)
class SentenceSpans:
    """Corresponding sentences, in code points; an empty span if one side has none."""

    source: Span
    target: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class PartPair:
    """A part and its translation, with their corresponding sentences."""

    source: RulePart
    target: RulePart
    beads: Sequence[SentenceSpans]


@dataclass(frozen=True, slots=True)
class Unpaired:
    """A part that the other text lacks, and the text of that rule in the other language, if there is one."""

    part: RulePart
    beside: RulePart | None


def rule_parts(record: "RuleRecord", lang: str) -> list[RulePart]:
    """The parts of a rule in a language: headword, text, examples, notes."""
    if lang not in record["texts"]:
        return []
    iri, title = record["iri"], record["kind"] in HEADING_KINDS
    headword = record["headwords"].get(lang)
    parts = [RulePart(iri, HEADWORD, 1, lang, headword, title=True)] if headword else []
    cites = [cite for cite in record["cites"] if cite["lang"] == lang and "within" not in cite]
    parts.append(RulePart(iri, TEXT, 1, lang, record["texts"][lang]["text"], title, _citation_spans(cites)))
    for part, asides in ((EXAMPLE, record["examples"]), (NOTE, record["notes"])):
        in_language: list[Aside] = [aside for aside in asides if aside["lang"] == lang]
        parts += [
            RulePart(iri, part, nth, lang, aside["text"], False, _citation_spans(aside.get("cites", ())))
            for nth, aside in enumerate(in_language, 1)
        ]
    return parts


def _citation_spans(cites: "Sequence[RuleCitation]") -> tuple[tuple[str, Span], ...]:
    return tuple((cite["locator"], (cite["start"], cite["end"])) for cite in cites)


def pair_parts(source: Sequence[RulePart], target: Sequence[RulePart], mentions: MentionFinder) -> Iterator[PartPair | Unpaired]:
    """The parts of a rule with those of its translation."""
    sources, targets = ({part.part: part for part in side if part.part in (TEXT, HEADWORD)} for side in (source, target))
    yield from (align_part(sources[name], targets[name], mentions) for name in sources if name in targets)
    for name in (EXAMPLE, NOTE):
        first, second = ([part for part in side if part.part == name] for side in (source, target))
        yield from _pair_asides(first, second, (targets.get(TEXT), sources.get(TEXT)), mentions)


def _pair_asides(
    source: Sequence[RulePart],
    target: Sequence[RulePart],
    part_pair: tuple[RulePart | None, RulePart | None],
    mentions: MentionFinder,
) -> Iterator[PartPair | Unpaired]:
    """Pairs examples or notes in their order; if one side has more, by their content."""
    if len(source) == len(target):
        yield from (align_part(part, other, mentions) for part, other in zip(source, target, strict=True))
        return
    for (first, last), (start, end) in _aside_beads(source, target, mentions):
        some, others = source[first:last], target[start:end]
        yield from (align_part(part, other, mentions) for part, other in zip(some, others, strict=False))
        yield from (Unpaired(part, part_pair[0]) for part in some[len(others) :])
        yield from (Unpaired(other, part_pair[1]) for other in others[len(some) :])


def _aside_beads(source: Sequence[RulePart], target: Sequence[RulePart], mentions: MentionFinder) -> list[tuple[Span, Span]]:
    """Ranges of corresponding asides, aligned like the sentences of one text."""
    if not (source and target):
        return [((0, len(source)), (0, len(target)))]
    return [(bead.source, bead.target) for bead in align_sentences(_join_asides(source, mentions), _join_asides(target, mentions))]


def _join_asides(parts: Sequence[RulePart], mentions: MentionFinder) -> Side:
    spans, start = [], 0
    for aside in parts:
        spans.append(model.Span(start, start + len(aside.text)))
        start += len(aside.text) + 1
    concepts = [{concept for concept, _ in mentions(aside.text, aside.lang)} for aside in parts]
    return Side(parts[0].lang, "\n".join(aside.text for aside in parts), spans, concepts)


def align_part(source: RulePart, target: RulePart, mentions: MentionFinder) -> PartPair:
    """A part and its translation with their sentences."""
    sides = [
        side_of(part.lang, part.text, [(concept, *span) for concept, span in mentions(part.text, part.lang)])
        for part in (source, target)
    ]
    if not all(side.spans for side in sides) or source.title:
        return PartPair(source, target, [SentenceSpans((0, len(source.text)), (0, len(target.text)), 1.0)])
    beads = align_sentences(*sides)
    spans = [
        SentenceSpans(_span_of_sentences(sides[0], bead.source), _span_of_sentences(sides[1], bead.target), bead.confidence)
        for bead in beads
    ]
    return PartPair(source, target, spans)


def _span_of_sentences(side: Side, numbers: Span) -> Span:
    """The code points of a range of sentences."""
    first, last = numbers
    if first == last:
        at = side.spans[first].start if first < len(side.spans) else len(side.text)
        return at, at
    return side.spans[first].start, side.spans[last - 1].end
