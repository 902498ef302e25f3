"""The knowledge that ships: concept schemes, claim sets, mappings and counterparts, each a named graph of its own."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import pyoxigraph as ox

from corpus.address import graph_iri
from corpus.errors import InputError
from ontology import sssom

FOLDERS = ("concepts", "claims", "values")


@cache
def graphs() -> Mapping[str, bytes]:
    """Named graph → sorted N-Quads, for every shipped file. Raises InputError that names a file which is no Turtle."""
    return dict(_graphs())


def annotates(game: str) -> bool:
    """Whether concepts of a game ship."""
    return graph_iri("concepts", game) in graphs()


def _graphs() -> Iterator[tuple[str, bytes]]:
    for folder in FOLDERS:
        place = files("ontology").joinpath("data", folder)
        for file in sorted(place.iterdir(), key=lambda file: file.name) if place.is_dir() else ():
            if file.name.endswith(".ttl"):
                graph = graph_iri(folder, file.name.removesuffix(".ttl"))
                yield graph, _nquads(file, graph)
    yield from map(sssom.graph, sssom.FOLDERS)


def _nquads(file: Traversable, graph: str) -> bytes:
    name = ox.NamedNode(graph)
    try:
        triples = ox.parse(file.read_bytes(), format=ox.RdfFormat.TURTLE)
        quads = [ox.Quad(triple.subject, triple.predicate, triple.object, name) for triple in triples]
    except SyntaxError as fault:
        raise InputError("ontology/{file} is no Turtle: {fault}; correct that line", file=file.name, fault=fault) from fault
    lines = ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""
    return b"\n".join(sorted(lines.splitlines())) + b"\n"
