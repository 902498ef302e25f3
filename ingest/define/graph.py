"""The concepts of a book as a named graph of its edition: built with it, and gone with it."""

from collections.abc import Collection, Iterable, Iterator
from functools import cache

import pyoxigraph as ox

from corpus.address import NS, RDF_TYPE, SKOS, EditionKey, graph_iri, rule_iri, scheme_iri
from ingest.define.concepts import BookConcept
from ingest.define.label import form
from ontology.labels import Sort, labels

GRAPHS = "terms"
"""What the names of these graphs begin with."""
BOOK_TERM = f"{NS}BookTerm"
_PREF, _ALT = ox.NamedNode(f"{SKOS}prefLabel"), ox.NamedNode(f"{SKOS}altLabel")
_TYPE, _DEFINED_BY = ox.NamedNode(RDF_TYPE), ox.NamedNode(f"{NS}definedBy")


def quads(key: EditionKey, concepts: Iterable[BookConcept], official: Collection[str]) -> Iterator[ox.Quad]:
    """What an edition says of the concepts that it defines; `official` are the languages of its official texts."""
    graph = ox.NamedNode(graph_iri(GRAPHS, key))
    for concept in concepts:
        subject = ox.NamedNode(concept.iri)
        if not concept.shipped:
            yield ox.Quad(subject, _TYPE, ox.NamedNode(f"{SKOS}Concept"), graph)
            yield ox.Quad(subject, _TYPE, ox.NamedNode(BOOK_TERM), graph)
            yield ox.Quad(subject, ox.NamedNode(f"{SKOS}inScheme"), ox.NamedNode(scheme_iri(key.game)), graph)
            for lang, words in sorted(concept.meaning.items()):
                yield ox.Quad(subject, ox.NamedNode(f"{SKOS}definition"), ox.Literal(words, language=lang), graph)
        for locator in concept.defined_by:
            yield ox.Quad(subject, _DEFINED_BY, ox.NamedNode(rule_iri(key, locator)), graph)
        for lang, called in concept.names.items():
            for place, name in enumerate(_new(concept, lang, called)):
                kind = _ALT if place or concept.shipped else _PREF
                yield ox.Quad(subject, kind, ox.Literal(name, language=lang), graph)
                if lang in official:
                    yield ox.Quad(subject, ox.NamedNode(f"{NS}officialLabel"), ox.Literal(name, language=lang), graph)


def _new(concept: BookConcept, lang: str, called: Iterable[str]) -> list[str]:
    """The names that are no names of a shipped concept already, of several that differ in nothing that counts the first."""
    known = _named().get((concept.iri, lang), frozenset()) if concept.shipped else frozenset()
    distinct = {form(name): name for name in reversed(list(called))}
    return [distinct[label] for label in reversed(distinct) if label not in known]


@cache
def _named() -> dict[tuple[str, str], frozenset[tuple[str, ...]]]:
    """Concept and language → the names it ships with, but those of the floor."""
    known: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for label in labels():
        if label.sort is not Sort.SLANG:
            known.setdefault((label.concept, label.lang), set()).add(form(label.text))
    return {place: frozenset(forms) for place, forms in known.items()}
