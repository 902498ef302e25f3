"""Every shipped concept has a place: a broader concept or the top of its scheme; hubs are matches for SKOS tools."""

from collections.abc import Mapping
from functools import cache

import pyoxigraph as ox

from corpus.address import RS, SKOS, concept_iri, scheme_iri
from ontology.hierarchy import HIERARCHY_GRAPH, hierarchy_graph
from ontology.shipped import concept_quads, shipped_graphs

Links = Mapping[str, set[tuple[str, str]]]


def links(quads: "list[ox.Quad]") -> Links:
    by_property: dict[str, set[tuple[str, str]]] = {}
    for quad in quads:
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode):
            by_property.setdefault(quad.predicate.value.removeprefix(SKOS), set()).add((quad.subject.value, quad.object.value))
    return by_property


@cache
def source_links() -> Links:
    return links(list(concept_quads()))


@cache
def derived() -> Links:
    return links(list(ox.parse(shipped_graphs()[HIERARCHY_GRAPH], format=ox.RdfFormat.N_QUADS)))


def test_every_concept_has_a_broader_one_or_is_a_top_concept_of_its_scheme() -> None:
    below = {concept for concept, _ in source_links()["broader"] | derived()["broader"]}
    top = {concept for concept, _ in derived()["topConceptOf"]}
    assert below.isdisjoint(top)
    assert below | top == {concept for concept, _ in source_links()["inScheme"]}
    assert derived()["topConceptOf"] <= source_links()["inScheme"]
    assert derived()["hasTopConcept"] == {(scheme, concept) for concept, scheme in derived()["topConceptOf"]}


def test_no_link_is_stated_twice() -> None:
    assert source_links()["broader"].isdisjoint(derived()["broader"])
    assert derived()["narrower"] == {(above, below) for below, above in source_links()["broader"] | derived()["broader"]}


def test_no_concept_is_broader_than_itself() -> None:
    broader: dict[str, set[str]] = {}
    for below, above in source_links()["broader"] | derived()["broader"]:
        broader.setdefault(below, set()).add(above)
    for concept in broader:
        ancestors, next_ = set[str](), broader[concept]
        while next_:
            ancestors |= next_
            next_ = {above for one in next_ for above in broader.get(one, ())} - ancestors
        assert concept not in ancestors


def test_a_hub_is_a_broad_match() -> None:
    hubs = {pair for name, pairs in source_links().items() if name == f"{RS}hub" for pair in pairs}
    assert derived()["broadMatch"] == hubs
    assert (concept_iri("graveyard"), concept_iri("mtg/graveyard")) in derived()["narrowMatch"]


def test_a_class_has_its_concept() -> None:
    assert (concept_iri("mtg/banding"), concept_iri("keyword-ability")) in derived()["broader"]
    assert (concept_iri("mtg/zone"), scheme_iri("mtg")) in derived()["topConceptOf"]


def test_a_concept_above_its_class_stays_on_top() -> None:
    lines = [
        f"<{concept_iri('x/area')}> <{SKOS}broader> <{concept_iri('x/field')}> <urn:g> .",
        *(
            f"<{concept_iri(f'x/{name}')}> <{predicate}> <{value}> <urn:g> ."
            for name in ("area", "field", "zone")
            for predicate, value in (
                (f"{SKOS}inScheme", scheme_iri("x")),
                ("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", f"{RS}Zone"),
            )
        ),
        f"<{concept_iri('x/zone')}> <{SKOS}broader> <{concept_iri('x/field')}> <urn:g> .",
    ]
    graph = hierarchy_graph(ox.parse("\n".join(lines), format=ox.RdfFormat.N_QUADS))
    assert links(list(ox.parse(graph, format=ox.RdfFormat.N_QUADS)))["topConceptOf"] == {(concept_iri("x/field"), scheme_iri("x"))}
