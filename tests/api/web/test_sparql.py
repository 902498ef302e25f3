"""The page of the graph: a form, the answer as a table, files of it, and questions to begin with."""

import re
from html import unescape

import pytest
from starlette.testclient import TestClient

from ontology.checks.questions import questions

DECK = "https://w3id.org/rulestone/id/concept/dm/deck"


def page(client: TestClient, query: str, status: int = 200, lang: str = "en", **others: str) -> str:
    answer = client.get("/sparql", params={"query": query, **others} if query else {}, headers={"Accept-Language": lang})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    return answer.text


@pytest.mark.parametrize(("lang", "words"), [("en", "Which zones may only"), ("ja", "持ち主だけ"), ("zh-Hant", "只有其拥有者")])
def test_it_begins_with_questions_that_are_answered(client: TestClient, lang: str, words: str) -> None:
    examples = re.findall(r'<li><a href="(/sparql\?query=[^"]+)" lang="[^"]+">([^<]+)', page(client, "", lang=lang))
    assert len(examples) == len(questions())
    address = next(address for address, question in examples if words in question)
    answer = client.get(unescape(address))
    assert answer.status_code == 200
    assert '<table class="solutions"' in answer.text


def test_addresses_of_ours_lead_to_their_pages_and_words_have_their_language(client: TestClient) -> None:
    html = page(
        client, f"SELECT * {{ VALUES (?a ?b ?c) {{ (<{DECK}> '山札'@ja <http://www.w3.org/2004/02/skos/core#Concept>) }} }}"
    )
    assert '<a href="/id/concept/dm/deck">concept/dm/deck</a>' in html
    assert '<td lang="ja">山札</td>' in html
    assert ">skos:Concept</span>" in html


def test_markup_in_a_query_and_in_its_answer_is_words(client: TestClient) -> None:
    html = page(client, "SELECT ('<script>x</script>' AS ?x) (<urn:x> AS ?y) {} # <img>")
    assert "<script>x" not in html
    assert "<img>" not in html
    assert "&lt;script&gt;x" in html


@pytest.mark.parametrize(
    ("query", "words"),
    [("ASK {}", "<td>true</td>"), ("ASK { <urn:a> <urn:b> <urn:c> }", "<td>false</td>"), (f"DESCRIBE <{DECK}>", "<pre")],
)
def test_every_form_of_query_has_its_answer(client: TestClient, query: str, words: str) -> None:
    assert words in page(client, query)


def test_nothing_found_is_said(client: TestClient) -> None:
    assert "Nothing found" in page(client, "SELECT * { <urn:a> <urn:b> ?c }")


def test_a_long_answer_is_cut_and_its_files_are_not(client: TestClient) -> None:
    html = page(client, "SELECT ?s { ?s ?p ?o }")
    assert "Only the first 200 are shown" in html
    file = next(address for address in re.findall(r'href="([^"]+format=csv)"', html))
    answer = client.get(unescape(file))
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.text.count("\n") > 201


def test_superseded_editions_are_a_choice(client: TestClient) -> None:
    query = "SELECT DISTINCT ?s { ?s <https://w3id.org/rulestone/ns#text> ?o }"
    assert "ferry/cr/2020-01-01/101" not in page(client, query)
    html = page(client, query, editions="all")
    assert "ferry/cr/2020-01-01/101" in html
    assert "checked" in html
    file = next(address for address in re.findall(r'href="([^"]+format=csv[^"]*)"', html))
    assert "ferry/cr/2020-01-01/101" in client.get(unescape(file)).text
    assert "expected current or all" in page(client, query, 400, editions="some")


def test_the_reason_for_a_refusal_stands_beside_the_query(client: TestClient) -> None:
    html = page(client, "SELECT * { SERVICE <urn:x> {} }", 400)
    assert 'role="alert"' in html
    assert "SERVICE &lt;urn:x&gt;" in html
