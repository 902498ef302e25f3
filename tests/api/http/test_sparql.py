"""`/sparql`: the tests of the W3C for the SPARQL 1.1 Protocol that fit an endpoint which is only read, and what is ours beside it.

https://www.w3.org/2009/sparql/docs/tests/data-sparql11/protocol/
"""

import csv
import json
from pathlib import Path
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import httpx2
import pyshacl
import pytest
import rdflib
from starlette.testclient import TestClient

from api.http.routes import linked_data
from corpus.media import CSV, NTRIPLES, RESULTS_JSON, RESULTS_XML, TSV, TURTLE
from rulestone.limits import SPARQL_LIMITS

FORM, QUERY, UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
GRAPHS = [f"https://w3id.org/rulestone/graph/ferry/cr/{edition}/records" for edition in ("2020-01-01", "2021-05-03")]
LOCATOR = "<https://w3id.org/rulestone/ns#locator>"
COUNT = f"SELECT (COUNT(?rule) AS ?n) {{ ?rule {LOCATOR} ?locator }}"
ALL = ("editions", "all")
NAMED = f"SELECT ?g (COUNT(?rule) AS ?n) {{ GRAPH ?g {{ ?rule {LOCATOR} ?locator }} }} GROUP BY ?g"


def get(client: TestClient, query: str, accept: str = RESULTS_JSON, **more: str) -> httpx2.Response:
    return query_response(client, ("query", query), *more.items(), accept=accept)


def query_response(client: TestClient, *pairs: tuple[str, str], accept: str = RESULTS_JSON) -> httpx2.Response:
    return client.get(f"/sparql?{urlencode(pairs)}", headers={"Accept": accept})


def post(client: TestClient, body: str | bytes, media: str, path: str = "/sparql", accept: str = RESULTS_JSON) -> httpx2.Response:
    return client.post(path, content=body, headers={"Content-Type": media, "Accept": accept})


def count(answer: httpx2.Response) -> int:
    assert answer.status_code == 200, answer.text
    return int(answer.json()["results"]["bindings"][0]["n"]["value"])


def test_superseded_editions_are_asked_for(client: TestClient) -> None:
    graphs = {row["g"]["value"] for row in get(client, NAMED).json()["results"]["bindings"]}
    assert (GRAPHS[0] in graphs, GRAPHS[1] in graphs) == (False, True)
    everything = query_response(client, ALL, ("query", NAMED)).json()["results"]["bindings"]
    assert {row["g"]["value"] for row in everything} == graphs | {GRAPHS[0], GRAPHS[0].replace("records", "en")}


@pytest.mark.parametrize(
    ("query", "accept", "media"),
    [
        ("SELECT * {} LIMIT 1", "*/*", RESULTS_JSON),
        ("SELECT * {} LIMIT 1", RESULTS_XML, RESULTS_XML),
        ("SELECT ?s { ?s ?p ?o } LIMIT 1", CSV, f"{CSV}; charset=utf-8"),
        ("SELECT ?s { ?s ?p ?o } LIMIT 1", TSV, f"{TSV}; charset=utf-8"),
        ("ASK {}", f"{CSV};q=0.5, {RESULTS_XML}", RESULTS_XML),
        ("ASK {}", "application/json", RESULTS_JSON),
        ("ASK {}", "*/*", RESULTS_JSON),
        ("CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1", "*/*", f"{TURTLE}; charset=utf-8"),
        ("CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1", f"{RESULTS_JSON}, {NTRIPLES};q=0.1", NTRIPLES),
        ("DESCRIBE <https://w3id.org/rulestone/id/concept/dm/deck>", TURTLE, f"{TURTLE}; charset=utf-8"),
    ],
)
def test_query_content_types(client: TestClient, query: str, accept: str, media: str) -> None:
    """query_content_type_select, query_content_type_ask, query_content_type_describe, query_content_type_construct."""
    answer = get(client, query, accept)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media)
    assert "Accept" in answer.headers["vary"]
    kind = media.partition(";")[0]
    if kind == RESULTS_XML:
        assert ET.fromstring(answer.content).tag == "{http://www.w3.org/2005/sparql-results#}sparql"
    elif kind == RESULTS_JSON:
        json.loads(answer.content)
    elif kind in (TURTLE, NTRIPLES):
        rdflib.Graph().parse(data=answer.text, format="turtle")
    else:
        assert len(list(csv.reader(answer.text.splitlines()))) == 2


@pytest.mark.parametrize(
    ("body", "media", "status", "words"),
    [
        ("", FORM, 400, "missing: query"),
        ("query=ASK%20%7B%7D&query=ASK%20%7B%7D", FORM, 400, "given more than once"),
        ("query=ASK%20%7B%7D&limit=5", FORM, 400, "has no parameter limit"),
        ("query=ASK%20%7B%7D&editions=newest", FORM, 400, "editions"),
        ("query=ASK%20%7B%7D&editions=all&editions=all", FORM, 400, "given more than once"),
        ("update=DROP%20ALL", FORM, 400, "read-only"),
        ("query=ASK%20%7B%7D&update=DROP%20ALL", FORM, 400, "read-only"),
        ("query=DROP%20ALL", FORM, 400, "DROP is an update"),
        ("DROP ALL", UPDATE, 400, "read-only"),
        ("ASK {}", "text/plain", 415, "a query must be sent as"),
        ("ASK {}", "", 415, "a query must be sent as"),
        (b"ASK { ?s ?p '\xff' }", QUERY, 400, "not UTF-8 text"),
        ("ASK { ?s", QUERY, 400, "not well-formed"),
        ("ASK { SERVICE:x {} }", QUERY, 400, "SERVICE"),
        ("x" * 70_000, QUERY, 400, "more than 64 KiB"),
        ("x" * 300_000, QUERY, 413, "more than 64 KiB"),
        ("SELECT * " + "{" * 5000 + "}" * 5000, QUERY, 400, "nested too deeply"),
    ],
)
def test_bad_requests(client: TestClient, body: str | bytes, media: str, status: int, words: str) -> None:
    """bad_multiple_queries, bad_query_wrong_media_type, bad_query_missing_form_type, bad_query_missing_direct_type.

    Also bad_query_non_utf8, bad_query_syntax, and of the updates those that an endpoint without them may be asked.
    """
    answer = post(client, body, media)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert words in answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "accept", "status"),
    [
        ("/sparql?query=ASK%20%7B%7D", "image/png", 406),
        ("/sparql?query=ASK%20%7B%7D", TURTLE, 406),
        ("/sparql?query=ASK%20%7B%7D&format=turtle", "*/*", 406),
        ("/sparql?query=ASK%20%7B%7D&format=pdf", "*/*", 400),
        ("/sparql?query=ASK%20%7B%7D&default-graph-uri=not%20an%20address", "*/*", 400),
        ("/sparql?quary=ASK%20%7B%7D", "*/*", 400),
        ("/sparql?query=ASK%20%7B%7D&editions=2020-01-01", "*/*", 400),
        ("/sparql?query=ASK%20%7B%7D&editions=", "*/*", 400),
        ("/sparql?query=", "*/*", 400),
    ],
)
def test_unavailable_answers(client: TestClient, path: str, accept: str, status: int) -> None:
    answer = client.get(path, headers={"Accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_a_form_says_it_in_the_place_of_accept(client: TestClient) -> None:
    assert get(client, "ASK {}", "text/html", format="xml").headers["content-type"] == RESULTS_XML


def test_an_answer_that_was_cut_says_so(client: TestClient) -> None:
    query = "SELECT ?a { ?a ?b ?c . ?d ?e ?f }"
    answer = get(client, query)
    assert answer.headers["rulestone-truncated"] == "rows"
    assert len(answer.json()["results"]["bindings"]) == SPARQL_LIMITS.rows
    assert "rulestone-truncated" not in get(client, f"{query} LIMIT 5").headers


def test_at_the_query_limit_the_reply_says_when_to_retry(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linked_data, "_MAX_QUEUED", 0)
    answer = get(client, "ASK {}")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")


SHAPES = Path(__file__).parents[2] / "cases" / "described.ttl"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/.well-known/void", "http://rdfs.org/ns/void#Dataset"),
        ("/sparql", "http://www.w3.org/ns/sparql-service-description#Service"),
    ],
)
def test_it_describes_itself(client: TestClient, path: str, kind: str) -> None:
    answer = client.get(path, headers={"Accept": TURTLE})
    assert (answer.status_code, answer.headers["content-type"]) == (200, f"{TURTLE}; charset=utf-8")
    graph = rdflib.Graph().parse(data=answer.text, format="turtle", publicID=f"https://rules.example.org{path}")
    assert list(graph.subjects(rdflib.RDF.type, rdflib.URIRef(kind)))
    endpoint = rdflib.URIRef("https://rules.example.org/sparql")
    assert endpoint in set(graph.subjects()) | set(graph.objects())
    conforms, _, report = pyshacl.validate(graph, shacl_graph=rdflib.Graph().parse(SHAPES))
    assert conforms, report


def test_the_counts_are_those_of_the_graph(client: TestClient) -> None:
    void = rdflib.Graph().parse(data=client.get("/.well-known/void").text, format="turtle", publicID="https://x.example/void")
    triples = void.value(rdflib.URIRef("https://x.example/void#data"), rdflib.URIRef("http://rdfs.org/ns/void#triples"))
    assert int(str(triples)) == count(get(client, "SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }"))
