"""Topics as triples: concepts of the hub and of each game, and claims with the words that prove them."""

from collections.abc import Iterator

import pyoxigraph as ox

from corpus.address import NS, OA, RDF_TYPE, SKOS, graph_iri, iri_of, scheme_iri
from ontology.topics.topic import Cell, Topic, Words, cells, groups, topics

_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
Triple = tuple[str, str, ox.NamedNode | ox.Literal]


def graphs() -> Iterator[tuple[str, bytes]]:
    """The named graphs of the topics as sorted N-Quads."""
    for folder, triples in {"concepts": _concepts(), "claims": _claims(), "values": _values()}.items():
        name = ox.NamedNode(graph_iri(folder, "topics"))
        quads = (ox.Quad(ox.NamedNode(subject), ox.NamedNode(predicate), value, name) for subject, predicate, value in triples)
        lines = ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""
        yield name.value, b"\n".join(sorted(lines.splitlines())) + b"\n"


def collection(group: str) -> str:
    """The address of a group."""
    return iri_of(f"collection/{group}")


def _concepts() -> Iterator[Triple]:
    for group, title in groups().items():
        yield collection(group), RDF_TYPE, ox.NamedNode(f"{SKOS}Collection")
        yield from _said(collection(group), f"{SKOS}prefLabel", title)
    for topic in topics():
        yield from _topic(topic)
    for cell in cells():
        if cell.called:
            yield from _own(cell)


def _topic(topic: Topic) -> Iterator[Triple]:
    yield topic.concept, RDF_TYPE, ox.NamedNode(f"{NS}Topic")
    yield topic.concept, f"{NS}place", ox.Literal(topic.place)
    yield collection(topic.group), f"{SKOS}member", ox.NamedNode(topic.concept)
    yield from _said(topic.concept, f"{NS}asks", topic.asks)
    yield from _said(topic.concept, f"{NS}differs", topic.differs)
    if topic.label:
        yield from _named(topic.concept, "HubConcept", "hub", topic.label, topic.asks)


def _own(cell: Cell) -> Iterator[Triple]:
    """The concept of a game that has none for the topic among its others."""
    yield from _named(cell.concept, "Principle", cell.game, cell.called, cell.says)
    yield cell.concept, f"{NS}hub", ox.NamedNode(_hub(cell))
    yield cell.concept, f"{NS}definedBy", ox.NamedNode(cell.rule)


def _named(concept: str, kind: str, scheme: str, called: Words, means: Words) -> Iterator[Triple]:
    yield concept, RDF_TYPE, ox.NamedNode(f"{SKOS}Concept")
    yield concept, RDF_TYPE, ox.NamedNode(NS + kind)
    yield concept, f"{SKOS}inScheme", ox.NamedNode(scheme_iri(scheme))
    yield from _said(concept, f"{SKOS}prefLabel", called)
    yield from _said(concept, f"{SKOS}definition", means)


def _claims() -> Iterator[Triple]:
    for cell in cells():
        support, quote = f"{cell.claim}#support-1", f"{cell.claim}#quote-1"
        yield cell.claim, RDF_TYPE, ox.NamedNode(f"{NS}Claim")
        yield cell.claim, f"{NS}subject", ox.NamedNode(cell.concept)
        yield cell.claim, f"{NS}property", ox.NamedNode(NS + ("says" if cell.found else "nearest"))
        yield cell.claim, f"{NS}status", ox.NamedNode(f"{NS}accepted")
        yield cell.claim, f"{NS}value", ox.NamedNode(cell.value)
        yield cell.claim, f"{NS}support", ox.NamedNode(support)
        yield support, RDF_TYPE, ox.NamedNode(f"{OA}SpecificResource")
        yield support, f"{OA}hasSource", ox.NamedNode(cell.rule)
        yield support, f"{OA}hasSelector", ox.NamedNode(quote)
        yield quote, RDF_TYPE, ox.NamedNode(f"{OA}TextQuoteSelector")
        yield quote, f"{OA}exact", ox.Literal(cell.quote, language=cell.lang)


def _values() -> Iterator[Triple]:
    for cell in cells():
        yield cell.value, RDF_TYPE, ox.NamedNode(f"{NS}StatedValue")
        yield from _said(cell.value, _LABEL, cell.says)


def _said(subject: str, predicate: str, words: Words) -> Iterator[Triple]:
    return ((subject, predicate, ox.Literal(text, language=lang)) for lang, text in words.items())


def _hub(cell: Cell) -> str:
    return next(topic.concept for topic in topics() if topic.slug == cell.topic)
