"""The checks of the knowledge base on the seeds' graph: shapes, violations, competency questions, phrases, claims."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import rulestone
from bench.measure import report, seeds_alone, texts, timed
from ontology.checks import questions, shapes
from ontology.checks import quotations as verify
from ontology.checks import report as check
from ontology.checks.claims import claim_findings
from ontology.store.home import Home
from ontology.store.knowledge import Knowledge

MOST = 10
"""Seconds for all of them together, the import of the SHACL engine included."""


def main() -> bool:
    """Whether the checks together are within the target."""
    with tempfile.TemporaryDirectory() as name:
        home = Home(Path(name))
        seeds_alone()
        rulestone.Library.open(home.path).add(sorted((texts() / "seeds").glob("*.txt")))
        with home.reading() as bundle:
            return measured(Knowledge.open(bundle))


def measured(knowledge: Knowledge) -> bool:
    """Every check once, as a command runs it: nothing is warm."""
    store = knowledge.store
    works: dict[str, Callable[[], object]] = {
        "shapes": lambda: list(shapes.broken_shapes(store)),
        "violations": lambda: list(check.violations(store)),
        "questions": lambda: [questions.answer(store, one.query) for one in questions.questions()],
        "phrases": lambda: verify.verified(store),
        "claims": lambda: list(claim_findings(knowledge)),
        "terms": lambda: list(check.unnamed(store)),
    }
    seconds = {name: timed(work) for name, work in works.items()}
    behind = " + ".join(f"{name} {one:.2f}" for name, one in seconds.items())
    return report("checks on the seeds' graph", sum(seconds.values()), MOST, "s", behind)


if __name__ == "__main__":
    sys.exit(not main())
