"""A text held against its translation: everything that differs, what would change a ruling first."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from corpus.messages import message
from ontology.translation.drift import exact, lost, names, slips, surface, words
from ontology.translation.drift.finding import EXAMPLE, NOTE, TEXT, Finding
from ontology.translation.drift.pairs import Alone, Pair, Part, paired, parts
from ontology.translation.drift.terms import Termbase

if TYPE_CHECKING:
    from corpus.contract import RuleRecord


class Rules(NamedTuple):
    """A rule and its translation; one of the two is None where there is none."""

    source: "RuleRecord | None"
    target: "RuleRecord | None"


def drift(rules: Iterable[Rules], source: str, target: str, terms: Termbase, follow: exact.Follow = lambda _: ()) -> list[Finding]:
    """What the rules of a translation lost, those findings first that would change a ruling."""
    pairs: list[Pair] = []
    findings: list[Finding] = []
    for rule in rules:
        mine, theirs = parts(rule.source, source) if rule.source else [], parts(rule.target, target) if rule.target else []
        if mine and theirs:
            some = list(paired(mine, theirs, terms.named))
            pairs += [pair for pair in some if isinstance(pair, Pair)]
            findings += [_alone(alone, source) for alone in some if isinstance(alone, Alone)]
        else:
            findings += _missing(mine, theirs)
    findings += _compared(pairs, terms, follow)
    return sorted(_plain(findings), key=lambda finding: -finding.rank)


def _missing(source: Sequence[Part], target: Sequence[Part]) -> Iterator[Finding]:
    for part in (part for part in source if part.part == TEXT):
        yield Finding("missing-rule", message("the rule has no translation"), words.place(part), None)
    for part in (part for part in target if part.part == TEXT):
        yield Finding("extra-rule", message("the original has no such rule"), None, words.place(part))


def _alone(alone: Alone, source: str) -> Finding:
    part, beside = words.place(alone.part), words.place(alone.beside) if alone.beside else None
    what = {EXAMPLE: message("example"), NOTE: message("note")}[alone.part.part]
    if alone.part.lang == source:
        return Finding("missing-example", message("{what} {nth} has no translation", what=what, nth=alone.part.nth), part, beside)
    return Finding("extra-example", message("the original has no {what} {nth}", what=what, nth=alone.part.nth), beside, part)


def _compared(pairs: Sequence[Pair], terms: Termbase, follow: exact.Follow) -> Iterator[Finding]:
    usual = lost.ratio(pairs)
    for pair in pairs:
        yield from exact.findings(pair, follow)
        yield from surface.findings(pair)
        yield from lost.findings(pair, usual, terms)
    missed = words.looked_for(pairs, terms)
    told = list(words.findings(missed, terms))
    yield from told
    yield from slips.findings(pairs, missed, {slips.key(finding) for finding in told}, terms)
    yield from names.findings(pairs, terms)


def _plain(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Findings without those that follow from another one: what stands in a lost sentence or in an untranslated piece."""
    gone: dict[tuple[str, str, int], list[tuple[int, int]]] = {}
    for finding in findings:
        if finding.kind in ("missing-sentence", "untranslated") and finding.source:
            spans = finding.source.spans or [(0, len(finding.source.text))]
            gone.setdefault((finding.source.iri, finding.source.part, finding.source.nth), []).extend(spans)
    for finding in findings:
        inside = gone.get((finding.source.iri, finding.source.part, finding.source.nth), []) if finding.source else []
        if (
            finding.kind in ("missing-sentence", "untranslated")
            or not finding.source
            or not finding.source.spans
            or not inside
            or not all(any(first <= start and end <= last for first, last in inside) for start, end in finding.source.spans)
        ):
            yield finding
