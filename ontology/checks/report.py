"""The report of `rulestone check`: dangling citations, violations, broken shapes, claims, terminology, uncertain rulings."""

from collections.abc import Iterator
from importlib.resources import files

from corpus.address import RS, iri_of, path_of
from corpus.editions.rulings import best_confidence, weak_rulings
from corpus.messages import message, plural
from corpus.store.engine import Store
from ontology.checks.claims import claim_findings
from ontology.checks.finding import Finding
from ontology.checks.shapes import broken_shapes
from ontology.checks.terminology import gloss_deviations
from ontology.knowledge import Knowledge

_DANGLING_QUERY = f"""
SELECT ?subject ?exact ?wanted WHERE {{
  GRAPH ?graph {{ ?subject <{RS}hasCitation> ?citation . ?citation <{RS}exact> ?exact ; <{RS}wanted> ?wanted }}
  FILTER NOT EXISTS {{ GRAPH ?graph {{ ?citation <{RS}target> ?target }} }}
}}"""


def findings(knowledge: Knowledge) -> Iterator[Finding]:
    """Every finding about a bundle's graph, kind by kind in a stable order."""
    yield from dangling_citations(knowledge.store)
    yield from query_violations(knowledge.store)
    yield from broken_shapes(knowledge.store)
    yield from claim_findings(knowledge)
    yield from unnamed_zones(knowledge.store)
    yield from weak_grounds(knowledge)


def dangling_citations(store: Store) -> Iterator[Finding]:
    """Citations of rules that their edition does not have."""
    rows = sorted({(row["subject"], row["exact"], row["wanted"]) for row in store.select(_DANGLING_QUERY)})
    for subject, exact, locator in rows:
        reason = message("cites {exact!r}, but its edition has no {wanted}", exact=exact, wanted=locator)
        yield Finding("dangling-citation", subject, reason)


def unnamed_zones(store: Store) -> Iterator[Finding]:
    """Glosses of the digest that name a zone in one language but not in another."""
    for deviation in gloss_deviations(store):
        reason = message(
            "the gloss names {concept} in {said} but not in {missing}; use a label of that concept there",
            concept=deviation.concept,
            said=deviation.naming_lang,
            missing=deviation.missing,
        )
        yield Finding("terminology", iri_of(deviation.rule), reason)


def query_violations(store: Store) -> Iterator[Finding]:
    """The rows of the `*-violation.rq` queries; the first line of each file states the requirement."""
    folder = files("ontology").joinpath("data/violations")
    for query in sorted(folder.iterdir(), key=lambda file: file.name):
        words = query.read_text(encoding="utf-8")
        expected = words.splitlines()[0].removeprefix("#").strip()
        for subject in sorted(row["subject"] for row in store.select(words)):
            yield Finding("violation", subject, message(expected))


_MAX_SHOWN = 50
"""Maximum number of rulings that are listed individually."""


def weak_grounds(knowledge: Knowledge) -> Iterator[Finding]:
    """The rulings to be judged by a curator, the least certain first.

    If there are many, returns only the first ones and the number of the others.
    """
    rulings = weak_rulings(knowledge) if knowledge.manifest.rulings else []
    for ruling in rulings[:_MAX_SHOWN]:
        if not ruling["rests_on"]:
            reason = message("cites no rule, and none is proposed; name the rule that it rests on with: rulestone grounds FILE")
        else:
            rule = path_of(ruling["rests_on"][0]["rule"])
            reason = message(
                "cites no rule; {rule} is proposed with confidence {confidence}; accept or reject it with: rulestone grounds FILE",
                rule=rule,
                confidence=f"{best_confidence(ruling):.2f}",
            )
        yield Finding("weak-grounds", ruling["iri"], reason)
    if (more := len(rulings) - _MAX_SHOWN) > 0:
        reason = plural(
            "{count} more ruling has uncertain grounds; rulestone grounds lists it",
            "{count} more rulings have uncertain grounds; rulestone grounds lists them",
            more,
        )
        yield Finding("weak-grounds", rulings[_MAX_SHOWN]["iri"], reason)
