"""A game's concepts in SKOS with SKOS-XL labels (W3C, 2009): each label a resource with its status and who says so."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b

import pyoxigraph as ox

from corpus.address import NS, RDF_TYPE, SKOS, XL, scheme_iri
from ontology.translation.termbase.entries import Entry, Status, Term
from rulestone.formats.who import WHO

LEXINFO = "http://www.lexinfo.net/ontology/3.0/lexinfo#"
DCTERMS = "http://purl.org/dc/terms/"
_PREFIXES = {"rs": NS, "skos": SKOS, "skosxl": XL, "lexinfo": LEXINFO, "dcterms": DCTERMS}
_LABELS = {Status.PREFERRED: "prefLabel", Status.ADMITTED: "altLabel", Status.DEPRECATED: "hiddenLabel"}


def skos(game: str, entries: Iterable[Entry]) -> bytes:
    """Turtle in UTF-8. A status is one of ISO 12620 as LexInfo names it."""
    triples = sorted({*_scheme(game), *(triple for entry in entries for triple in _entry(entry))}, key=str)
    return ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=_PREFIXES) or b""


def _scheme(game: str) -> Iterator[ox.Triple]:
    scheme = ox.NamedNode(scheme_iri(game))
    yield ox.Triple(scheme, ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{SKOS}ConceptScheme"))
    yield ox.Triple(scheme, ox.NamedNode(f"{DCTERMS}title"), ox.Literal(game))


def _entry(entry: Entry) -> Iterator[ox.Triple]:
    concept = ox.NamedNode(entry.concept)
    yield ox.Triple(concept, ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{SKOS}Concept"))
    yield ox.Triple(concept, ox.NamedNode(f"{SKOS}inScheme"), ox.NamedNode(scheme_iri(entry.game)))
    yield ox.Triple(concept, ox.NamedNode(f"{DCTERMS}type"), ox.Literal(entry.kind))
    for lang, definition in entry.definition.items():
        yield ox.Triple(concept, ox.NamedNode(f"{SKOS}definition"), ox.Literal(definition, language=lang))
    for rule in entry.defined_by:
        yield ox.Triple(concept, ox.NamedNode(f"{NS}definedBy"), ox.NamedNode(rule))
    for friend in entry.false_friends:
        yield ox.Triple(concept, ox.NamedNode(f"{SKOS}editorialNote"), ox.Literal(friend))
    for term in entry.terms:
        yield from _label(concept, term)


def _label(concept: ox.NamedNode, term: Term) -> Iterator[ox.Triple]:
    name = _LABELS[term.status]
    words = ox.Literal(term.text, language=term.lang)
    label = ox.NamedNode(f"{concept.value}#{term.lang}-{blake2b(term.text.encode(), digest_size=5).hexdigest()}")
    yield ox.Triple(concept, ox.NamedNode(f"{SKOS}{name}"), words)
    yield ox.Triple(concept, ox.NamedNode(f"{XL}{name}"), label)
    yield ox.Triple(label, ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{XL}Label"))
    yield ox.Triple(label, ox.NamedNode(f"{XL}literalForm"), words)
    status = f"{term.status.value}Term"
    yield ox.Triple(label, ox.NamedNode(f"{LEXINFO}normativeAuthorization"), ox.NamedNode(f"{LEXINFO}{status}"))
    yield ox.Triple(label, ox.NamedNode(f"{DCTERMS}provenance"), ox.Literal(WHO.get(term.authority, term.authority)))
    if term.source:
        yield ox.Triple(label, ox.NamedNode(f"{DCTERMS}source"), ox.Literal(term.source))
    if term.example:
        yield ox.Triple(label, ox.NamedNode(f"{SKOS}example"), _example(term))


def _example(term: Term) -> ox.NamedNode | ox.Literal:
    """The words where they were asked for, else the address of the rule."""
    assert term.example is not None
    words = term.example.words
    return ox.Literal(words, language=term.lang) if words else ox.NamedNode(term.example.rule)
