"""Second renderings found in a real translation: `python -m bench.drift.renderings`.

Planted: an invented second rendering of 200 terms in the Chinese text of Magic 2025-02-07, each in 25 to 50 % of the rules that
have the term (`bench.drift.plant`). It is found if a finding of the kind `rendering` has its words. A false group is a finding that
the unchanged text does not have and that has no planted words.
"""

import sys
from collections.abc import Sequence

from bench.drift.__main__ import CHINESE, ENGLISH, SEED, known_labels, records
from bench.drift.plant import PlantedRendering, plant_renderings
from bench.measure import machine_name, report_share, rulebook_folder
from ingest.pipeline import parse_file
from ontology.labels import Label, LabelSort
from ontology.translation.drift.drift import RuleAndTranslation, find_drift
from ontology.translation.drift.finding import DriftFinding
from ontology.translation.drift.terms import TermNames

LOST, FALSE = 15.0, 10.0
"""Targets, in per cent."""


def main() -> bool:
    """Whether every figure is within its target."""
    print(machine_name(), flush=True)
    folder = rulebook_folder() / "mtg"
    return measure_planted((folder / CHINESE).read_text(encoding="utf-8-sig"), known_labels(folder))


def measure_planted(chinese: str, labels: Sequence[Label]) -> bool:
    """Whether enough of the planted renderings are found, and few groups are false."""
    file = rulebook_folder() / "mtg" / ENGLISH
    english = parse_file(file)[0]
    terms = TermNames(labels, "mtg")
    before = {
        group(finding) for finding in several_renderings([RuleAndTranslation(one, one) for one in records(english, chinese)], terms)
    }
    text_with_renderings, planted_renderings = plant_renderings(
        chinese, file.read_text(encoding="utf-8-sig"), name_pairs(labels), SEED
    )
    findings = several_renderings([RuleAndTranslation(one, one) for one in records(english, text_with_renderings)], terms)
    words = [rendering.words for finding in findings for rendering in finding.renderings]
    misses = [one for one in planted_renderings if not any(is_same(one, word) for word in words)]
    new = [finding for finding in findings if group(finding) not in before]
    false = [
        finding for finding in new if not any(is_same(one, each.words) for one in planted_renderings for each in finding.renderings)
    ]
    for one in misses:
        print(f"      lost: {one.usual} {one.second}, {one.changed} of {one.rules} rules")
    for finding in false:
        print(f"      false: {finding.message}")
    print(f"{len(before)} groups in the unchanged text")
    fits = report_share("second renderings, not found", len(misses), len(planted_renderings), LOST)
    return report_share("groups without any", len(false), len(new), FALSE) and fits


_PAIR = ("en", "zh-Hans")


def several_renderings(rules: Sequence[RuleAndTranslation], terms: TermNames) -> list[DriftFinding]:
    """The findings of drift about terms that a translation renders in several ways."""
    return [finding for finding in find_drift(rules, *_PAIR, terms) if finding.kind == "rendering"]


def name_pairs(labels: Sequence[Label]) -> list[tuple[str, str]]:
    """The preferred English and Chinese name of each concept of Magic, sorted."""
    names = {
        (label.concept, label.lang): label.text
        for label in reversed(labels)
        if label.scheme == "mtg" and label.sort is LabelSort.PREFERRED
    }
    concepts = sorted({concept for concept, _ in names})
    return [
        (names[concept, "en"], names[concept, "zh-Hans"])
        for concept in concepts
        if {(concept, "en"), (concept, "zh-Hans")} <= names.keys()
    ]


def group(finding: DriftFinding) -> tuple[str, frozenset[str]]:
    """The identity of a group, whatever its counts."""
    return finding.about, frozenset(rendering.words for rendering in finding.renderings)


def is_same(rendering: PlantedRendering, words: str) -> bool:
    """Whether words are a planted rendering, or contain it."""
    return rendering.second in words


if __name__ == "__main__":
    sys.exit(not main())
