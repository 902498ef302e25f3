"""The time of `check` on the seeds' graph or a home's: shapes, violations, competency questions, phrases, claims, terms.

python -m bench.speed.checking [--home DIR]
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import rulestone
from bench.measure import computed, report, seeds_alone, texts
from bench.speed.sizes import peak
from corpus.store.home import Home
from ontology.checks import questions, shapes
from ontology.checks import report as check
from ontology.checks.claims import claim_findings, verified
from ontology.knowledge import Knowledge

MOST, MOST_BOOKS = 10, 15
"""Seconds of processor time for all of them together, the import of the SHACL engine included: on the seeds, on a home's books."""
MEMORY = 600
"""Megabytes."""


def main() -> bool:
    """Whether the checks together are within the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a knowledge base that is there; without it one of the seeds")
    given: Path | None = parser.parse_args().home
    if given is not None:
        with Home(given).reading() as bundle:
            return measured(Knowledge.open(bundle), MOST_BOOKS)
    with tempfile.TemporaryDirectory() as name:
        home = Home(Path(name))
        seeds_alone()
        rulestone.Library.open(home.path).add(sorted((texts() / "seeds").glob("*.txt")))
        with home.reading() as bundle:
            return measured(Knowledge.open(bundle), MOST)


def measured(knowledge: Knowledge, most: float) -> bool:
    """Every check once, as a command runs it: nothing is warm."""
    store = knowledge.store
    works: dict[str, Callable[[], object]] = {
        "shapes": lambda: list(shapes.broken_shapes(store)),
        "violations": lambda: list(check.violations(store)),
        "questions": lambda: [questions.answer(store, question.query) for question in questions.questions()],
        "phrases": lambda: verified(knowledge),
        "claims": lambda: list(claim_findings(knowledge)),
        "terms": lambda: list(check.unnamed(store)),
    }
    seconds = {name: computed(work) for name, work in works.items()}
    behind = " + ".join(f"{name} {took:.2f}" for name, took in seconds.items())
    name = f"checks on {len(list(knowledge.briefly()))} rules"
    quick = report(name, sum(seconds.values()), most, "s of processor time", behind)
    return report("their memory", peak() / 1e6, MEMORY, "MB", "the peak of the process") and quick


if __name__ == "__main__":
    sys.exit(not main())
