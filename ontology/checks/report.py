"""What `rulestone check` reports: dangling citations, violations, broken shapes, claims, terms that deviate."""

from collections.abc import Iterator
from importlib.resources import files

from corpus.address import NS, iri_of
from corpus.messages import message
from corpus.store.engine import Store
from ontology.checks.claims import claim_findings
from ontology.checks.finding import Finding
from ontology.checks.grounds import weak_grounds
from ontology.checks.shapes import broken_shapes
from ontology.checks.terminology import deviations
from ontology.knowledge import Knowledge

_DANGLING = f"""
SELECT ?subject ?exact ?wanted WHERE {{
  GRAPH ?graph {{ ?subject <{NS}hasCitation> ?citation . ?citation <{NS}exact> ?exact ; <{NS}wanted> ?wanted }}
  FILTER NOT EXISTS {{ GRAPH ?graph {{ ?citation <{NS}target> ?target }} }}
}}"""


def findings(knowledge: Knowledge) -> Iterator[Finding]:
    """Everything that is wrong with a bundle's graph or worth knowing of it, kind by kind in a stable order."""
    yield from dangling(knowledge.store)
    yield from violations(knowledge.store)
    yield from broken_shapes(knowledge.store)
    yield from claim_findings(knowledge)
    yield from unnamed(knowledge.store)
    yield from weak_grounds(knowledge)


def dangling(store: Store) -> Iterator[Finding]:
    """Citations that name no rule of their edition."""
    rows = sorted({(row["subject"], row["exact"], row["wanted"]) for row in store.select(_DANGLING)})
    for subject, exact, wanted in rows:
        reason = message("cites {exact!r}, but its edition has no {wanted}", exact=exact, wanted=wanted)
        yield Finding("dangling-citation", subject, reason)


def unnamed(store: Store) -> Iterator[Finding]:
    """Glosses of the digest that name a zone in one language and not in another."""
    for deviation in deviations(store):
        reason = message(
            "the gloss names {concept} in {said}, not in {missing}; use a label of that concept there",
            concept=deviation.concept,
            said=deviation.said,
            missing=deviation.missing,
        )
        yield Finding("terminology", iri_of(deviation.rule), reason)


def violations(store: Store) -> Iterator[Finding]:
    """Rows of the `*-violation.rq` queries; the first line of each file says what must hold."""
    folder = files("ontology").joinpath("data/violations")
    for query in sorted(folder.iterdir(), key=lambda file: file.name):
        words = query.read_text(encoding="utf-8")
        expected = words.splitlines()[0].removeprefix("#").strip()
        for subject in sorted(row["subject"] for row in store.select(words)):
            yield Finding("violation", subject, message(expected))
