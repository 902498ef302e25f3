"""The time of `check` on the seeds' graph: shapes, violations, competency questions, phrases, claims, terms."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import rulestone
from bench.measure import cpu_seconds, report_figure, rulebook_folder, use_only_seed_digests
from bench.speed.sizes import peak_memory
from corpus.media import RESULTS_JSON
from corpus.store.home import Home
from corpus.store.sparql.evaluate import evaluate
from corpus.store.sparql.question import SparqlQuestion
from ontology.checks import questions, shapes
from ontology.checks import report as check
from ontology.checks.claims import claim_findings, verify_supports
from ontology.knowledge import Knowledge

MOST = 10
"""Seconds of processor time for all of them together, the import of the SHACL engine included."""
MAX_MEGABYTES = 600
"""Megabytes."""


def main() -> bool:
    """Whether the checks together are within the target."""
    with tempfile.TemporaryDirectory() as name:
        home = Home(Path(name))
        use_only_seed_digests()
        rulestone.Library.open(home.path).add(sorted((rulebook_folder() / "seeds").glob("*.txt")))
        with home.reading_current() as bundle:
            return run_checks(Knowledge.open(bundle))


def run_checks(knowledge: Knowledge) -> bool:
    """Runs every check once, as a command does, without warm caches."""
    store = knowledge.store
    queries = [SparqlQuestion(question.query, (RESULTS_JSON,)) for question in questions.questions()]
    works: dict[str, Callable[[], object]] = {
        "shapes": lambda: list(shapes.broken_shapes(store)),
        "violations": lambda: list(check.query_violations(store)),
        "questions": lambda: [evaluate(store, query, lambda _: None) for query in queries],
        "phrases": lambda: verify_supports(knowledge),
        "claims": lambda: list(claim_findings(knowledge)),
        "terms": lambda: list(check.unnamed_zones(store)),
    }
    seconds = {name: cpu_seconds(work) for name, work in works.items()}
    behind = " + ".join(f"{name} {took:.2f}" for name, took in seconds.items())
    name = f"checks on {len(list(knowledge.compact_records()))} rules"
    quick = report_figure(name, sum(seconds.values()), MOST, "s of processor time", behind)
    return report_figure("their memory", peak_memory() / 1e6, MAX_MEGABYTES, "MB", "the peak of the process") and quick


if __name__ == "__main__":
    sys.exit(not main())
