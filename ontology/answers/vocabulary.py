"""What the properties of zones are called: the labels of the shipped vocabulary."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from corpus.address import NS, RDF_TYPE
from corpus.languages import canonical

_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


@cache
def property_labels() -> Mapping[str, Mapping[str, str]]:
    """Property → language → label, for every property that claims are made of; empty where no vocabulary is installed."""
    import pyoxigraph as ox

    file = files("ontology").joinpath("data", "schema.ttl")
    if not file.is_file():
        return {}
    triples = [quad.triple for quad in ox.parse(file.read_bytes(), format=ox.RdfFormat.TURTLE)]
    kind = ox.NamedNode(f"{NS}ClaimProperty")
    claimed = {one.subject for one in triples if one.predicate.value == RDF_TYPE and one.object == kind}
    found: dict[str, dict[str, str]] = {}
    for one in triples:
        if one.subject in claimed and one.predicate.value == _LABEL and isinstance(one.object, ox.Literal):
            name = str(one.subject).strip("<>").removeprefix(NS)
            found.setdefault(name, {})[canonical(one.object.language or "en")] = one.object.value
    return found
