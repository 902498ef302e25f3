"""What `rulestone check` reports: dangling citations, violations, broken shapes, claims, terms that deviate."""

from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from corpus.address import NS, graph_iri, iri_of
from corpus.messages import message
from ontology.checks.claims import claim_findings
from ontology.checks.finding import Finding
from ontology.checks.terminology import deviations
from ontology.store.engine import Store
from ontology.store.knowledge import Knowledge

if TYPE_CHECKING:
    from rdflib import Graph

_DANGLING = f"""
SELECT ?subject ?exact ?wanted WHERE {{
  GRAPH ?graph {{ ?subject <{NS}hasCitation> ?citation . ?citation <{NS}exact> ?exact ; <{NS}wanted> ?wanted }}
  FILTER NOT EXISTS {{ GRAPH ?graph {{ ?citation <{NS}target> ?target }} }}
}}"""
_FACTS = f"""
CONSTRUCT {{{{ ?s ?p ?o }}}} WHERE {{{{
  VALUES ?p {{{{ {{}} }}}} GRAPH ?graph {{{{ ?s ?p ?o }}}}
  FILTER(!STRSTARTS(STR(?graph), "{graph_iri("proposed")}/"))
}}}}"""
"""What is proposed has no definitions yet and labels in the languages of its book only: the shapes leave it alone."""


def findings(knowledge: Knowledge) -> Iterator[Finding]:
    """Everything that is wrong with a bundle's graph or worth knowing of it, kind by kind in a stable order."""
    yield from dangling(knowledge.store)
    yield from violations(knowledge.store)
    yield from broken_shapes(knowledge.store)
    yield from claim_findings(knowledge)
    yield from unnamed(knowledge.store)


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


def broken_shapes(store: Store) -> Iterator[Finding]:
    """What breaks a shape of shapes.ttl (SHACL Core, checked by pySHACL over the terms that the shapes speak of)."""
    from pyshacl import validate
    from rdflib import RDF, Graph
    from rdflib.namespace import SH

    wanted = shapes()
    paths = " ".join(sorted(path.n3() for path in {RDF.type, *wanted.objects(None, SH.path)}))
    data = Graph().parse(data="\n".join(store.construct(_FACTS.format(paths))), format="nt")
    _, report, _ = validate(data, shacl_graph=wanted, inplace=True, advanced=False)
    findings = []
    for result in report.subjects(SH.focusNode):
        subject, reason = report.value(result, SH.focusNode), report.value(result, SH.resultMessage)
        findings.append(Finding("shape", str(subject), message(str(reason))))
    yield from sorted(findings, key=lambda finding: (finding.subject, str(finding.message)))


def shapes() -> "Graph":
    """The shapes as a graph, each property shape with the target of its node shape.

    pySHACL checks a shape that has a target for all nodes at once, and one inside a node shape for one node after the other:
    it says the same in a fraction of the time.
    """
    from rdflib import Graph
    from rdflib.namespace import SH

    graph = Graph().parse(data=files("ontology").joinpath("data/shapes.ttl").read_text(encoding="utf-8"), format="turtle")
    for shape, target in list(graph.subject_objects(SH.targetClass)):
        for part in graph.objects(shape, SH.property):
            graph.add((part, SH.targetClass, target))
        graph.remove((shape, SH.property, None))
    return graph
