"""The graph of the links that follow from the shipped concepts, for SKOS tools.

A hub is a broader concept of another scheme (`skos:broadMatch`); `data/hierarchy.toml` names the broader concept of each class; a
concept without a broader one is a top concept of its scheme. JSON has only the links in the files.
"""

from collections.abc import Iterable, Iterator, Mapping

import pyoxigraph as ox

from corpus.address import RDF_TYPE, RS, SKOS, concept_iri, graph_iri, local_name, scheme_of
from corpus.data_files import read_toml
from ontology.sssom import sorted_nquads

HIERARCHY_GRAPH = graph_iri("hierarchy")
_SCHEME, _BROADER = f"{SKOS}inScheme", f"{SKOS}broader"
_Links = Mapping[str, set[str]]
"""Concept → the IRIs to which it is linked."""


def hierarchy_graph(quads: Iterable[ox.Quad]) -> bytes:
    """That graph as sorted N-Quads, from the quads of the concept schemes."""
    links: dict[str, dict[str, set[str]]] = {name: {} for name in (RDF_TYPE, _SCHEME, _BROADER, f"{RS}hub")}
    for quad in quads:
        subject, value = quad.subject, quad.object
        if quad.predicate.value in links and isinstance(subject, ox.NamedNode) and isinstance(value, ox.NamedNode):
            links[quad.predicate.value].setdefault(subject.value, set()).add(value.value)
    types, schemes, stated_links, hubs = links.values()
    derived_links = dict(_broader_by_class({concept: types[concept] for concept in schemes}, stated_links))
    graph = ox.NamedNode(HIERARCHY_GRAPH)
    return sorted_nquads(
        ox.Quad(ox.NamedNode(subject), ox.NamedNode(SKOS + predicate), ox.NamedNode(value), graph)
        for subject, predicate, value in _statements(schemes, stated_links, derived_links, hubs)
    )


def _broader_by_class(types: _Links, stated_links: _Links) -> Iterator[tuple[str, set[str]]]:
    """The concepts without a stated broader concept, each with that of its class."""
    table: Mapping[str, str] = read_toml("ontology", "hierarchy.toml")["broader"]
    for concept in types.keys() - stated_links.keys():
        names = (table[name] for kind in types[concept] if (name := local_name(kind)) in table)
        above = {concept_iri(name.format(game=scheme_of(concept))) for name in names} & types.keys() - {concept}
        if above and concept not in _ancestors(above, stated_links):
            yield concept, above


def _ancestors(concepts: set[str], broader: _Links) -> set[str]:
    ancestors: set[str] = set()
    while concepts:
        ancestors |= concepts
        concepts = {above for concept in concepts for above in broader.get(concept, ())} - ancestors
    return ancestors


def _statements(schemes: _Links, stated_links: _Links, derived_links: _Links, hubs: _Links) -> Iterator[tuple[str, str, str]]:
    """Subject, SKOS property and object; stated broader concepts are not repeated, so that queries find each once."""
    for concept, own in schemes.items():
        above = stated_links.get(concept, set()) | derived_links.get(concept, set())
        yield from ((concept, "broader", name) for name in derived_links.get(concept, ()))
        yield from ((name, "narrower", concept) for name in above)
        for scheme in own if not above else ():
            yield concept, "topConceptOf", scheme
            yield scheme, "hasTopConcept", concept
        for hub in hubs.get(concept, ()):
            yield concept, "broadMatch", hub
            yield hub, "narrowMatch", concept
