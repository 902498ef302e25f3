"""Every claim says how it came about, when and from which editions."""

from functools import cache

from rdflib import PROV, RDF, RDFS, Graph, URIRef

from corpus.address import OA, RS, split_rule
from ontology import shipped
from tests.support.shipped import known


@cache
def shipped_graph() -> Graph:
    store = known()
    values = f"VALUES ?p {{ <{RDF.type}> <{RDFS.label}> <{RS}support> <{OA}hasSource> }}"
    about = f"{{ {values} GRAPH ?g {{ ?s ?p ?o }} }} UNION {{ GRAPH <{shipped.PROVENANCE}> {{ ?s ?p ?o }} }}"
    said = f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ {about} }}"
    return Graph().parse(data="\n".join(store.construct(said)), format="nt")


def test_every_claim_has_an_activity_and_the_editions_of_its_rules() -> None:
    known = shipped_graph()
    claims = list(known.subjects(RDF.type, URIRef(f"{RS}Claim")))
    assert len(claims) > 1000
    for claim in claims:
        [activity] = known.objects(claim, PROV.wasGeneratedBy)
        rules = {str(known.value(support, URIRef(f"{OA}hasSource"))) for support in known.objects(claim, URIRef(f"{RS}support"))}
        assert set(known.objects(claim, PROV.wasDerivedFrom)) == {URIRef(split_rule(rule).key.iri) for rule in rules}
        assert known.value(activity, PROV.endedAtTime)
        assert known.value(activity, PROV.wasAssociatedWith)


def test_activities_and_agents_are_named_in_three_languages() -> None:
    known = shipped_graph()
    for kind in (PROV.Activity, PROV.Agent, PROV.SoftwareAgent):
        agents = list(known.subjects(RDF.type, kind))
        assert agents
        for agent in agents:
            assert {getattr(words, "language", None) for words in known.objects(agent, RDFS.label)} == {"en", "ja", "zh-hans"}
    assert URIRef(shipped.EXTRACTION) in set(known.subjects(RDF.type, PROV.Activity))
