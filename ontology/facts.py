"""The facts graph: a direct triple for each accepted claim (`mtg/graveyard rs:visibility rs:public`), for short queries.

It is derived from the graphs of claims whenever these are written, so it follows the status of claims among the loaded editions.
"""

from collections.abc import Iterator, Mapping

import pyoxigraph as ox

from corpus.address import RS, graph_iri
from ontology.sssom import sorted_nquads

FACTS_GRAPH = graph_iri("facts")
_CLAIMS_GRAPH = graph_iri("claims", "")
_STATUS, _ACCEPTED = f"{RS}status", ox.NamedNode(f"{RS}accepted")
_STATEMENT_PARTS = [f"{RS}{part}" for part in ("subject", "property")]
_VALUE_PROPERTIES = [f"{RS}{name}" for name in ("value", "numericValue", "booleanValue")]


def add_facts(graphs: Mapping[str, bytes]) -> dict[str, bytes]:
    """Graphs as sorted N-Quads, with the facts that follow from the claims among them."""
    has_claims = any(graph.startswith(_CLAIMS_GRAPH) for graph in graphs)
    return {**graphs, FACTS_GRAPH: sorted_nquads(_derive_facts(graphs))} if has_claims else dict(graphs)


def _derive_facts(graphs: Mapping[str, bytes]) -> Iterator[ox.Quad]:
    name = ox.NamedNode(FACTS_GRAPH)
    for graph, lines in graphs.items():
        if graph.startswith(_CLAIMS_GRAPH):
            for claim in _parse_claims(lines).values():
                subject, property_ = (claim.get(part) for part in _STATEMENT_PARTS)
                value = next((claim[name] for name in _VALUE_PROPERTIES if name in claim), None)
                accepted_value = value if claim.get(_STATUS) == _ACCEPTED else None
                if accepted_value and isinstance(subject, ox.NamedNode) and isinstance(property_, ox.NamedNode):
                    yield ox.Quad(subject, property_, accepted_value, name)


def _parse_claims(lines: bytes) -> dict[str, dict[str, ox.NamedNode | ox.Literal]]:
    """Claim → its subject, property, value and status."""
    claims: dict[str, dict[str, ox.NamedNode | ox.Literal]] = {}
    for quad in ox.parse(lines, format=ox.RdfFormat.N_QUADS):
        subject, value, predicate = quad.subject, quad.object, quad.predicate.value
        is_part = predicate in (*_STATEMENT_PARTS, *_VALUE_PROPERTIES, _STATUS)
        if is_part and isinstance(subject, ox.NamedNode) and isinstance(value, ox.NamedNode | ox.Literal):
            claims.setdefault(subject.value, {})[predicate] = value
    return claims
