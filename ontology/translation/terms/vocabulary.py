"""The shipped vocabulary: every term in three languages, and what the properties of zones are called."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from corpus.address import NS, OA, RDF_TYPE, SKOS, XL
from corpus.languages import canonical

if TYPE_CHECKING:
    import pyoxigraph as ox

_RDFS, _OWL = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#"
_LABEL = f"{_RDFS}label"
FILES = ("schema.ttl", "values/closed.ttl")
"""Where the terms stand whose addresses begin with the vocabulary's."""
_GROUPS = {f"{_OWL}Class": "class", f"{_OWL}ObjectProperty": "property", f"{_OWL}DatatypeProperty": "property"}
_VALUES = "value"
"""What is neither class nor property is a value: of a status, an authority, or of what claims say."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the vocabulary."""

    name: str  # behind the `#`
    group: str  # class | property | value
    labels: Mapping[str, str]  # by language
    definitions: Mapping[str, str]
    domain: str  # what it is said of, as a CURIE; "" where that is left open
    range: str  # what it says of that
    deprecated: bool


@cache
def vocabulary_terms() -> tuple[Term, ...]:
    """Every term, group by group, by name; none where no vocabulary is installed."""
    terms = [_term(name, said) for name, said in _statements().items()]
    return tuple(sorted(terms, key=lambda term: (term.group, term.name.lower())))


@cache
def property_labels() -> Mapping[str, Mapping[str, str]]:
    """Property → language → label, for every property that claims are made of; empty where no vocabulary is installed."""
    claimed = f"{NS}ClaimProperty"
    return {name: _words(said, _LABEL) for name, said in _statements().items() if claimed in _named(said, RDF_TYPE)}


_PREFIXES = {
    NS: "rs",
    SKOS: "skos",
    OA: "oa",
    XL: "skosxl",
    _RDFS: "rdfs",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://www.w3.org/2001/XMLSchema#": "xsd",
    "https://w3id.org/sssom/": "sssom",
}


def _short(iri: str) -> str:
    """An address as a CURIE, or as it is where its vocabulary is none of those used here."""
    return next((f"{prefix}:{iri.removeprefix(base)}" for base, prefix in _PREFIXES.items() if iri.startswith(base)), iri)


_Said = Mapping[str, "list[ox.NamedNode | ox.Literal]"]


def _term(name: str, said: _Said) -> Term:
    group = next((_GROUPS[kind] for kind in _named(said, RDF_TYPE) if kind in _GROUPS), _VALUES)
    domain, range_ = (next(map(_short, _named(said, f"{_RDFS}{way}")), "") for way in ("domain", "range"))
    return Term(name, group, _words(said, _LABEL), _words(said, f"{SKOS}definition"), domain, range_, f"{_OWL}deprecated" in said)


def _words(said: _Said, predicate: str) -> dict[str, str]:
    return {canonical(getattr(value, "language", None) or "en"): value.value for value in said.get(predicate, ())}


def _named(said: _Said, predicate: str) -> list[str]:
    return [value.value for value in said.get(predicate, ())]


@cache
def _statements() -> Mapping[str, _Said]:
    """Term → predicate → objects."""
    statements: dict[str, dict[str, list[ox.NamedNode | ox.Literal]]] = {}
    for subject, predicate, value in _triples():
        statements.setdefault(subject.removeprefix(NS), {}).setdefault(predicate, []).append(value)
    return statements


def _triples() -> "Iterator[tuple[str, str, ox.NamedNode | ox.Literal]]":
    import pyoxigraph as ox

    for name in FILES:
        file = files("ontology").joinpath("data", name)
        for quad in ox.parse(file.read_bytes(), format=ox.RdfFormat.TURTLE) if file.is_file() else ():
            subject, value = quad.subject, quad.object
            if isinstance(subject, ox.NamedNode) and subject.value.startswith(NS) and isinstance(value, ox.NamedNode | ox.Literal):
                yield subject.value, quad.predicate.value, value
