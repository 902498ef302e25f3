"""Violations of shapes.ttl (SHACL Core), found by pySHACL among the properties that the shapes constrain."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from corpus.address import graph_iri
from corpus.memory import without_gc
from corpus.messages import Message, message
from corpus.store.engine import Store
from ontology.checks.finding import Finding

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

_FACTS_QUERY = f"""
CONSTRUCT {{{{ ?s ?p ?o }}}} WHERE {{{{
  VALUES ?p {{{{ {{}} }}}} GRAPH ?graph {{{{ ?s ?p ?o }}}}
  FILTER(!STRSTARTS(STR(?graph), "{graph_iri("proposed")}/") && !STRSTARTS(STR(?graph), "{graph_iri("terms")}/"))
}}}}"""
"""Excludes proposals and the terms of books, which have labels only in the languages of their book."""
_CONSTRAINT_MESSAGES = {
    "minCount": Message("{path} has too few values; expected at least {wanted}"),
    "maxCount": Message("{path} has too many values; expected at most {wanted}"),
    "minLength": Message("{path} is {value}; expected at least {wanted} characters"),
    "maxLength": Message("{path} is {value}; expected at most {wanted} characters"),
    "minInclusive": Message("{path} is {value}; expected at least {wanted}"),
    "datatype": Message("{path} is {value}; expected a value of the type {wanted}"),
    "nodeKind": Message("{path} is {value}; expected an address"),
    "class": Message("{path} is {value}; expected a {wanted}"),
    "in": Message("{path} is {value}; expected one of {wanted}"),
    "pattern": Message("{path} is {value}; expected a match of {wanted}"),
    "languageIn": Message("{path} is {value}; expected a text in one of {wanted}"),
    "uniqueLang": Message("{path} has two texts in one language; expected one"),
}
"""SHACL constraint → the message for its violation."""


def broken_shapes(store: Store) -> list[Finding]:
    """The violations of the shapes, in a stable order."""
    from pyshacl import validate
    from rdflib import RDF
    from rdflib.namespace import SH

    shapes_graph = shape_graph()
    paths = " ".join(sorted(path.n3() for path in {RDF.type, *shapes_graph.objects(None, SH.path)}))
    with without_gc():
        data = _graph("\n".join(store.construct(_FACTS_QUERY.format(paths))))
        narrow_alternatives(shapes_graph, data)
        _, report, _ = validate(data, shacl_graph=shapes_graph, inplace=True, advanced=False)
        return violations_in(report, shapes_graph)


def _graph(triples: str) -> "Graph":
    """N-Triples as a graph; parsing with Oxigraph takes two thirds of the time."""
    import pyoxigraph as ox
    from rdflib import XSD, BNode, Graph, Literal, URIRef

    @cache
    def to_rdflib(node: "ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple") -> "Node":
        if isinstance(node, ox.Literal):
            kind = None if node.language or node.datatype.value == str(XSD.string) else URIRef(node.datatype.value)
            return Literal(node.value, node.language, kind)
        return BNode(node.value) if isinstance(node, ox.BlankNode) else URIRef(str(node)[1:-1])

    graph = Graph()
    quads = ox.parse(triples, format=ox.RdfFormat.N_TRIPLES)
    graph.addN((to_rdflib(quad.subject), to_rdflib(quad.predicate), to_rdflib(quad.object), graph) for quad in quads)
    return graph


def violations_in(report: "Graph", shapes_graph: "Graph") -> list[Finding]:
    """The results of a validation report as findings."""
    from rdflib.namespace import SH

    results = [
        (str(report.value(result, SH.focusNode)), _violation_reason(report, result, shapes_graph))
        for result in report.subjects(SH.focusNode)
    ]
    return sorted((Finding("shape", *row) for row in results), key=lambda finding: (finding.subject, str(finding.message)))


def _violation_reason(report: "Graph", result: "Node", shapes_graph: "Graph") -> Message:
    """The violated constraint, the value and the expectation; pySHACL's message for constraints without one of ours."""
    from rdflib.namespace import SH

    component = str(report.value(result, SH.sourceConstraintComponent)).removeprefix(str(SH)).removesuffix("ConstraintComponent")
    constraint = component[:1].lower() + component[1:]
    if constraint not in _CONSTRAINT_MESSAGES:
        return message(str(report.value(result, SH.resultMessage)))
    expected = shapes_graph.value(report.value(result, SH.sourceShape), SH[constraint])
    terms = {"path": report.value(result, SH.resultPath), "value": report.value(result, SH.value)}
    values = {name: _shorten_term(shapes_graph, term) for name, term in terms.items()}
    return message(_CONSTRAINT_MESSAGES[constraint].text, **values, wanted=_terms_in_list(shapes_graph, expected))


def _terms_in_list(graph: "Graph", term: "Node | None") -> str:
    """A term, or the terms of an RDF list."""
    terms: list[Node | None] = [] if term is None else list(graph.items(term))
    return ", ".join(_shorten_term(graph, member) for member in terms or [term])


def _shorten_term(graph: "Graph", term: "Node | None") -> str:
    """An IRI as a CURIE if the shapes have a prefix for it; a text in quotation marks, with its language."""
    from rdflib import Literal

    if isinstance(term, Literal):
        return f"{str(term)!r}@{term.language}" if term.language else str(term)
    return "" if term is None else term.n3(graph.namespace_manager)


def shape_graph() -> "Graph":
    """The shapes as a graph, each property shape with the target of its node shape.

    pySHACL checks a shape with a target for all nodes at once, but a shape inside a node shape node by node; the results are the
    same, in a fraction of the time.
    """
    from rdflib import Graph
    from rdflib.namespace import SH

    graph = Graph().parse(data=files("ontology").joinpath("data/shapes.ttl").read_text(encoding="utf-8"), format="turtle")
    for shape, target in list(graph.subject_objects(SH.targetClass)):
        for part in graph.objects(shape, SH.property):
            graph.add((part, SH.targetClass, target))
        graph.remove((shape, SH.property, None))
    return graph


def narrow_alternatives(shapes_graph: "Graph", data: "Graph") -> None:
    """Limits each `sh:or` to the alternatives that a node may satisfy.

    pySHACL tries every alternative for every node and reports each failure, which takes nine tenths of the time for 18 alternatives
    and a thousand claims. If each alternative lists the values of one path, only those that list the node's value can be
    satisfied; each `sh:or` of a class is replaced by one for each such value, with the nodes that have it as targets.
    """
    from rdflib.namespace import SH

    for shape, alternatives in list(shapes_graph.subject_objects(SH["or"])):
        target = shapes_graph.value(shape, SH.targetClass)
        values_of_shapes = _listed_values(shapes_graph, list(shapes_graph.items(alternatives)))
        if target is not None and values_of_shapes is not None:
            shapes_graph.remove((shape, SH["or"], alternatives))
            for fitting, nodes in _nodes_by_alternatives(data, target, *values_of_shapes):
                _add_alternatives(shapes_graph, shape, fitting, nodes)


def _listed_values(shapes_graph: "Graph", shapes: Sequence["Node"]) -> "tuple[Node, Mapping[Node, frozenset[Node]]] | None":
    """A path whose values every alternative lists, and the values by alternative; None if there is no such path."""
    lists = [dict(_lists_of(shapes_graph, shape)) for shape in shapes]
    common = [path for path in lists[0] if all(path in paths for paths in lists)] if lists else []
    return (common[0], {shape: paths[common[0]] for shape, paths in zip(shapes, lists, strict=True)}) if common else None


def _lists_of(shapes_graph: "Graph", shape: "Node") -> "Iterator[tuple[Node, frozenset[Node]]]":
    """The paths of a shape whose values it lists, with the values."""
    from rdflib.namespace import SH

    for part in shapes_graph.objects(shape, SH.property):
        path, values = shapes_graph.value(part, SH.path), shapes_graph.value(part, SH["in"])
        if path is not None and values is not None:
            yield path, frozenset(shapes_graph.items(values))


def _nodes_by_alternatives(
    data: "Graph", target: "Node", path: "Node", listed_values: "Mapping[Node, frozenset[Node]]"
) -> "Iterator[tuple[Sequence[Node], Sequence[Node]]]":
    """Alternatives with the nodes of a class that satisfy no others."""
    from rdflib import RDF

    nodes: dict[frozenset[Node], list[Node]] = defaultdict(list)
    for node in data.subjects(RDF.type, target):
        nodes[frozenset(data.objects(node, path))].append(node)
    for values, same in nodes.items():
        yield [shape for shape, shape_values in listed_values.items() if values <= shape_values] or list(listed_values), same


def _add_alternatives(shapes_graph: "Graph", shape: "Node", alternatives: Sequence["Node"], nodes: Sequence["Node"]) -> None:
    """Adds a shape for some nodes with these alternatives and the messages of another shape."""
    from rdflib import BNode
    from rdflib.collection import Collection
    from rdflib.namespace import RDF, SH

    alternative, items = BNode(), BNode()
    Collection(shapes_graph, items, list(alternatives))
    shapes_graph.add((alternative, RDF.type, SH.NodeShape))
    shapes_graph.add((alternative, SH["or"], items))
    for words in shapes_graph.objects(shape, SH.message):
        shapes_graph.add((alternative, SH.message, words))
    for node in nodes:
        shapes_graph.add((alternative, SH.targetNode, node))
