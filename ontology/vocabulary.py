"""The shipped vocabulary: its terms in three languages, the names of claim properties, and the sentences of comparisons."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import pyoxigraph as ox

from corpus.address import DCTERMS, OA, RDF_TYPE, RS, SKOS, XL
from corpus.data_files import read_toml
from corpus.languages import canonical_tag

_RDFS, _OWL = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#"
_RDF = RDF_TYPE.removesuffix("type")
_LABEL = f"{_RDFS}label"
VOCABULARY_FILES = ("schema.ttl", "values/closed.ttl")
"""The files that describe terms of the vocabulary."""
_PROPERTIES = (f"{_OWL}ObjectProperty", f"{_OWL}DatatypeProperty", f"{_RDF}Property")
_GROUP_BY_TYPE = {f"{_OWL}Class": "class"} | dict.fromkeys(_PROPERTIES, "property")
_VALUE_GROUP = "value"
"""The group of individuals: statuses, authorities, closed values of claims."""
_PREFIXES = {
    RS: "rs",
    SKOS: "skos",
    OA: "oa",
    XL: "skosxl",
    _RDFS: "rdfs",
    _RDF: "rdf",
    DCTERMS: "dcterms",
    "http://www.w3.org/2001/XMLSchema#": "xsd",
    "https://w3id.org/sssom/": "sssom",
}
_Objects = Mapping[str, list[ox.NamedNode | ox.Literal]]
"""Predicate → objects, of one term."""


@dataclass(frozen=True, slots=True)
class VocabularyTerm:
    """A term of the vocabulary."""

    name: str  # after the `#`
    group: str  # class | property | value
    labels: Mapping[str, str]  # by language
    definitions: Mapping[str, str]
    domain: str  # rdfs:domain as a CURIE, or ""
    range: str  # rdfs:range as a CURIE, or ""
    deprecated: bool
    replaced_by: str  # name of the term that replaces it, or ""
    change: str  # in English: the change and its date, or ""


@cache
def vocabulary_terms() -> tuple[VocabularyTerm, ...]:
    """Every term, group by group, sorted by name; none if the vocabulary's files are missing."""
    terms = [_term(name, objects) for name, objects in _term_descriptions().items()]
    return tuple(sorted(terms, key=lambda term: (term.group, term.name.lower())))


@cache
def property_labels() -> Mapping[str, Mapping[str, str]]:
    """Property → language → label, for every claim property; empty if the vocabulary's files are missing."""
    terms, claim_property = _term_descriptions(), f"{RS}ClaimProperty"
    properties = {name: objects for name, objects in terms.items() if claim_property in _values(objects, RDF_TYPE)}
    return {name: _words_by_language(objects, _LABEL) for name, objects in properties.items()}


def comparison_words() -> Mapping[str, Any]:
    """`data/comparison.toml`: the properties that comparisons cover, and by language their sentences and the names of games."""
    words: Mapping[str, Any] = read_toml("ontology", "comparison.toml")
    return words


def _term(name: str, objects: _Objects) -> VocabularyTerm:
    group = next((_GROUP_BY_TYPE[kind] for kind in _values(objects, RDF_TYPE) if kind in _GROUP_BY_TYPE), _VALUE_GROUP)
    domain, range_ = (next(map(_shorten_iri, _values(objects, f"{_RDFS}{side}")), "") for side in ("domain", "range"))
    labels, definitions = _words_by_language(objects, _LABEL), _words_by_language(objects, f"{SKOS}definition")
    replaced_by = next(iter(_values(objects, f"{DCTERMS}isReplacedBy")), "").removeprefix(RS)
    change = " ".join(sorted(_values(objects, f"{SKOS}changeNote")))
    return VocabularyTerm(name, group, labels, definitions, domain, range_, f"{_OWL}deprecated" in objects, replaced_by, change)


def _shorten_iri(iri: str) -> str:
    """An IRI as a CURIE, or as it is without a known prefix."""
    return next((f"{prefix}:{iri.removeprefix(base)}" for base, prefix in _PREFIXES.items() if iri.startswith(base)), iri)


def _words_by_language(objects: _Objects, predicate: str) -> dict[str, str]:
    return {canonical_tag(getattr(value, "language", None) or "en"): value.value for value in objects.get(predicate, ())}


def _values(objects: _Objects, predicate: str) -> list[str]:
    return [value.value for value in objects.get(predicate, ())]


@cache
def _term_descriptions() -> Mapping[str, _Objects]:
    """Term → the statements of its file."""
    descriptions: dict[str, dict[str, list[ox.NamedNode | ox.Literal]]] = {}
    for subject, predicate, value in _triples():
        descriptions.setdefault(subject.removeprefix(RS), {}).setdefault(predicate, []).append(value)
    return descriptions


def _triples() -> Iterator[tuple[str, str, ox.NamedNode | ox.Literal]]:
    for name in VOCABULARY_FILES:
        file = files("ontology").joinpath("data", name)
        for quad in ox.parse(file.read_bytes(), format=ox.RdfFormat.TURTLE) if file.is_file() else ():
            subject, value = quad.subject, quad.object
            if isinstance(subject, ox.NamedNode) and subject.value.startswith(RS) and isinstance(value, ox.NamedNode | ox.Literal):
                yield subject.value, quad.predicate.value, value
