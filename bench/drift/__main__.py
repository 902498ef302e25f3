"""Drift on a real book: `python -m bench.drift`.

Planted: 200 errors of eleven kinds in the Chinese text of Magic 2025-02-07 (`bench.drift.plant`). An error is found if there is a
new finding of its kind in its rule; a new finding (one that the unchanged text does not have) is correct if it reports an error.
Judged: findings of the unchanged text, each checked against both texts (`judged.tsv`: addresses, kinds and verdicts, no text),
among them 50 drawn with a seed.
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from bench.drift.plant import ERROR_KINDS, plant_errors
from bench.measure import report_figure, report_share, rulebook_folder, table_rows
from corpus.contract import RuleRecord
from corpus.model import Reading
from ingest.merge import merge
from ingest.pipeline import parse, parse_file
from ingest.read.document import Document
from ingest.recognise import Hints
from ingest.record import Recorder
from ontology.labels import Label
from ontology.translation.drift.drift import RuleAndTranslation, find_drift
from ontology.translation.drift.finding import DriftFinding
from ontology.translation.drift.terms import TermNames
from rulestone import Library

ENGLISH, CHINESE = "20250207_En.txt", "20250207_Zh.txt"
JUDGED_FILE = Path(__file__).with_name("judged.tsv")
SEED, SAMPLE, DRAWN = 11, 50, 3018
MISSED, WRONG, UNREAL, SECONDS = 15.0, 10.0, 20.0, 60.0
"""Targets: per cent, and seconds of processor time for the whole book."""


def main() -> bool:
    """Whether every figure is within its target."""
    folder = rulebook_folder() / "mtg"
    english = parse_file(folder / ENGLISH)[0]
    chinese = (folder / CHINESE).read_text(encoding="utf-8-sig")
    labels = known_labels(folder)
    began = time.process_time()
    before = labels_in_rules(records(english, chinese), labels)
    seconds = time.process_time() - began
    fits = [report_figure("one edition, reading included", seconds, SECONDS, "s", f"{len(before)} findings, processor time")]
    text_with_errors, errors = plant_errors(chinese, (folder / ENGLISH).read_text(encoding="utf-8-sig"), SEED)
    known_keys = {finding_key(finding) for finding in before}
    new = [
        finding for finding in labels_in_rules(records(english, text_with_errors), labels) if finding_key(finding) not in known_keys
    ]
    places_found = {(rule(finding), finding.kind) for finding in new}
    misses = Counter(error.kind for error in errors if (error.number, error.kind) not in places_found)
    right = {(error.number, error.kind) for error in errors}
    wrong = sum((rule(finding), finding.kind) not in right for finding in new)
    fits.append(report_share("planted errors, not found", misses.total(), len(errors), MISSED))
    fits.append(report_share("new findings that tell of none", wrong, len(new), WRONG))
    every = Counter(error.kind for error in errors)
    for kind in ERROR_KINDS:
        print(f"      {kind:<18} {every[kind] - misses[kind]:>3} of {every[kind]}")
    return all([*fits, judged_precision(before)])


def known_labels(folder: Path) -> list[Label]:
    """The termbase of a home with the book: the shipped terms and those that the book defines."""
    with tempfile.TemporaryDirectory() as home, Library.open(Path(home) / "home") as library:
        library.add([folder / ENGLISH, folder / CHINESE], later=True)
        return list(library._bundle().knowledge.names.every_label())


def records(english: Reading, chinese: str) -> list[RuleRecord]:
    """The rules of the edition in both languages."""
    document = Document("zh.txt", sha256(chinese.encode()).hexdigest(), "text", "utf-8", chinese)
    return [record for _, record in Recorder(merge(english.key, [english, parse(document, Hints())[0]])).records()]


def labels_in_rules(rules: Sequence[RuleRecord], labels: Sequence[Label]) -> list[DriftFinding]:
    """The findings in a translation."""
    return find_drift([RuleAndTranslation(rule, rule) for rule in rules], "en", "zh-Hans", TermNames(labels, "mtg"))


def rule(finding: DriftFinding) -> str:
    """The number of the rule that a finding is of."""
    place = finding.source or finding.target
    return place.iri.rpartition("/")[2] if place else ""


def address(finding: DriftFinding) -> str:
    """The part of a rule that a finding is of."""
    place = finding.source or finding.target
    return f"{place.iri.split('/', 7)[-1]}#{place.part}-{place.nth}" if place else ""


def finding_key(finding: DriftFinding) -> tuple[object, ...]:
    """The identity of a finding, whatever else the translation says."""
    words = tuple(finding.source.text[slice(*span)] for span in finding.source.spans) if finding.source else ()
    return finding.kind, address(finding), finding.about, words


def finding_identity(finding: DriftFinding) -> tuple[str, str, str]:
    """The identity of a finding among the judged ones, without words of the book."""
    return address(finding), finding.kind, "" if finding.kind in ("missing-sentence", "untranslated") else finding.about


def draw_findings(findings: Sequence[DriftFinding]) -> list[DriftFinding]:
    """Fifty findings, drawn by seed."""
    in_order = sorted(findings, key=lambda finding: (address(finding), finding.kind, finding.about))
    return random.Random(DRAWN).sample(in_order, min(SAMPLE, len(in_order)))


def judged_precision(findings: Sequence[DriftFinding]) -> bool:
    """The share of false findings among the judged ones, for those still found and those drawn by the seed, by kind."""
    still = {finding_identity(finding) for finding in findings}
    there = [row for row in table_rows(JUDGED_FILE) if (row["place"], row["kind"], row["about"]) in still]
    unreal = [row for row in there if row["real"] != "yes"]
    verdicts = {(row["place"], row["kind"], row["about"]): row["real"] == "yes" for row in there}
    judgements = [
        verdicts[finding_identity(finding)] for finding in draw_findings(findings) if finding_identity(finding) in verdicts
    ]
    fits = report_share("findings drawn by seed that are none", judgements.count(False), len(judgements), UNREAL)
    fits &= report_share("judged findings that are none", len(unreal), len(there), UNREAL)
    every, real = Counter(row["kind"] for row in there), Counter(row["kind"] for row in there if row["real"] == "yes")
    for kind, count in sorted(every.items()):
        print(f"      {kind:<18} {real[kind]:>3} of {count} real")
    return fits


if __name__ == "__main__":
    sys.exit(not main())
