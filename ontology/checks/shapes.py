"""What breaks a shape of shapes.ttl: SHACL Core, checked by pySHACL over the terms that the shapes speak of."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from corpus.address import graph_iri
from corpus.collecting import no_collecting
from corpus.messages import Message, message
from corpus.store.engine import Store
from ontology.checks.alternatives import narrow
from ontology.checks.finding import Finding

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

_FACTS = f"""
CONSTRUCT {{{{ ?s ?p ?o }}}} WHERE {{{{
  VALUES ?p {{{{ {{}} }}}} GRAPH ?graph {{{{ ?s ?p ?o }}}}
  FILTER(!STRSTARTS(STR(?graph), "{graph_iri("proposed")}/") && !STRSTARTS(STR(?graph), "{graph_iri("terms")}/"))
}}}}"""
"""What is proposed, and what books define, has labels in the languages of its book only: the shapes leave it alone."""
_REASONS = {
    "minCount": Message("{path} is given too few times; expected at least {wanted}"),
    "maxCount": Message("{path} is given too many times; expected at most {wanted}"),
    "minLength": Message("{path} is {value}; expected at least {wanted} characters"),
    "maxLength": Message("{path} is {value}; expected at most {wanted} characters"),
    "minInclusive": Message("{path} is {value}; expected at least {wanted}"),
    "datatype": Message("{path} is {value}; expected a value of the type {wanted}"),
    "nodeKind": Message("{path} is {value}; expected an address"),
    "class": Message("{path} is {value}; expected a {wanted}"),
    "in": Message("{path} is {value}; expected one of {wanted}"),
    "pattern": Message("{path} is {value}; expected what fits {wanted}"),
    "languageIn": Message("{path} is {value}; expected a text in one of {wanted}"),
    "uniqueLang": Message("{path} has two texts in one language; expected one"),
}
"""SHACL constraint → what its breach is called."""


def broken_shapes(store: Store) -> list[Finding]:
    """What breaks a shape, in a stable order."""
    from pyshacl import validate
    from rdflib import RDF
    from rdflib.namespace import SH

    wanted = shapes()
    paths = " ".join(sorted(path.n3() for path in {RDF.type, *wanted.objects(None, SH.path)}))
    with no_collecting():
        data = _graph("\n".join(store.construct(_FACTS.format(paths))))
        narrow(wanted, data)
        _, report, _ = validate(data, shacl_graph=wanted, inplace=True, advanced=False)
        return told(report, wanted)


def _graph(triples: str) -> "Graph":
    """N-Triples as a graph. Oxigraph reads them; rdflib's own reader takes half as long again for all of it."""
    import pyoxigraph as ox
    from rdflib import XSD, BNode, Graph, Literal, URIRef

    @cache
    def term(node: "ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple") -> "Node":
        if isinstance(node, ox.Literal):
            kind = None if node.language or node.datatype.value == str(XSD.string) else URIRef(node.datatype.value)
            return Literal(node.value, node.language, kind)
        return BNode(node.value) if isinstance(node, ox.BlankNode) else URIRef(str(node)[1:-1])

    graph = Graph()
    read = ox.parse(triples, format=ox.RdfFormat.N_TRIPLES)
    graph.addN((term(quad.subject), term(quad.predicate), term(quad.object), graph) for quad in read)
    return graph


def told(report: "Graph", wanted: "Graph") -> list[Finding]:
    """The results of a validation report as findings."""
    from rdflib.namespace import SH

    results = [
        (str(report.value(result, SH.focusNode)), _reason(report, result, wanted)) for result in report.subjects(SH.focusNode)
    ]
    return sorted((Finding("shape", *row) for row in results), key=lambda finding: (finding.subject, str(finding.message)))


def _reason(report: "Graph", result: "Node", wanted: "Graph") -> Message:
    """Which constraint is broken, by what, and what it asks for; pySHACL's own words where it is none of those named here."""
    from rdflib.namespace import SH

    component = str(report.value(result, SH.sourceConstraintComponent)).removeprefix(str(SH)).removesuffix("ConstraintComponent")
    constraint = component[:1].lower() + component[1:]
    if constraint not in _REASONS:
        return message(str(report.value(result, SH.resultMessage)))
    asked = wanted.value(report.value(result, SH.sourceShape), SH[constraint])
    terms = {"path": report.value(result, SH.resultPath), "value": report.value(result, SH.value)}
    values = {name: _short(wanted, term) for name, term in terms.items()}
    return message(_REASONS[constraint].text, **values, wanted=_listed(wanted, asked))


def _listed(graph: "Graph", term: "Node | None") -> str:
    """A term, or the terms of an RDF list."""
    terms: list[Node | None] = [] if term is None else list(graph.items(term))
    return ", ".join(_short(graph, member) for member in terms or [term])


def _short(graph: "Graph", term: "Node | None") -> str:
    """An address by its prefix where the shapes have one for it; a text in quotation marks, with its language."""
    from rdflib import Literal

    if isinstance(term, Literal):
        return f"{str(term)!r}@{term.language}" if term.language else str(term)
    return "" if term is None else term.n3(graph.namespace_manager)


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
