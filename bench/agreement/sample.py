"""A seeded sample of what ships beside its rules, for a judge: `python -m bench.agreement.sample --seed 2014`.

With `--judged` it counts the verdicts instead. What was judged of it stands in `judged.tsv`, without a word of any rulebook.
"""

import argparse
import csv
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bench.agreement import draw
from bench.digest.glossed import Nodes, loaded
from bench.measure import books, texts
from corpus.address import concept_name, split_rule
from ontology import shipped, sssom
from ontology.concepts.claims import Claim, Support, claims_in

JUDGED = Path(__file__).with_name("judged.tsv")
SIZES = {"claim": 150, "mapping": 100, "counterpart": 60}
Row = Claim | sssom.MappingRow
_AROUND = 160
"""Characters on each side of a quotation that are shown, and of a rule that a mapping cites."""


def main() -> int:
    """Prints the sample, or what was judged of it; 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2014)
    parser.add_argument("--judged", action="store_true", help="count the verdicts instead")
    options = parser.parse_args()
    if options.judged:
        print("\n".join(_counted()))
        return 0
    beside = loaded([Path(name) for name in books(texts())])
    for kind, rows in sample(options.seed).items():
        for number, row in enumerate(rows, 1):
            print("\n".join((f"@ {kind} {number} {name_of(row)}", *_shown(row, beside))))
    return 0


def sample(seed: int) -> dict[str, list[Row]]:
    """Kind → rows, drawn without replacement from all that ship and hold today."""
    chance = random.Random(seed)
    claims: list[Row] = [claim for claim in claims_in(draw.store()) if claim.status in ("accepted", "disputed")]
    rows: dict[str, list[Row]] = {
        "claim": claims,
        "mapping": [*shipped.mappings()],
        "counterpart": [*shipped.mappings("counterparts")],
    }
    return {kind: chance.sample(rows[kind], size) for kind, size in SIZES.items()}


def name_of(row: Row) -> str:
    """What a verdict names a row by."""
    if isinstance(row, Claim):
        return row.iri.rpartition("/")[2]
    return f"{row['subject_id']} {row['object_id']} {row['object_source']}".rstrip()


def _shown(row: Row, beside: Nodes) -> Iterator[str]:
    if isinstance(row, Claim):
        yield f"  {concept_name(row.concept)} {row.property} = {row.value} [{row.status}] {row.notes.get('en', '')}"
        yield from (f"  {_around(support, beside)}" for support in row.supports)
    else:
        yield f"  {draw.predicate_of(row)}: {row['comment']}"
        rules = ("subject_rule", "object_rule") if row["subject_rule"] else ("subject_id", "object_id")
        yield from (f"  {_text(sssom.expand(row[name]), beside)[: 2 * _AROUND]}" for name in rules if row[name].startswith("rule:"))


def _around(support: Support, beside: Nodes) -> str:
    text = _text(support.rule, beside)
    place = max(text.find(support.quote), 0)
    return text[max(place - _AROUND, 0) : place + len(support.quote) + _AROUND]


def _text(rule: str, beside: Nodes) -> str:
    key, locator = split_rule(rule)
    wordings = (beside[key, lang][locator].text for lang in ("ja", "zh-Hans", "en") if locator in beside.get((key, lang), {}))
    return f"{key} {locator}: {' '.join(next(wordings, '').split())}"


def _counted() -> Iterator[str]:
    with JUDGED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))
    for (seed, kind), size in sorted(Counter((row["seed"], row["kind"]) for row in rows).items()):
        verdicts = Counter(row["verdict"] for row in rows if (row["seed"], row["kind"]) == (seed, kind))
        shares = ", ".join(f"{name} {verdicts[name]} ({verdicts[name] / size:.1%})" for name in ("right", "debatable", "wrong"))
        yield f"seed {seed}, {kind}s: {size} judged, {shares}"


if __name__ == "__main__":
    sys.exit(main())
