"""How each claim came about, when, by whom and from which editions: PROV-O (https://www.w3.org/TR/prov-o/).

The activities and agents stand in `data/provenance.ttl`; which of them a claim comes from follows from where the claim stands.
"""

from collections.abc import Iterable, Iterator, Mapping

import pyoxigraph as ox

from corpus.address import NS, OA, PROV, graph_iri, iri_of, split_rule

GRAPH = graph_iri("provenance")
CODING, TOPICS, EXTRACTION = (iri_of(f"activity/{name}") for name in ("coding", "topics", "extraction"))
GENERATED, DERIVED = f"{PROV}wasGeneratedBy", f"{PROV}wasDerivedFrom"
_CLAIMS = graph_iri("claims", "")


def provenance(described: Iterable[ox.Triple], graphs: Mapping[str, bytes]) -> bytes:
    """The named graph of it as sorted N-Quads, from the activities and the graphs of claims."""
    name = ox.NamedNode(GRAPH)
    quads = [ox.Quad(triple.subject, triple.predicate, triple.object, name) for triple in described]
    for graph, lines in graphs.items():
        if graph.startswith(_CLAIMS):
            activity = TOPICS if graph == graph_iri("claims", "topics") else CODING
            quads += [ox.Quad(claim, predicate, thing, name) for claim, predicate, thing in _of_claims(lines, activity)]
    written = ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""
    return b"\n".join(sorted(set(written.splitlines()))) + b"\n"


def _of_claims(lines: bytes, activity: str) -> Iterator[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]]:
    """A claim was made by an activity, and derived from the editions of the rules that support it."""
    claims, rules = {}, {}
    for quad in ox.parse(lines, format=ox.RdfFormat.N_QUADS):
        if quad.predicate.value == f"{NS}support":
            claims[quad.object] = quad.subject
        elif quad.predicate.value == f"{OA}hasSource" and isinstance(quad.object, ox.NamedNode):
            rules[quad.subject] = quad.object.value
    for support, claim in claims.items():
        if isinstance(claim, ox.NamedNode):
            yield claim, ox.NamedNode(GENERATED), ox.NamedNode(activity)
            yield claim, ox.NamedNode(DERIVED), ox.NamedNode(split_rule(rules[support]).key.iri)
