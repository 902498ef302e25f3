"""The knowledge base as an RDF graph: SPARQL queries, and the descriptions of the data set (VoID) and of the endpoint.

Addresses of this server are relative, so that the description is valid on any host and does not depend on the `Host` header.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from corpus.address import BASE, RS
from corpus.media import GRAPH_MEDIA, NTRIPLES, TABLE_MEDIA, TSV
from rulestone.library.base import LibraryBase

if TYPE_CHECKING:
    import pyoxigraph as ox

    from corpus.store.sparql.question import SparqlAnswer
    from ontology.checks.questions import Question as Example
    from ontology.knowledge import Knowledge

VOID_PATH, ENDPOINT = "/.well-known/void", "/sparql"
_BASE_PLACEHOLDER = "here://here.invalid"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_PREFIXES = {
    "void": "http://rdfs.org/ns/void#",
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "formats": "http://www.w3.org/ns/formats/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "rdf": _RDF,
    "rs": RS,
}
_FORMATS = {
    **dict(
        zip(TABLE_MEDIA, ("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV"), strict=True)
    ),
    **dict(zip(GRAPH_MEDIA, ("Turtle", "N-Triples"), strict=True)),
}
_VOCABULARIES = (RS, "http://www.w3.org/2004/02/skos/core#", "http://www.w3.org/ns/oa#", "http://www.w3.org/ns/prov#")
_COUNTS_QUERY = "SELECT ?name (COUNT(DISTINCT ?one) AS ?count) { GRAPH ?graph { ?one a ?name } } GROUP BY ?name"
_GRAPHS_QUERY = "SELECT ?name (COUNT(*) AS ?count) { GRAPH ?name { ?s ?p ?o } } GROUP BY ?name"

Facts = Iterator[tuple[str, str, object]]


class GraphMixin(LibraryBase):
    """Answers SPARQL queries, and describes the data set and its endpoint."""

    def sparql(
        self,
        query: str,
        *,
        media: Sequence[str] = (TSV, NTRIPLES),
        default_graphs: Sequence[str] = (),
        named_graphs: Sequence[str] = (),
        rows: int | None = None,
        size: int | None = None,
        seconds: float = 60,
        editions: str = "current",
        write: Callable[[bytes], object] | None = None,
    ) -> "SparqlAnswer":
        """The answer to a SPARQL 1.1 query as `found`, `media`, `rows`, `cut` and `body`.

        `media` are the accepted types, the preferred one first: those of SPARQL results for SELECT and ASK, Turtle or N-Triples for
        CONSTRUCT and DESCRIBE. `default_graphs` and `named_graphs` are the dataset, in place of FROM. The result is truncated
        after `rows` solutions or triples, or `size` bytes of them. With `write` the body is streamed there. A separate process
        evaluates the query and is killed after `seconds` or at 512 MB.

        `editions` is `current`, or `all` for superseded editions and the steps between editions too; the first query with `all`
        writes a store for it into the bundle, once (docs/operations.md). Raises InputError for a syntax error, an update, SERVICE
        or a query that costs too much, BusyError if too many queries are running or that store is being written, EnvironmentFault
        if it cannot be written.
        """
        from corpus.store.sparql.question import SparqlQuestion

        question = SparqlQuestion(query, tuple(media), tuple(default_graphs), tuple(named_graphs), rows, size)
        bundle = self._bundle()
        if write is not None:
            return bundle.querying.ask(question, seconds, write, editions)
        pieces: list[bytes] = []
        answer = bundle.querying.ask(question, seconds, pieces.append, editions)
        return replace(answer, body=b"".join(pieces))

    def examples(self) -> "Sequence[Example]":
        """Example questions in three languages, each with its query and the answer from the shipped data."""
        from ontology.checks.questions import questions

        return questions()

    def void(self) -> bytes:
        """The description of the data set (https://www.w3.org/TR/void/) in Turtle: its size, its parts, and its endpoint.

        Like the endpoint's default, triples, classes and graphs are those of the current editions.
        """
        bundle = self._bundle()
        triples = sum(count for _, count in _graphs(bundle.knowledge))
        facts = [
            *_dataset_triples(triples),
            *_class_partitions(_class_counts(bundle.knowledge)),
            *_edition_triples(bundle.knowledge),
        ]
        return _turtle(facts, VOID_PATH)

    def service(self) -> bytes:
        """The description of the endpoint (https://www.w3.org/TR/sparql11-service-description/) in Turtle."""
        bundle = self._bundle()
        return _turtle([*_service_triples(), *_named_graph_triples(_graphs(bundle.knowledge))], ENDPOINT)


def _graphs(knowledge: "Knowledge") -> list[tuple[str, int]]:
    """The named graphs with their numbers of triples."""
    graphs: list[tuple[str, int]] = knowledge.cached("graphs", lambda: _counts(knowledge, _GRAPHS_QUERY))
    return graphs


def _class_counts(knowledge: "Knowledge") -> list[tuple[str, int]]:
    """The classes with their numbers of instances."""
    classes: list[tuple[str, int]] = knowledge.cached("classes", lambda: _counts(knowledge, _COUNTS_QUERY))
    return classes


def _counts(knowledge: "Knowledge", query: str) -> list[tuple[str, int]]:
    """The counts of a query, sorted by name."""
    return sorted((row["name"], int(row["count"])) for row in knowledge.store.select(query))


_DATASET_IRI = f"{_BASE_PLACEHOLDER}{VOID_PATH}#data"


def _dataset_triples(triples: int) -> Facts:
    yield _DATASET_IRI, "rdf:type", "void:Dataset"
    yield _DATASET_IRI, "dcterms:title", ("Rulestone: rules of trading card games", "en")
    yield (
        *(_DATASET_IRI, "dcterms:description"),
        ("Rules with permanent addresses, concepts, claims with their proofs, and what answers what in another game", "en"),
    )
    yield _DATASET_IRI, "void:sparqlEndpoint", f"{_BASE_PLACEHOLDER}{ENDPOINT}"
    yield _DATASET_IRI, "void:uriSpace", (BASE, None)
    yield _DATASET_IRI, "void:triples", triples
    yield _DATASET_IRI, "void:exampleResource", f"{BASE}id/concept/dm/deck"
    yield from ((_DATASET_IRI, "void:vocabulary", vocabulary) for vocabulary in _VOCABULARIES)
    yield from ((_DATASET_IRI, "void:feature", f"formats:{_FORMATS[kind]}") for kind in GRAPH_MEDIA)
    about = f"{_BASE_PLACEHOLDER}{VOID_PATH}"
    yield about, "rdf:type", "void:DatasetDescription"
    yield about, "foaf:primaryTopic", _DATASET_IRI


def _class_partitions(counts: Sequence[tuple[str, int]]) -> Facts:
    for number, (name, count) in enumerate(counts):
        part = f"{_DATASET_IRI}-class-{number}"
        yield _DATASET_IRI, "void:classPartition", part
        yield part, "void:class", name
        yield part, "void:entities", count


def _edition_triples(knowledge: "Knowledge") -> Facts:
    for edition in knowledge.editions():
        yield _DATASET_IRI, "void:subset", edition["iri"]
        yield edition["iri"], "rdf:type", "void:Dataset"
        yield edition["iri"], "dcterms:title", (f"{edition['title']} {edition['edition']}", None)
        yield edition["iri"], "void:entities", edition["rules"]
        yield from ((edition["iri"], "dcterms:language", (text["lang"], None)) for text in edition["languages"])


def _service_triples() -> Facts:
    endpoint = f"{_BASE_PLACEHOLDER}{ENDPOINT}"
    yield endpoint, "rdf:type", "sd:Service"
    yield endpoint, "sd:endpoint", endpoint
    yield endpoint, "sd:supportedLanguage", "sd:SPARQL11Query"
    yield endpoint, "sd:feature", "sd:UnionDefaultGraph"
    yield from ((endpoint, "sd:resultFormat", f"formats:{kind}") for kind in _FORMATS.values())
    yield endpoint, "sd:defaultDataset", f"{endpoint}#dataset"
    yield f"{endpoint}#dataset", "rdf:type", "sd:Dataset"
    yield f"{endpoint}#dataset", "sd:defaultGraph", f"{endpoint}#union"
    yield f"{endpoint}#union", "rdf:type", "sd:Graph"


def _named_graph_triples(graphs: Sequence[tuple[str, int]]) -> Facts:
    dataset = f"{_BASE_PLACEHOLDER}{ENDPOINT}#dataset"
    for number, (name, count) in enumerate(graphs):
        graph_name, graph = f"{_BASE_PLACEHOLDER}{ENDPOINT}#named-{number}", f"{_BASE_PLACEHOLDER}{ENDPOINT}#graph-{number}"
        yield dataset, "sd:namedGraph", graph_name
        yield graph_name, "rdf:type", "sd:NamedGraph"
        yield graph_name, "sd:name", name
        yield graph_name, "sd:graph", graph
        yield graph, "rdf:type", "sd:Graph"
        yield graph, "void:triples", count


def _turtle(facts: Sequence[tuple[str, str, object]], path: str) -> bytes:
    import pyoxigraph as ox

    triples = [ox.Triple(_named_node(subject), _named_node(name), _rdf_term(value)) for subject, name, value in facts]
    base = f"{_BASE_PLACEHOLDER}{path}"
    whole = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=_PREFIXES, base_iri=base) or b""
    return whole.removeprefix(f"@base <{base}> .\n".encode())


def _named_node(name: str) -> "ox.NamedNode":
    import pyoxigraph as ox

    prefix, _, local = name.partition(":")
    return ox.NamedNode(_PREFIXES[prefix] + local if prefix in _PREFIXES else name)


def _rdf_term(value: object) -> "ox.NamedNode | ox.Literal":
    """An address, a number, or words with their language."""
    import pyoxigraph as ox

    if isinstance(value, int):
        return ox.Literal(value)
    if isinstance(value, tuple):
        return ox.Literal(value[0], language=value[1])
    return _named_node(str(value))
