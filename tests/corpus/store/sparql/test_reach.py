"""Which queries may ask for what the store does not have of superseded editions."""

import pytest

from corpus.address import RS
from corpus.store.sparql.querying import may_reach_derived
from ontology.checks.questions import questions

PREFIX = f"PREFIX rs: <{RS}> "


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p ?o }",
        "SELECT * { GRAPH ?g { ?s ?p ?o } }",
        "SELECT * { GRAPH ?g { } }",
        "SELECT * { ?s rs:text ?o }",
        "SELECT * { ?s rs:hub/rs:cites ?o }",
        "SELECT * { ?s rs:hub* ?o }",
        "SELECT * { ?s rs:hub? ?o }",
        "SELECT * { ?s !rs:hub ?o }",
        "SELECT * { ?s ^rs:text ?o }",
        "SELECT * { ?s rs:hub|rs:text ?o }",
        "SELECT * { ?s a rs:Rule }",
        "SELECT * { ?s a ?class }",
        "SELECT * { ?s rs:hub ?o . ?o a rs:Zone, ?other }",
        "SELECT * { ?s rs:hub ?o FILTER NOT EXISTS { ?o rs:text ?t } }",
        "SELECT * { ?s rs:hub ?o FILTER EXISTS { { ?x ?y ?z } UNION { ?s rs:hub ?o } } }",
        "SELECT * { ?s rs:hub ?o MINUS { ?s rs:text ?t } }",
        "SELECT * { { SELECT ?s { ?s rs:text ?t } } ?s rs:hub ?o }",
        "SELECT * { ?s rs:hub ?o OPTIONAL { ?s rs:text ?t } }",
        "SELECT (EXISTS { ?s rs:text ?t } AS ?there) { ?s rs:hub ?o }",
        "SELECT ?s { ?s rs:hub ?o } ORDER BY EXISTS { ?s rs:text ?t }",
        "SELECT ?s { ?s rs:hub ?o } GROUP BY ?s HAVING (EXISTS { ?s rs:text ?t })",
        "SELECT * { ?s rs:hub [ rs:text ?t ] }",
        "CONSTRUCT WHERE { ?s rs:text ?o }",
        "DESCRIBE <urn:a>",
        "ASK { ?s rs:text ?o }",
    ],
)
def test_queries_that_may_reach_derived_statements(query: str) -> None:
    assert may_reach_derived(PREFIX + query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s rs:hub ?o }",
        "SELECT * { ?s rs:hub+/^rs:hub ?o ; a rs:Zone FILTER NOT EXISTS { ?o rs:note ?n } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s rs:hub ?o . ?p rs:hub ?o } }",
        "SELECT ?s (COUNT(?o) AS ?n) { ?s rs:hub ?o } GROUP BY ?s HAVING (COUNT(?o) > 1) ORDER BY DESC(?n) LIMIT 3",
        "ASK { VALUES (?s ?o) { (rs:text rs:Rule) } ?s rs:hub ?o BIND(rs:text AS ?x) }",
    ],
)
def test_queries_that_cannot_reach_derived_statements(query: str) -> None:
    assert not may_reach_derived(PREFIX + query)


def test_a_query_that_cannot_be_read() -> None:
    assert may_reach_derived("what is no query") is None


def test_questions_about_concepts_do_not_wait_for_superseded_editions() -> None:
    direct = [question.query for question in questions() if not may_reach_derived(question.query)]
    assert len(direct) > len(questions()) / 2
