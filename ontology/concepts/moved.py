"""Concepts that were moved to another address: former addresses redirect permanently."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from corpus.address import DCTERMS


@cache
def moved_concepts() -> Mapping[str, str]:
    """Former IRI of a concept → its IRI, from `data/concepts/moved.ttl`."""
    import pyoxigraph as ox

    triples = ox.parse(files("ontology").joinpath("data/concepts/moved.ttl").read_bytes(), format=ox.RdfFormat.TURTLE)
    return {
        triple.subject.value: triple.object.value
        for triple in triples
        if triple.predicate.value == f"{DCTERMS}isReplacedBy"
        and isinstance(triple.subject, ox.NamedNode)
        and isinstance(triple.object, ox.NamedNode)
    }
