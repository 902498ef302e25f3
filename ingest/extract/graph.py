"""Proposals as RDF: a named graph beside the accepted claims in a bundle, and Turtle that a judge can correct."""

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from corpus.address import NS, OA, PROV, RDF_TYPE, SKOS, EditionKey, concept_iri, graph_iri, iri_of, rule_iri, scheme_iri
from ingest.extract.facts import Claim, Proposals, Zone
from ingest.merge import Edition
from ontology import provenance, shipped

if TYPE_CHECKING:
    from rdflib import Graph, Literal
    from rdflib.term import Node

_KINDS = {"zone": "Zone", "sub-zone": "Subzone", "composite": "CompositeZone"}
_NUMBER = "#"


def name_of(key: EditionKey) -> str:
    """The named graph of an edition's proposals."""
    return graph_iri("proposed", key)


def proposals(edition: Edition) -> dict[str, bytes]:
    """The named graph of what is proposed for an edition, where nobody has annotated its game; else nothing."""
    if shipped.annotates(edition.key.game) or not any(rule.texts for rule in edition.rules.values()):
        return {}
    from ingest.extract.edition import propose

    return nquads(propose(edition))


def nquads(proposed: Proposals) -> dict[str, bytes]:
    """The proposals as one named graph of sorted N-Quads; none where nothing is proposed."""
    if not proposed.zones:
        return {}
    name = name_of(proposed.key)
    lines = sorted({f"{subject.n3()} {predicate.n3()} {thing.n3()} <{name}> ." for subject, predicate, thing in _triples(proposed)})
    return {name: "\n".join([*lines, ""]).encode()}


def turtle(proposed: Proposals) -> str:
    """The proposals as canonical Turtle: what rdflib writes after reading it is the same."""
    from rdflib import Graph

    graph = Graph()
    for prefix, namespace in (("oa", OA), ("prov", PROV), ("rs", NS), ("skos", SKOS)):
        graph.bind(prefix, namespace)
    for triple in _triples(proposed):
        graph.add(triple)
    return _canonical(graph)


def _canonical(graph: "Graph") -> str:
    from rdflib import Graph

    return Graph().parse(data=graph.serialize(format="turtle"), format="turtle").serialize(format="turtle")


def _triples(proposed: Proposals) -> Iterator[tuple["Node", "Node", "Node"]]:
    from rdflib import URIRef

    for subject, predicate, thing, lang in _statements(proposed):
        yield URIRef(subject), URIRef(predicate), URIRef(thing) if lang is None else _literal(thing, lang)


def _literal(words: str, lang: str) -> "Literal":
    from rdflib import Literal

    return Literal(int(words)) if lang == _NUMBER else Literal(words, lang=lang or None)


def _statements(proposed: Proposals) -> Iterator[tuple[str, str, str, str | None]]:
    """Subject, predicate, object and its language: "" for a plain text, `#` for a number, None for an address."""
    for zone in proposed.zones:
        yield from _concept(proposed.key, zone)
    for claim in proposed.claims:
        yield from _claim(proposed.key, claim)


def _iri(key: EditionKey, slug: str) -> str:
    return concept_iri(f"{key.game}/{slug}")


def _concept(key: EditionKey, zone: Zone) -> Iterator[tuple[str, str, str, str | None]]:
    """A proposed concept has the labels of the book and no definition: a judge writes it."""
    subject = _iri(key, zone.slug)
    for kind in (f"{SKOS}Concept", f"{NS}{_KINDS[zone.kind]}"):
        yield subject, RDF_TYPE, kind, None
    yield subject, f"{SKOS}inScheme", scheme_iri(key.game), None
    preferred: set[str] = set()
    for lang, label in zone.labels:
        yield subject, f"{SKOS}{'altLabel' if lang in preferred else 'prefLabel'}", label, lang
        preferred.add(lang)
    if zone.above:
        yield subject, f"{SKOS}broader", _iri(key, zone.above), None
    for locator in zone.defined:
        yield subject, f"{NS}definedBy", rule_iri(key, locator), None


def _claim(key: EditionKey, claim: Claim) -> Iterator[tuple[str, str, str, str | None]]:
    mark = sha256(f"{key} {claim.zone} {claim.property} {claim.value}".encode()).hexdigest()[:12]
    subject = iri_of(f"claim/{key.game}-{mark}")
    yield subject, RDF_TYPE, f"{NS}Claim", None
    yield subject, f"{NS}subject", _iri(key, claim.zone), None
    yield subject, f"{NS}property", f"{NS}{claim.property}", None
    decimal = claim.value.isdecimal()
    yield subject, f"{NS}value", claim.value if decimal else f"{NS}{claim.value}", _NUMBER if decimal else None
    yield subject, f"{NS}status", f"{NS}proposed", None
    yield subject, provenance.GENERATED, provenance.EXTRACTION, None
    yield subject, provenance.DERIVED, key.iri, None
    for number, support in enumerate(claim.supports, 1):
        place, quote = f"{subject}#support-{number}", f"{subject}#quote-{number}"
        yield subject, f"{NS}support", place, None
        yield place, RDF_TYPE, f"{OA}SpecificResource", None
        yield place, f"{OA}hasSource", rule_iri(key, support.locator), None
        yield place, f"{OA}hasSelector", quote, None
        yield quote, RDF_TYPE, f"{OA}TextQuoteSelector", None
        yield quote, f"{OA}exact", support.phrase, support.lang
