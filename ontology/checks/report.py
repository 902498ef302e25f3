"""What `rulestone check` reports: dangling citations, violations, broken shapes, unsound claims, terms that deviate."""

from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from corpus.address import NS, graph_iri, iri_of
from ontology.checks.claims import unsound
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
    yield from unsound(knowledge)
    yield from unnamed(knowledge.store)


def dangling(store: Store) -> Iterator[Finding]:
    """Citations that name no rule of their edition."""
    rows = sorted({(row["subject"], row["exact"], row["wanted"]) for row in store.select(_DANGLING)})
    for subject, exact, wanted in rows:
        yield Finding("dangling-citation", subject, f"cites {exact!r}, but its edition has no {wanted}")


def unnamed(store: Store) -> Iterator[Finding]:
    """Glosses of the digest that name a zone in one language and not in another."""
    for one in deviations(store):
        words = f"the gloss names {one.concept} in {one.said}, not in {one.missing}; use a label of that concept there"
        yield Finding("terminology", iri_of(one.rule), words)


def violations(store: Store) -> Iterator[Finding]:
    """Rows of the `*-violation.rq` queries; the first line of each file says what must hold."""
    folder = files("ontology").joinpath("data/violations")
    for query in sorted(folder.iterdir(), key=lambda one: one.name):
        words = query.read_text(encoding="utf-8")
        expected = words.splitlines()[0].removeprefix("#").strip()
        for subject in sorted(row["subject"] for row in store.select(words)):
            yield Finding("violation", subject, expected)


def broken_shapes(store: Store) -> Iterator[Finding]:
    """What breaks a shape of shapes.ttl (SHACL Core, checked by pySHACL over the terms that the shapes speak of)."""
    from pyshacl import validate
    from rdflib import RDF, Graph
    from rdflib.namespace import SH

    wanted = shapes()
    paths = " ".join(sorted(path.n3() for path in {RDF.type, *wanted.objects(None, SH.path)}))
    data = Graph().parse(data="\n".join(store.construct(_FACTS.format(paths))), format="nt")
    _, report, _ = validate(data, shacl_graph=wanted, inplace=True, advanced=False)
    found = []
    for result in report.subjects(SH.focusNode):
        subject, message = report.value(result, SH.focusNode), report.value(result, SH.resultMessage)
        found.append(Finding("shape", str(subject), " ".join(str(message).split())))
    yield from sorted(found, key=lambda one: (one.subject, one.message))


def shapes() -> "Graph":
    """The shapes as a graph, each property shape with the target of its node shape.

    pySHACL checks a shape that has a target for all nodes at once, and one inside a node shape for one node after the other:
    it says the same in a fraction of the time.
    """
    from rdflib import Graph
    from rdflib.namespace import SH

    found = Graph().parse(data=files("ontology").joinpath("data/shapes.ttl").read_text(encoding="utf-8"), format="turtle")
    for shape, target in list(found.subject_objects(SH.targetClass)):
        for part in found.objects(shape, SH.property):
            found.add((part, SH.targetClass, target))
        found.remove((shape, SH.property, None))
    return found
