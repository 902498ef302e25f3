"""Drift on a real book: `python -m bench.drift [--seed N] [--sample]`.

Planted: 200 errors of eleven kinds in the Chinese text of Magic 2025-02-07 (`bench.drift.plant`). Found is an error of which a new
finding of its kind tells, in its rule; a new finding (one that the untouched text does not have) is right where it tells of one.
Judged: findings of the untouched text, one by one from both texts (`judged.tsv`: addresses, kinds and verdicts, no text), and among
them 50 drawn by seed, which `--sample` prints with their words, for judging.
"""

import csv
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from bench.drift.plant import KINDS, planted
from bench.measure import machine, report, texts
from corpus.contract import RuleRecord
from corpus.model import Reading
from ingest.merge import merge
from ingest.pipeline import parse, parse_file
from ingest.read.document import Document
from ingest.recognise import Hints
from ingest.record import Recorder
from ontology.labels import Label
from ontology.translation.drift.drift import Rules, drift
from ontology.translation.drift.finding import Finding
from ontology.translation.drift.terms import Termbase
from rulestone import Library

ENGLISH, CHINESE = "20250207_En.txt", "20250207_Zh.txt"
JUDGED = Path(__file__).with_name("judged.tsv")
SEED, SAMPLE, DRAWN = 11, 50, 3018
MISSED, WRONG, UNREAL, SECONDS = 15.0, 10.0, 20.0, 60.0
"""Targets: per cent, and seconds of processor time for the whole book."""


def main(arguments: Sequence[str]) -> bool:
    """Whether every figure is within its target."""
    print(machine(), flush=True)
    seed = int(arguments[arguments.index("--seed") + 1]) if "--seed" in arguments else SEED
    folder = texts() / "mtg"
    english = parse_file(folder / ENGLISH)[0]
    chinese = (folder / CHINESE).read_text(encoding="utf-8-sig")
    labels = known_labels(folder)
    began = time.process_time()
    before = found_in(records(english, chinese), labels)
    seconds = time.process_time() - began
    if "--sample" in arguments:
        show(sample(before))
        return True
    fits = [report("one edition, reading included", seconds, SECONDS, "s", f"{len(before)} findings, processor time")]
    changed, errors = planted(chinese, (folder / ENGLISH).read_text(encoding="utf-8-sig"), seed)
    known = {key(finding) for finding in before}
    new = [finding for finding in found_in(records(english, changed), labels) if key(finding) not in known]
    told = {(rule(finding), finding.kind) for finding in new}
    lost = Counter(error.kind for error in errors if (error.number, error.kind) not in told)
    right = {(error.number, error.kind) for error in errors}
    wrong = sum((rule(finding), finding.kind) not in right for finding in new)
    fits.append(
        report("planted errors, not found", 100 * lost.total() / len(errors), MISSED, "%", f"{lost.total()} of {len(errors)}")
    )
    fits.append(report("new findings that tell of none", 100 * wrong / len(new), WRONG, "%", f"{wrong} of {len(new)}"))
    every = Counter(error.kind for error in errors)
    for kind in KINDS:
        print(f"      {kind:<18} {every[kind] - lost[kind]:>3} of {every[kind]}")
    return all([*fits, judged(before)])


def known_labels(folder: Path) -> list[Label]:
    """The termbase of a home that has the book: what ships, and what the book itself defines."""
    with tempfile.TemporaryDirectory() as home, Library.open(Path(home) / "home") as library:
        library.add([folder / ENGLISH, folder / CHINESE], later=True)
        names = library._bundle().knowledge.names
        return [label for some in names.labels.values() for label in some]


def records(english: Reading, chinese: str) -> list[RuleRecord]:
    """The rules of the edition in both languages."""
    document = Document("zh.txt", sha256(chinese.encode()).hexdigest(), "text", "utf-8", chinese)
    return [record for _, record in Recorder(merge(english.key, [english, parse(document, Hints())[0]])).records()]


def found_in(rules: Sequence[RuleRecord], labels: Sequence[Label]) -> list[Finding]:
    """The findings in a translation."""
    return drift([Rules(rule, rule) for rule in rules], "en", "zh-Hans", Termbase(labels, "mtg"))


def rule(finding: Finding) -> str:
    """The number of the rule that a finding is of."""
    place = finding.source or finding.target
    return place.iri.rpartition("/")[2] if place else ""


def address(finding: Finding) -> str:
    """The part of a rule that a finding is of."""
    place = finding.source or finding.target
    return f"{place.iri.split('/', 7)[-1]}#{place.part}-{place.nth}" if place else ""


def key(finding: Finding) -> tuple[object, ...]:
    """The identity of a finding, whatever else the translation says."""
    words = tuple(finding.source.text[slice(*span)] for span in finding.source.spans) if finding.source else ()
    return finding.kind, address(finding), finding.about, words


def told_by(finding: Finding) -> tuple[str, str, str]:
    """The identity of a finding among the judged ones, without words of the book."""
    return address(finding), finding.kind, "" if finding.kind in ("missing-sentence", "untranslated") else finding.about


def sample(findings: Sequence[Finding]) -> list[Finding]:
    """Fifty findings, drawn by seed."""
    ordered = sorted(findings, key=lambda finding: (address(finding), finding.kind, finding.about))
    return random.Random(DRAWN).sample(ordered, min(SAMPLE, len(ordered)))


def show(findings: Sequence[Finding]) -> None:
    """Prints findings with their words."""
    for nth, finding in enumerate(findings, 1):
        print(f"{nth}\t{address(finding)}\t{finding.kind}\t{finding.about}\t{finding.message.in_language('en')}")
        for place in (finding.source, finding.target):
            words = " … ".join(place.text[slice(*span)] for span in place.spans) if place else ""
            print(f"    [{words}]  {place.text if place else '-'}")


def judged(findings: Sequence[Finding]) -> bool:
    """The share of judged findings that are none, over those that are still found and those that the seed draws; by kind."""
    lines = (line for line in JUDGED.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    rows = list(csv.DictReader(lines, delimiter="\t"))
    still = {told_by(finding) for finding in findings}
    there = [row for row in rows if (row["place"], row["kind"], row["about"]) in still]
    unreal = [row for row in there if row["real"] != "yes"]
    verdicts = {(row["place"], row["kind"], row["about"]): row["real"] == "yes" for row in there}
    drawn = [verdicts[told_by(finding)] for finding in sample(findings) if told_by(finding) in verdicts]
    fits = report(
        "findings drawn by seed that are none", _share(drawn.count(False), len(drawn)), UNREAL, "%", f"of {len(drawn)} judged"
    )
    fits &= report("judged findings that are none", _share(len(unreal), len(there)), UNREAL, "%", f"{len(unreal)} of {len(there)}")
    every, real = Counter(row["kind"] for row in there), Counter(row["kind"] for row in there if row["real"] == "yes")
    for kind, count in sorted(every.items()):
        print(f"      {kind:<18} {real[kind]:>3} of {count} real")
    return fits


def _share(some: int, every: int) -> float:
    return 100 * some / max(every, 1)


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1:]))
