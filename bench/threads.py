"""Accuracy of threads between real editions: `python -m bench.threads`.

Exact: rules of three Magic editions whose words occur once in each edition of a pair. Edited: 120 rules with different words,
judged individually from both texts (`threads_judged.tsv`: numbers and verdicts, no text). Derived: editions generated from the last
one with a seed (`bench.derived`), in which the new place of each rule is known.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from bench.derived import derive_edition
from bench.measure import cpu_seconds, report_figure, report_share, rulebook_folder, table_rows
from corpus.editions.threads.pair import steps
from corpus.store.threads.rule import StoredRule, stored_rule
from corpus.store.threads.step import Step, StepKind
from ingest.merge import merge
from ingest.pipeline import parse
from ingest.read.document import Document
from ingest.recognise import Hints
from ingest.record import Recorder

FILES = ("20220610_En.txt", "20240607_En.txt", "20250207_En.txt")
SEEDS = (101, 102, 103)
JUDGED = Path(__file__).with_name("threads_judged.tsv")
MISSED, WRONG, UNCHANGED, JUDGED_MISSED = 1.0, 0.0, 0.0, 5.0
"""Targets in per cent."""
SECONDS = 3.0
"""Target for comparing two whole editions of Magic, in seconds of processor time."""


class Row(NamedTuple):
    """One verdict: the rules that the old one may be in the new edition, or the other way round; `-` is none."""

    old_edition: str
    new_edition: str
    old: str
    new: str


def main() -> bool:
    """Whether every figure is within its target."""
    editions = dict(map(edition, FILES))
    first, *_, last = editions
    steps_of = {pair: steps(editions[pair[0]], editions[pair[1]]) for pair in combinations(editions, 2)}
    counts = [count_exact_matches(editions[old], editions[new], steps_of[old, new]) for old, new in steps_of]
    words = Words(*map(sum, zip(*counts, strict=True)))
    fits = [
        report_share("moved word for word, not found", words.missed, words.moved, MISSED),
        report_share("moved word for word, to another rule", words.wrong, words.moved, WRONG),
        report_share("unchanged, but reported", words.reported, words.unchanged, UNCHANGED),
    ]
    fits.append(are_judged_found(steps_of))
    fits += derived_matches(editions[last])
    seconds = cpu_seconds(lambda: steps(editions[first], editions[last]))
    return all([*fits, report_figure("comparing two editions", seconds, SECONDS, "s", f"{first} and {last}, processor time")])


def edition(name: str) -> tuple[str, list[StoredRule]]:
    """The date of an edition, and its rules."""
    return rules_of((rulebook_folder() / "mtg" / name).read_text(encoding="utf-8-sig"))


def rules_of(text: str) -> tuple[str, list[StoredRule]]:
    """The date of an edition of Magic, and its rules, by its text."""
    readings = parse(Document("rules.txt", sha256(text.encode()).hexdigest(), "text", "utf-8", text), Hints())
    whole = merge(readings[0].key, readings)
    return whole.key.edition, [stored_rule(record, ["en"]) for _, record in Recorder(whole).records()]


class Words(NamedTuple):
    """The matches of the rules of a pair whose words did not change."""

    moved: int
    missed: int
    wrong: int
    unchanged: int
    reported: int


def count_exact_matches(old: Sequence[StoredRule], new: Sequence[StoredRule], steps: Sequence[Step]) -> Words:
    """Counts rules with the same words.

    Those in their old place, and those in another place whose words occur once in each edition.
    """
    places, there = unique_texts(old), {rule.locator: rule for rule in new}
    moves = {place: unique_texts(new)[words] for words, place in places.items() if words in unique_texts(new)}
    moves = {here: other for here, other in moves.items() if here != other}
    to: dict[str | None, set[str | None]] = {}
    for step in steps:
        to.setdefault(step.old, set()).add(step.new)
    unmoved = {
        rule.locator for rule in old if rule.folded_text and rule.folded_text == getattr(there.get(rule.locator), "folded_text", "")
    }
    changed_locators = {
        locator for step in steps if step.kind is not StepKind.SAME for locator in (step.old, step.new) if locator in unmoved
    }
    misses = [here for here, other in moves.items() if other not in to[here]]
    wrong = [here for here in misses if to[here] != {None}]
    return Words(len(moves), len(misses), len(wrong), len(unmoved), len(changed_locators))


def unique_texts(rules: Sequence[StoredRule]) -> dict[str, str]:
    """Words that occur once in an edition → their locator."""
    counts = Counter(rule.folded_text for rule in rules)
    return {rule.folded_text: rule.locator for rule in rules if rule.folded_text and counts[rule.folded_text] == 1}


def derived_matches(old: Sequence[StoredRule]) -> list[bool]:
    """Whether the rules of derived editions are matched with their new places: those that only moved, and those that changed."""
    text = (rulebook_folder() / "mtg" / FILES[-1]).read_text(encoding="utf-8-sig")
    counts: Counter[str] = Counter()
    for seed in SEEDS:
        derived = derive_edition(text, "December 7, 2025", seed)
        to: dict[str, set[str]] = {}
        for step in steps(old, rules_of(derived.text)[1]):
            to.setdefault(step.old or "", set()).update([step.new] if step.new else [])
        for number, became in derived.became.items():
            sort = "touched" if number in derived.touched else "moved" if became and became != (number,) else "stayed"
            counts[sort] += 1
            counts[f"{sort} wrong"] += to.get(number, set()) != set(became)
    return [
        report_share(f"derived editions: {sort}, matched otherwise", counts[f"{sort} wrong"], counts[sort], most)
        for sort, most in (("moved", MISSED), ("stayed", MISSED), ("touched", JUDGED_MISSED))
    ]


def are_judged_found(steps_of: dict[tuple[str, str], list[Step]]) -> bool:
    """Whether enough of the judged pairs were found; prints the missing ones."""
    judged_rows = [Row(**row) for row in table_rows(JUDGED)]
    wrong = [row for row in judged_rows if not is_as_judged(row, steps_of[row.old_edition, row.new_edition])]
    for row in wrong:
        print("     ", *row, "found:", *sorted(partners(row, steps_of[row.old_edition, row.new_edition])))
    return report_share("judged pairs, matched otherwise", len(wrong), len(judged_rows), JUDGED_MISSED)


def is_as_judged(row: Row, steps: Sequence[Step]) -> bool:
    """Whether the matches agree with the verdict."""
    right_locators = set((row.old if "|" in row.old or row.old == "-" else row.new).split("|"))
    return bool(partners(row, steps) & right_locators)


def partners(row: Row, steps: Sequence[Step]) -> set[str]:
    """The match of the one rule of a verdict."""
    if "|" in row.old or row.old == "-":
        return {step.old or "-" for step in steps if step.new == row.new}
    return {step.new or "-" for step in steps if step.old == row.old}


if __name__ == "__main__":
    sys.exit(not main())
