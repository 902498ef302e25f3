"""The protocol tests of the W3C by their names, asked of our graphs.

Those of queries are all here. Those of updates are asked, too, and refused: this endpoint is only read.
Source: https://w3c.github.io/rdf-tests/sparql/sparql11/protocol/
"""

from typing import NamedTuple
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from corpus.media import RESULTS_JSON

FORM, QUERY, UPDATE = "application/x-www-form-urlencoded", "application/sparql-query", "application/sparql-update"
FIRST, SECOND = (f"https://w3id.org/rulestone/graph/ferry/cr/{edition}/en" for edition in ("2020-01-01", "2021-05-03"))
RULES = tuple(f"<https://w3id.org/rulestone/id/ferry/cr/{edition}/101.1>" for edition in ("2020-01-01", "2021-05-03"))
BOTH = f"ASK {{ {RULES[0]} ?p ?o . {RULES[1]} ?q ?r }}"
EACH = f"ASK {{ GRAPH ?g1 {{ {RULES[0]} ?p ?o }} GRAPH ?g2 {{ {RULES[1]} ?q ?r }} }}"
MIXED = f"ASK {{ {RULES[0]} ?p ?o GRAPH ?g {{ {RULES[1]} ?q ?r }} }}"
DEFAULT = f"editions=all&default-graph-uri={quote(FIRST, '')}&default-graph-uri={quote(SECOND, '')}"
NAMED = DEFAULT.replace("default", "named")
FULL = f"editions=all&default-graph-uri={quote(FIRST, '')}&named-graph-uri={quote(SECOND, '')}"
FROM = BOTH.replace("ASK", f"ASK FROM <{FIRST}>")
NAMED_FROM = EACH.replace("ASK", f"ASK FROM NAMED <{FIRST}>")
"""Of a dataset of its own that has only one of the rules."""


class Case(NamedTuple):
    """A request, and what it must give: true or false, or a status."""

    name: str
    outcome: bool | int
    path: str = ""
    body: str | bytes = ""
    media: str = ""
    method: str = "POST"


def get(name: str, outcome: bool | int, path: str) -> Case:
    return Case(name, outcome, path, method="GET")


CASES = (
    Case("query_post_form", True, f"?{DEFAULT}", "query=ASK%20%7B%7D", FORM),
    Case("query_post_form", True, f"?{DEFAULT}", f"query={quote(BOTH)}", FORM),
    Case("query_post_form", True, "", f"query={quote(BOTH)}&{DEFAULT}", FORM),
    get("query_get", True, "?query=ASK%20%7B%7D"),
    Case("query_post_direct", True, "", "ASK {}", QUERY),
    Case("query_post_direct", True, "", "ASK {}", f"{QUERY}; charset=utf-8"),
    get("query_dataset_default_graphs_get", True, f"?query={quote(BOTH)}&{DEFAULT}"),
    get("query_dataset_default_graphs_get", False, f"?query={quote(BOTH)}&{DEFAULT.rsplit('&', maxsplit=1)[0]}"),
    Case("query_dataset_default_graphs_post", True, f"?{DEFAULT}", BOTH, QUERY),
    get("query_dataset_named_graphs_get", True, f"?query={quote(EACH)}&{NAMED}"),
    get("query_dataset_named_graphs_get", False, f"?query={quote(EACH)}&{NAMED.rsplit('&', maxsplit=1)[0]}"),
    Case("query_dataset_named_graphs_post", True, f"?{NAMED}", EACH, QUERY),
    Case("query_dataset_full", True, f"?{FULL}", MIXED, QUERY),
    Case("query_dataset_full", False, f"?{FULL}", BOTH, QUERY),
    Case("query_multiple_dataset", False, "", FROM, QUERY),
    Case("query_multiple_dataset", True, f"?{DEFAULT}", FROM, QUERY),
    get("query_multiple_dataset", False, f"?query={quote(NAMED_FROM)}"),
    get("query_multiple_dataset", True, f"?query={quote(NAMED_FROM)}&{NAMED}"),
    Case("bad_query_method", 405, "?query=ASK%20%7B%7D", method="PUT"),
    get("bad_multiple_queries", 400, "?query=ASK%20%7B%7D&query=SELECT%20%2A%20%7B%7D"),
    Case("bad_multiple_queries", 400, "?query=ASK%20%7B%7D", "ASK {}", QUERY),
    Case("bad_query_wrong_media_type", 415, "", "ASK {}", "text/plain"),
    Case("bad_query_missing_form_type", 415, "", "query=ASK%20%7B%7D"),
    Case("bad_query_missing_direct_type", 415, "", "ASK {}"),
    Case("bad_query_non_utf8", 400, "", "ASK {}".encode("utf-16"), f"{QUERY}; charset=UTF-16"),
    get("bad_query_syntax", 400, "?query=ASK%20%7B"),
    get("bad_update_get", 400, "?update=CLEAR%20NAMED"),
    Case("bad_multiple_updates", 400, "", "update=CLEAR%20NAMED&update=CLEAR%20DEFAULT", FORM),
    Case("bad_update_wrong_media_type", 415, "", "CLEAR NAMED", "text/plain"),
    Case("bad_update_missing_form_type", 415, "", "update=CLEAR%20NAMED"),
    Case("bad_update_non_utf8", 400, "", "CLEAR NAMED".encode("utf-16"), f"{UPDATE}; charset=UTF-16"),
    Case("bad_update_syntax", 400, "", "update=CLEAR%20XYZ", FORM),
    Case("bad_update_dataset_conflict", 400, "?using-graph-uri=http%3A%2F%2Fa.example", "CLEAR NAMED", UPDATE),
    Case("update_post_form, which is only read here", 400, "", "update=CLEAR%20ALL", FORM),
    Case("update_post_direct, which is only read here", 400, "", "CLEAR ALL", UPDATE),
)


@pytest.mark.parametrize("case", CASES, ids=[f"{at} {case.name}" for at, case in enumerate(CASES)])
def test_protocol(client: TestClient, case: Case) -> None:
    headers = {"Accept": RESULTS_JSON} | ({"Content-Type": case.media} if case.media else {})
    for endpoint in ("/sparql", "/sparql/"):
        answer = client.request(case.method, f"{endpoint}{case.path}", content=case.body or None, headers=headers)
        if isinstance(case.outcome, bool):
            assert (answer.status_code, answer.json()) == (200, {"head": {}, "boolean": case.outcome}), answer.text
        else:
            assert (answer.status_code, answer.headers["content-type"]) == (case.outcome, "application/problem+json"), answer.text
