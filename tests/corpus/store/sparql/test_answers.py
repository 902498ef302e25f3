"""Every form of query is answered over all graphs, in every type, and cut where it is long; nothing is written."""

import csv
import json
from typing import Any, cast

import pyoxigraph as ox
import pytest
import rdflib

from corpus.errors import NotAcceptableError
from corpus.media import CSV, GRAPH_MEDIA, RESULTS_JSON, TABLE_MEDIA
from corpus.store.engine import Store
from corpus.store.sparql.evaluate import FORMATS, evaluate
from corpus.store.sparql.question import SparqlAnswer, SparqlQuestion

ONE, TWO = '<urn:s> <urn:p> "ferry"@en <urn:g> .\n', "<urn:s> <urn:q> <urn:o> <urn:h> .\n"


@pytest.fixture(scope="module")
def store() -> Store:
    store = Store()
    store.load((ONE + TWO).encode())
    store.flush()
    return store


@pytest.mark.parametrize(
    ("query", "positive", "body"),
    [
        ("SELECT ?a ?b { <urn:s> <urn:p> ?a ; <urn:q> ?b }", True, '?a\t?b\n"ferry"@en\t<urn:o>\n'),
        ("SELECT ?a { <urn:s> <urn:none> ?a }", False, "?a\n"),
        ("SELECT ?g { GRAPH ?g { ?s <urn:p> ?o } }", True, "?g\n<urn:g>\n"),
        ("SELECT ?o FROM <urn:h> { ?s ?p ?o }", True, "?o\n<urn:o>\n"),
        ("SELECT (1/0 AS ?x) {}", True, "?x\n\n"),
        ("ASK { ?s <urn:p> ?o }", True, "true\n"),
        ("ASK { ?s <urn:none> ?o }", False, "false\n"),
        ("CONSTRUCT { ?o <urn:of> ?s } { ?s <urn:q> ?o }", True, "<urn:o> <urn:of> <urn:s> .\n"),
        ("CONSTRUCT { ?o <urn:of> ?s } { ?s <urn:none> ?o }", False, ""),
        ("DESCRIBE <urn:s>", True, '<urn:s> <urn:p> "ferry"@en .\n<urn:s> <urn:q> <urn:o> .\n'),
    ],
)
def test_answers(store: Store, query: str, positive: bool, body: str) -> None:
    answer, response = answer_and_body(store, query)
    assert (answer.found, response) == (positive, body)


@pytest.mark.parametrize(
    ("query", "positive", "body"),
    [
        ("ASK { ?s <urn:none> ?o }", False, {"head": {}, "boolean": False}),
        (
            "SELECT ?a { <urn:s> <urn:p> ?a }",
            True,
            {"head": {"vars": ["a"]}, "results": {"bindings": [{"a": {"type": "literal", "value": "ferry", "xml:lang": "en"}}]}},
        ),
        ("SELECT ?a { <urn:s> <urn:none> ?a }", False, {"head": {"vars": ["a"]}, "results": {"bindings": []}}),
    ],
)
def test_answers_in_json(store: Store, query: str, positive: bool, body: object) -> None:
    answer, response = answer_and_body(store, query, media=(RESULTS_JSON,))
    assert (answer.found, json.loads(response)) == (positive, body)


def test_triples_have_no_json(store: Store) -> None:
    with pytest.raises(NotAcceptableError, match="triples, which are available as text/turtle"):
        answer_and_body(store, "DESCRIBE <urn:s>", media=(RESULTS_JSON,))


MANY = (
    'SELECT ?s ?t (?s + 1 AS ?u) ("a\\tb\\n"@en AS ?v) { VALUES ?s { '
    + " ".join(map(str, range(1234)))
    + " } OPTIONAL { ?s ?t 1 } }"
)


@pytest.mark.parametrize("media", TABLE_MEDIA)
@pytest.mark.parametrize("query", ["SELECT * { VALUES (?a ?b) {} }", "SELECT * { VALUES ?a { UNDEF } }", MANY])
def test_assembled_answers_equal_those_of_the_engine(media: str, query: str) -> None:
    store = Store()
    _, response = answer_and_body(store, query, media=(media,))
    whole = cast(ox.QuerySolutions, store.ask(query)).serialize(format=FORMATS[media])
    assert response.rstrip("\n") == (whole or b"").decode().rstrip("\n")


@pytest.mark.parametrize(("query", "rows"), [("SELECT * {}", 1), ("SELECT * { FILTER(false) }", 0)])
def test_solutions_without_variables(store: Store, query: str, rows: int) -> None:
    answer, response = answer_and_body(store, query, media=(RESULTS_JSON,))
    assert (answer.found, json.loads(response)["results"]["bindings"]) == (rows > 0, [{}] * rows)


@pytest.mark.parametrize(
    ("rows", "size", "row_count", "cut"),
    [
        (None, None, 1234, None),
        (1234, None, 1234, None),
        (1233, None, 1233, "rows"),
        (1, None, 1, "rows"),
        (None, 20_000, 178, "bytes"),
    ],
)
@pytest.mark.parametrize("media", TABLE_MEDIA)
def test_long_answers_are_truncated_and_well_formed(
    media: str, rows: int | None, size: int | None, row_count: int, cut: str | None
) -> None:
    answer, response = answer_and_body(Store(), MANY, media=(media,), rows=rows, size=size)
    assert (answer.rows, answer.truncated_by) == (row_count, cut)
    parsed = (
        ox.parse_query_results(input=response, format=FORMATS[media]) if media != CSV else csv.reader(response.splitlines()[1:])
    )
    assert media == CSV or sum(1 for _ in cast(ox.QuerySolutions, parsed)) == row_count


@pytest.mark.parametrize("media", GRAPH_MEDIA)
def test_triples_are_cut_too(store: Store, media: str) -> None:
    answer, response = answer_and_body(store, "DESCRIBE <urn:s>", media=(media,), rows=1)
    assert (answer.rows, answer.truncated_by) == (1, "rows")
    assert len(rdflib.Graph().parse(data=response, format="turtle")) == 1


@pytest.mark.parametrize(
    ("default", "named_graphs", "values"),
    [
        ((), (), {"ferry", "urn:o"}),
        (("urn:g",), (), {"ferry"}),
        (("urn:g", "urn:h"), (), {"ferry", "urn:o"}),
        ((), ("urn:h",), set()),
    ],
)
def test_a_dataset_that_is_given_stands_in_the_place_of_from(
    store: Store, default: tuple[str, ...], named_graphs: tuple[str, ...], values: set[str]
) -> None:
    for clause in ("", "FROM <urn:h>") if default or named_graphs else ("",):
        _, response = answer_and_body(
            store, f"SELECT ?o {clause} {{ ?s ?p ?o }}", media=(CSV,), default_graphs=default, named_graphs=named_graphs
        )
        assert set(response.split()[1:]) == values


def answer_and_body(store: Store, query: str, **options: Any) -> tuple[SparqlAnswer, str]:  # noqa: ANN401
    pieces: list[bytes] = []
    answer = evaluate(store, SparqlQuestion(query, **options), pieces.append)
    return answer, b"".join(pieces).decode()
