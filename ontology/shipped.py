"""The knowledge that ships: concept schemes, claim sets, mappings and counterparts, each a named graph of its own."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import pyoxigraph as ox

from corpus.address import SKOS, graph_iri
from corpus.errors import InputError
from ontology import provenance, sssom
from ontology.topics import graph as topics
from ontology.topics import rows

FOLDERS = ("concepts", "claims", "values")


@cache
def graphs() -> Mapping[str, bytes]:
    """Named graph → sorted N-Quads, for every shipped file. Raises InputError that names a file which is no Turtle."""
    return dict(_graphs())


def annotates(game: str) -> bool:
    """Whether concepts of a game ship."""
    return graph_iri("concepts", game) in graphs()


@cache
def mappings(folder: str = "mappings") -> Sequence[sssom.MappingRow]:
    """Every shipped mapping of a folder: those in its files, then those that follow from the topics."""
    written, games = sssom.tables(folder), {lang: comparison()[lang]["games"] for lang in rows.COMMENTS}
    more = rows.counterparts(written, games) if folder == "counterparts" else rows.mappings(written, games, _names().__getitem__)
    return [*written, *more]


@cache
def comparison() -> Mapping[str, Any]:
    """The sentences of a comparison by language, and the properties that are compared."""
    return tomllib.loads(files("ontology").joinpath("data/comparison.toml").read_text(encoding="utf-8"))


@cache
def _names() -> Mapping[str, str]:
    """Concept → its preferred name in English."""
    concepts = (lines for graph, lines in (*_files().items(), *topics.graphs()) if graph.startswith(graph_iri("concepts", "")))
    quads = (quad for lines in concepts for quad in ox.parse(lines, format=ox.RdfFormat.N_QUADS))
    named = ((quad.subject, quad.object) for quad in quads if quad.predicate.value == f"{SKOS}prefLabel")
    return {node.value: name.value for node, name in named if isinstance(node, ox.NamedNode) and name.language == "en"}


def _graphs() -> Iterator[tuple[str, bytes]]:
    claimed = {**_files(), **dict(topics.graphs())}
    yield from claimed.items()
    described = ox.parse(files("ontology").joinpath("data/provenance.ttl").read_bytes(), format=ox.RdfFormat.TURTLE)
    yield provenance.GRAPH, provenance.provenance((quad.triple for quad in described), claimed)
    yield from (sssom.graph(folder, mappings(folder)) for folder in sssom.FOLDERS)


@cache
def _files() -> Mapping[str, bytes]:
    lines: dict[str, bytes] = {}
    for folder in FOLDERS:
        place = files("ontology").joinpath("data", folder)
        for file in sorted(place.iterdir(), key=lambda file: file.name) if place.is_dir() else ():
            if file.name.endswith(".ttl"):
                graph = graph_iri(folder, file.name.removesuffix(".ttl"))
                lines[graph] = _nquads(file, graph)
    return lines


def _nquads(file: Traversable, graph: str) -> bytes:
    name = ox.NamedNode(graph)
    try:
        triples = ox.parse(file.read_bytes(), format=ox.RdfFormat.TURTLE)
        quads = [ox.Quad(triple.subject, triple.predicate, triple.object, name) for triple in triples]
    except SyntaxError as fault:
        raise InputError("ontology/{file} is no Turtle: {fault}; correct that line", file=file.name, fault=fault) from fault
    lines = ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""
    return b"\n".join(sorted(lines.splitlines())) + b"\n"
