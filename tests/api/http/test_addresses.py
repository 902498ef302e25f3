"""The addresses of rules, editions and concepts answer in JSON, Turtle or with a page."""

import pyoxigraph as ox
import pytest
from starlette.testclient import TestClient

from tests.support.bodies import fits

FERRY = "ferry/cr/2021-05-03"


IRI = f"https://w3id.org/rulestone/id/{FERRY}"


@pytest.mark.parametrize(
    ("path", "accept", "status", "location"),
    [
        (f"{FERRY}/101.1", "application/json", 200, None),
        (f"{FERRY}/101.1", "text/turtle", 200, None),
        (f"{FERRY}/101.1", "text/html,application/xhtml+xml,*/*;q=0.8", 200, None),
        (f"{FERRY}/101.1", "application/ld+json", 406, None),
        ("ferry/cr/latest/101.1", "text/html", 307, f"/id/{FERRY}/101.1"),
        ("ferry/cr/latest/101.1", "application/json", 307, f"/id/{FERRY}/101.1"),
        ("ferry/cr/latest", "application/json", 307, f"/id/{FERRY}"),
        (FERRY, "application/json", 200, None),
        (FERRY, "text/turtle", 200, None),
        (FERRY, "text/html", 200, None),
        ("concept/mtg/graveyard", "application/json", 200, None),
        ("concept/mtg/graveyard", "text/turtle", 200, None),
        ("concept/mtg/graveyard", "text/html", 200, None),
        ("concept/graveyard", "text/html", 200, None),
        ("concept/graveyard", "application/ld+json", 406, None),
        ("concept/mtg/search", "application/json", 308, "/id/concept/mtg/searching"),
        ("concept/mtg/search", "text/turtle", 308, "/id/concept/mtg/searching"),
        ("concept/mtg/search", "text/html", 308, "/id/concept/mtg/searching"),
        ("concept/dm/アンタップする", "text/html", 308, "/id/concept/dm/untapping"),
    ],
)
def test_addresses(client: TestClient, path: str, accept: str, status: int, location: str | None) -> None:
    response = client.get(f"/id/{path}", headers={"Accept": accept})
    assert (response.status_code, response.headers.get("location")) == (status, location)
    assert status == 406 or {"Accept", "Accept-Language"} <= set(response.headers["vary"].replace(",", " ").split())
    if location and "latest" not in path:
        assert client.get(location).status_code == 200


def test_an_address_answers_with_its_rule_or_edition(client: TestClient) -> None:
    rule = client.get(f"/id/{FERRY}/101").json()
    fits("rule", rule)
    assert rule == client.get(f"/v1/rules/{FERRY}/101").json()["rules"][0]
    assert client.get(f"/id/{FERRY}").json()["rules"] == 18


def test_an_address_answers_in_turtle(client: TestClient) -> None:
    from rdflib import RDF, Graph, Namespace, URIRef

    terms = Namespace("https://w3id.org/rulestone/ns#")
    graph = Graph().parse(data=client.get(f"/id/{FERRY}/101.2", headers={"Accept": "text/turtle"}).text, format="turtle")
    rule = URIRef(f"{IRI}/101.2")
    assert (rule, RDF.type, terms.Rule) in graph
    assert set(graph.objects(rule, terms.cites)) == {URIRef(f"{IRI}/100.1a"), URIRef(f"{IRI}/201.1")}
    assert {str(exact) for exact in graph.objects(None, terms.exact)} == {"100.1a", "201.1"}
    assert not list(graph.objects(None, terms.record))
    gloss = client.get("/id/dm/zones-summary/undated/400.3b", headers={"Accept": "text/turtle"}).text
    assert {getattr(word, "language", None) for word in Graph().parse(data=gloss, format="turtle").objects(None, terms.gloss)} >= {
        "en",
        "ja",
    }
    edition = client.get(f"/id/{FERRY}", headers={"Accept": "text/turtle"}).text
    assert (URIRef(IRI), RDF.type, terms.Edition) in Graph().parse(data=edition, format="turtle")


def test_a_concept_answers_with_its_claims(client: TestClient) -> None:
    from rdflib import RDF, SKOS, Graph, Namespace, URIRef

    terms, quotes = Namespace("https://w3id.org/rulestone/ns#"), Namespace("http://www.w3.org/ns/oa#")
    body = client.get("/id/concept/mtg/graveyard", headers={"Accept": "application/json"}).json()
    fits("concept", body)
    assert body == client.get("/v1/concepts/mtg/graveyard").json()["concepts"][0]
    turtle = client.get("/id/concept/mtg/graveyard", headers={"Accept": "text/turtle"}).text
    graph, concept = Graph().parse(data=turtle, format="turtle"), URIRef(body["concept"])
    assert (concept, RDF.type, SKOS.Concept) in graph
    claims = {claim["claim"] for of_one in body["properties"].values() for claim in of_one}
    assert set(map(str, graph.subjects(terms.subject, concept))) == claims
    supports = [support for of_one in body["properties"].values() for claim in of_one for support in claim["supports"]]
    assert {str(words) for words in graph.objects(None, quotes.exact)} == {support["quote"] for support in supports}
    assert {str(rule) for rule in graph.objects(None, quotes.hasSource)} == {support["rule"] for support in supports}


def test_the_vocabulary_comes_as_asked_for(client: TestClient) -> None:
    turtle = client.get("/ns", headers={"Accept": "text/turtle"})
    linked = client.get("/ns", headers={"Accept": "application/ld+json"})
    assert linked.headers["content-type"] == "application/ld+json"
    formats = ((turtle, ox.RdfFormat.TURTLE), (linked, ox.RdfFormat.JSON_LD))
    triples, other = ({str(quad.triple) for quad in ox.parse(body.content, format=format_)} for body, format_ in formats)
    assert triples == other
    assert len(triples) > 1000
    page = client.get("/ns", headers={"Accept": "text/html", "Accept-Language": "ja"})
    assert page.headers["content-type"].startswith("text/html")
    assert 'id="visibility"' in page.text
    assert "公開" in page.text
    assert "→ rs:comment<" in page.text and "numbers are in rs:numericValue" in page.text
