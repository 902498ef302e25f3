"""Compares a text with its translation: every difference, with those that would change a ruling first."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from corpus.messages import message
from corpus.words.sentences import split_sentences
from ontology.translation.drift import figures, names, slips, surface
from ontology.translation.drift.consistency import several_renderings, unusual_places
from ontology.translation.drift.finding import DriftFinding, Span
from ontology.translation.drift.pairs import PartPair, RulePart, SentenceSpans, Unpaired, pair_parts, rule_parts
from ontology.translation.drift.rendering import candidates, unrendered_findings
from ontology.translation.drift.terms import TermNames
from ontology.translation.passages import EXAMPLE, NOTE, TEXT

if TYPE_CHECKING:
    from corpus.contract import RuleRecord

_SHORT, _LONG = 25, 60
"""Minimum length in characters of a sentence that is reported missing, and of a text whose length is evidence of a missing
sentence.
"""
_MAX_LENGTH = 0.68
"""Length of a translation, as a share of its usual length, below which a sentence may be missing."""
_MIN_LENGTH_SHARE = 0.55
"""Share of the missing sentences by which the whole part must be shorter than usual."""


class RuleAndTranslation(NamedTuple):
    """A rule and its translation; None if it does not exist."""

    source: "RuleRecord | None"
    target: "RuleRecord | None"


def find_drift(
    rules: Iterable[RuleAndTranslation],
    source: str,
    target: str,
    terms: TermNames,
    find_translated_rule: figures.Follow = lambda _: (),
) -> list[DriftFinding]:
    """The losses and changes in a translation, for rules and two languages; findings that would change a ruling come first."""
    pairs: list[PartPair] = []
    findings: list[DriftFinding] = []
    for result in _paired_parts(rules, source, target, terms):
        if isinstance(result, PartPair):
            pairs.append(result)
        elif isinstance(result, Unpaired):
            findings.append(_unpaired_finding(result, source))
        else:
            findings.append(result)
    findings += _pair_findings(pairs, terms, find_translated_rule)
    return sorted(_drop_consequences(findings), key=lambda finding: -finding.rank)


def _paired_parts(
    rules: Iterable[RuleAndTranslation], source: str, target: str, terms: TermNames
) -> Iterator[PartPair | Unpaired | DriftFinding]:
    """The parts of each rule and of its translation, and the findings about rules that only one text has."""
    for rule in rules:
        source_parts = rule_parts(rule.source, source) if rule.source else []
        target_parts = rule_parts(rule.target, target) if rule.target else []
        if source_parts and target_parts:
            yield from pair_parts(source_parts, target_parts, terms.mentions)
        else:
            yield from _missing_rules(source_parts, target_parts)


def _missing_rules(source: Sequence[RulePart], target: Sequence[RulePart]) -> Iterator[DriftFinding]:
    for part in (part for part in source if part.part == TEXT):
        yield DriftFinding("missing-rule", message("the rule has no translation"), part.place_of_spans(), None)
    for part in (part for part in target if part.part == TEXT):
        yield DriftFinding("extra-rule", message("the original has no such rule"), None, part.place_of_spans())


def _unpaired_finding(unpaired: Unpaired, source: str) -> DriftFinding:
    place, beside = unpaired.part.place_of_spans(), unpaired.beside.place_of_spans() if unpaired.beside else None
    nth, what = unpaired.part.nth, {EXAMPLE: message("example"), NOTE: message("note")}[unpaired.part.part]
    if unpaired.part.lang == source:
        return DriftFinding("missing-example", message("{what} {nth} has no translation", what=what, nth=nth), place, beside)
    return DriftFinding("extra-example", message("the original has no {what} {nth}", what=what, nth=nth), beside, place)


def _pair_findings(pairs: Sequence[PartPair], terms: TermNames, find_translated_rule: figures.Follow) -> Iterator[DriftFinding]:
    long_pairs = (pair for pair in pairs if len(pair.source.text) >= _LONG and pair.target.text)
    ratios = [len(pair.target.text) / len(pair.source.text) for pair in long_pairs]
    ratio = median(ratios) if ratios else 1.0
    sources: dict[str, list[RulePart]] = {}
    for pair in pairs:
        sources.setdefault(pair.source.iri, []).append(pair.source)
    for pair in pairs:
        others = [part for part in sources[pair.source.iri] if part is not pair.source]
        yield from figures.figure_findings(pair, find_translated_rule, others)
        yield from surface.surface_findings(pair)
        yield from forbidden_names(pair, terms)
        yield from _missing_sentences(pair, ratio, terms)
    rendering_candidates = candidates(pairs, terms)
    several = list(several_renderings(pairs, rendering_candidates, terms))
    yield from several
    places_of_groups = {key for finding in several for key in unusual_places(finding)}
    term_findings = list(unrendered_findings(rendering_candidates, places_of_groups, terms))
    yield from term_findings
    yield from slips.slip_findings(
        pairs, rendering_candidates, places_of_groups | {slips.key(finding) for finding in term_findings}, terms
    )
    yield from names.name_findings(pairs, terms)


def forbidden_names(pair: PartPair, terms: TermNames) -> Iterator[DriftFinding]:
    """Names that the termbase forbids, where the source has their concept."""
    spans_by_concept: dict[str, list[Span]] = {}
    forbidden = terms.forbidden_names_in(pair.target.text, pair.target.lang)
    for concept, span in terms.mentions(pair.source.text, pair.source.lang) if forbidden else ():
        spans_by_concept.setdefault(concept, []).append(span)
    for concept, span in forbidden:
        if concept in spans_by_concept:
            reason = message("{words} must not be used", words=pair.target.text[slice(*span)])
            names = terms.preferred_names(concept, pair.target.lang)
            source, target = pair.source.place_of_spans(spans_by_concept[concept]), pair.target.place_of_spans([span])
            yield DriftFinding("forbidden", reason, source, target, 0.95, concept, names)


def _drop_consequences(findings: Sequence[DriftFinding]) -> Iterator[DriftFinding]:
    """The findings without those inside a missing sentence or an untranslated piece."""
    spans_by_part: dict[tuple[str, str, int], list[Span]] = {}
    for finding in findings:
        if finding.kind in ("missing-sentence", "untranslated") and finding.source:
            spans = finding.source.spans or [(0, len(finding.source.text))]
            spans_by_part.setdefault((finding.source.iri, finding.source.part, finding.source.nth), []).extend(spans)
    for finding in findings:
        place = finding.source
        if finding.kind not in ("missing-sentence", "untranslated", "rendering") and place and place.spans:
            around = spans_by_part.get((place.iri, place.part, place.nth), [])
            if all(any(first <= start and end <= last for first, last in around) for start, end in place.spans):
                continue
        yield finding


def _missing_sentences(pair: PartPair, ratio: float, terms: TermNames) -> Iterator[DriftFinding]:
    """Sentences of a part without a translation, by sentence alignment and by length.

    `ratio` is the usual length of a translation, as a share of its original's.
    """
    if pair.source.title:
        return
    spans = [span for bead in pair.beads for span in _missing_in_bead(pair, bead, ratio, terms)]
    shortfall = ratio * len(pair.source.text) - len(pair.target.text)
    missing_length = sum(end - start for start, end in spans) * ratio
    if spans and shortfall >= _MIN_LENGTH_SHARE * missing_length:
        words = pair.source.text[slice(*spans[0])]
        missing = message("{words}: has no translation", words=words if len(words) <= 80 else f"{words[:80]}…")
        at = [bead.target for bead in pair.beads if bead.source[0] <= spans[0][0] < max(bead.source[1], bead.source[0] + 1)]
        yield DriftFinding(
            "missing-sentence", missing, pair.source.place_of_spans(spans), pair.target.place_of_spans(at), 0.9, words[:40]
        )


def _missing_in_bead(pair: PartPair, bead: SentenceSpans, ratio: float, terms: TermNames) -> Iterator[Span]:
    """All sentences of a bead without a translation; for a bead with a short one, the sentence whose content is preserved least."""
    first, last = bead.source
    if last - first < _SHORT:
        return
    if bead.target[0] == bead.target[1]:
        yield bead.source
    elif last - first >= _LONG and (bead.target[1] - bead.target[0]) < _MAX_LENGTH * ratio * (last - first):
        spans = [(span.start + first, span.end + first) for span in split_sentences(pair.source.text[first:last])]
        fitting = [span for span in spans if len(spans) > 1 and span[1] - span[0] >= _SHORT and _fits_without(span, bead, ratio)]
        yield from sorted(fitting, key=lambda span: _kept_share(pair, span, bead, terms))[:1]


def _fits_without(span: Span, bead: SentenceSpans, ratio: float) -> bool:
    """Whether the translation of a bead has the usual length of the bead without a sentence."""
    rest = ratio * (bead.source[1] - bead.source[0] - (span[1] - span[0]))
    return _MAX_LENGTH * rest <= bead.target[1] - bead.target[0] <= rest / _MAX_LENGTH


def _kept_share(pair: PartPair, span: Span, bead: SentenceSpans, terms: TermNames) -> float:
    """The share of a sentence's concepts and figures that the translation of its bead has."""
    words, translation = pair.source.text[slice(*span)], pair.target.text[slice(*bead.target)]
    concepts = {concept for concept, _ in terms.mentions(words, pair.source.lang)}
    matches = [
        terms.has_name(translation, concept, pair.target.lang) for concept in concepts if terms.names(concept, pair.target.lang)
    ]
    values = {figure.value for figure in figures.figures(translation, pair.target.lang)}
    matches += [figure.value in values for figure in figures.figures(words, pair.source.lang) if figure.strict]
    return sum(matches) / len(matches) if matches else 0.0
