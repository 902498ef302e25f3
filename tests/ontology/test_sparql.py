"""`rulestone sparql`: every form of query is answered over all graphs, nothing is written, nobody else is asked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.errors import InputError
from ontology.store.engine import OxigraphStore
from ontology.store.home import Home
from tests.support.commands import call
from tests.support.texts import ROOT

ONE, TWO = '<urn:s> <urn:p> "ferry"@en <urn:g> .\n', "<urn:s> <urn:q> <urn:o> <urn:h> .\n"


@pytest.fixture(scope="module")
def store() -> OxigraphStore:
    store = OxigraphStore()
    store.load((ONE + TWO).encode())
    store.flush()
    return store


@pytest.mark.parametrize(
    ("query", "found", "body"),
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
def test_answers(store: OxigraphStore, query: str, found: bool, body: str) -> None:
    answer = store.answer(query)
    assert (answer.found, answer.body.decode()) == (found, body)


@pytest.mark.parametrize(
    ("query", "found", "body"),
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
def test_answers_in_json(store: OxigraphStore, query: str, found: bool, body: object) -> None:
    answer = store.answer(query, as_json=True)
    assert (answer.found, json.loads(answer.body)) == (found, body)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "INSERT is an update"),
        ("PREFIX insert: <urn:x#> # SELECT\nDELETE WHERE { ?s ?p ?o }", "DELETE is an update"),
        ("with <urn:g> delete { ?s ?p ?o } where { ?s ?p ?o }", "WITH is an update"),
        ("CLEAR ALL", "CLEAR is an update"),
        ("LOAD <http://localhost/x>", "LOAD is an update"),
        ("SELECT * { SERVICE <http://localhost/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { service silent ?s { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { ?s ?p '#' . \\u0053ERVICE <http://localhost/> { ?s ?p ?o } }", "SERVICE"),
        ("ASK { ?s ?p ?o FILTER(?s<?p) SERVICE <urn:x> {} }", "SERVICE"),
        ("SELECT", "not well-formed"),
        ("", "not well-formed"),
    ],
)
def test_what_is_refused(store: OxigraphStore, query: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        store.answer(query)


@pytest.mark.parametrize(
    "query",
    [
        "ASK { ?service ?insert 'SERVICE' }",
        'ASK { ?s ?p """one "SERVICE" more""" }',
        "ASK { <urn:SERVICE> <urn:p> ?o } # SERVICE",
        "PREFIX service: <urn:s> ASK { service:SERVICE ?p ?o }",
    ],
)
def test_words_that_only_look_like_keywords(store: OxigraphStore, query: str) -> None:
    assert not store.answer(query).found


def test_triples_have_no_json(store: OxigraphStore) -> None:
    with pytest.raises(InputError, match="leave out --json"):
        store.answer("DESCRIBE <urn:s>", as_json=True)


DECK = "<https://w3id.org/rulestone/id/concept/dm/deck>"


@pytest.mark.parametrize(
    ("query", "options", "code", "words"),
    [
        (f'SELECT ?l {{ {DECK} <http://www.w3.org/2004/02/skos/core#prefLabel> ?l FILTER(LANG(?l) = "ja") }}', [], 0, "山札"),
        (f"ASK {{ {DECK} ?p ?o }}", ["--json"], 0, "true"),
        (f"ASK {{ {DECK} <urn:none> ?o }}", [], 1, "false"),
        (f"DESCRIBE {DECK}", [], 0, "concept/dm/hidden-zone"),
    ],
)
def test_the_command_answers(digest_home: Home, tmp_path: Path, query: str, options: list[str], code: int, words: str) -> None:
    file = tmp_path / "question.rq"
    file.write_text(query, encoding="utf-8")
    ended = call(digest_home.path, "sparql", file, *options)
    assert (ended.code, ended.err) == (code, "")
    assert words in ended.out


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (b"DROP ALL", [], "DROP is an update"),
        (b"SELEC", [], "not well-formed"),
        (b"ASK { ?s ?p '\xff' }", [], "no UTF-8"),
        (b"DESCRIBE <urn:s>", ["--json"], "leave out --json"),
        (b"SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(STR(?a) < STR(?e)) }", ["--timeout", "0.2"], "longer than 0.2 s"),
    ],
)
def test_the_command_refuses_in_one_line(digest_home: Home, data: bytes, options: list[str], words: str) -> None:
    command = [sys.executable, "-m", "api.cli.app", "--home", str(digest_home.path), "sparql", "-", *options]
    ended = subprocess.run(command, input=data, capture_output=True, cwd=ROOT, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert words in ended.stderr.decode()
    assert ended.stderr.count(b"\n") == 1


def test_a_file_that_is_not_there(digest_home: Home, tmp_path: Path) -> None:
    ended = call(digest_home.path, "sparql", tmp_path / "none.rq")
    assert ended.code == 2
    assert "there is no file" in ended.err
