"""No update and no other server is asked, however that is spelled: the guard against the engine itself."""

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus.errors import InputError
from corpus.store.engine import Store
from corpus.store.sparql.guard import refuse_unsafe
from tests.support.inputs import inputs
from tests.support.mutants import tried


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
        ("PREFIX : <http://localhost/> SELECT * { SERVICE:x {} }", "SERVICE"),
        ("PREFIX a: <http://localhost/> SELECT * { SERVICEa:x {} }", "SERVICE"),
        ("PREFIX : <http://localhost/> SELECT * { SERVICESILENT:x {} }", "SERVICE"),
        ("PREFIX : <http://localhost/> PREFIX service: <urn:x> SELECT * { service:x {} }", "SERVICE"),
        ("PREFIX : <http://localhost/> PREFIX service: <urn:x> SELECT * { service:x #\n {} }", "SERVICE"),
        ("SELECT * { # a comment\rSERVICE <http://localhost/> {} }", "SERVICE"),
        ("SELECT * { BIND('a\\u0027' AS ?x) SERVICE <http://localhost/> {} BIND(\"'\" AS ?y) }", "SERVICE"),
        ("SELECT * { VALUES ?x { '''x' } SERVICE <http://localhost/> {} # \\q '''\n }", "SERVICE"),
        ("SELECT * { ?s ?p ?a FILTER(?a<'x>') SERVICE <http://localhost/> {} FILTER('' != '') }", "SERVICE"),
    ],
)
def test_refused_queries(query: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        refuse_unsafe(query)


@pytest.mark.parametrize("query", ["SELECT", "", "SELECT * { ?s ?p"])
def test_malformed_queries(query: str) -> None:
    with pytest.raises(InputError, match="not well-formed"):
        Store().ask(query)


@pytest.mark.parametrize(
    "query",
    [
        "ASK { ?service ?insert 'SERVICE' }",
        'ASK { ?s ?p """one "SERVICE" more""" }',
        "ASK { <urn:SERVICE> <urn:p> ?o } # SERVICE",
        "PREFIX service: <urn:s> ASK { service:SERVICE ?p ?o }",
        "PREFIX a: <http://service/#> ASK { <http://x/#service> a:service ?o }",
    ],
)
def test_words_that_only_look_like_keywords(query: str) -> None:
    refuse_unsafe(query)
    Store().ask(query)


ELSEWHERE = "<http://127.0.0.1:9/>"
"""The engine refuses this port by itself, when it is about to ask: nothing is sent, and it is known that it would have been."""
_STORE = ox.Store()
_STORE.add(ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal("x")))
_ASKING = (f"SERVICE{ELSEWHERE}{{}}", "SERVICE:x{}", "SERVICEa:x {}", "SERVICE\r:x{}", "SERVICE SILENT :x {}")
_DECLARED = f"PREFIX : {ELSEWHERE} PREFIX a: {ELSEWHERE}"
_SIGNS = r"""
SERVICE service: service:x :x a:x {} {?s?p?o} ' " ''' \ \u0027 \q \uD800 \u0053ERVICE . ; BIND( ?v ?a< < > <'x> <1#>
<urn:x#> FILTER( FILTER(1<2) ) 1 1. 1e5 true a:b a:b.c _:b @en UNION OPTIONAL MINUS 'x' 'x'@en && ! %41 · ² \'
"""
_PIECES = [
    *_ASKING,
    *_SIGNS.split(),
    *("{ ", "} ", "# ", "\n", "\r", "AS ?y)", "VALUES ?v {", "BIND('x' AS ?w)", "?s ?p ?o", "?s <urn:p> ?z", "'x' }", "GRAPH ?g"),
    *('"""', "\u0301", ELSEWHERE),
]
_TEXT = st.lists(st.tuples(st.sampled_from(_PIECES), st.sampled_from(["", "", " "])), max_size=6).map(
    lambda pieces: "".join(piece + blank for piece, blank in pieces)
)


@inputs(100)
@given(_TEXT, st.sampled_from(_ASKING), _TEXT, st.sampled_from(["", "PREFIX service: <urn:x>"]))
@example("VALUES ?x { '''x' } ", _ASKING[0], "# \\q '''\n", "")
@example("BIND('a\\u0027' AS ?x) ", _ASKING[0], 'BIND("\'" AS ?y)', "")
@example("?s ?p ?a FILTER(?a<'x>') ", _ASKING[0], "FILTER('' != '')", "")
def test_nothing_that_the_guard_lets_by_asks_elsewhere(before: str, asking: str, after: str, declared: str) -> None:
    _asks_here_or_is_refused(f"{_DECLARED} {declared} SELECT * {{ {before}{asking}{after} }}")


def test_no_accepted_variant_asks_another_server() -> None:
    shapes = ("{a}", "?s ?p '#' . {a}", "VALUES ?x {{ '''x' }} {a} # \\q '''\n", "?s ?p ?a FILTER(?a<'x>') {a} FILTER('' != '')")
    queries = [f"{_DECLARED} SELECT * {{ {shape.format(a=asking)} }}" for shape in shapes for asking in _ASKING]
    tried(lambda query, _: _asks_here_or_is_refused(query), queries, _PIECES, 1000)


def _asks_here_or_is_refused(query: str) -> None:
    try:
        refuse_unsafe(query)
    except InputError:
        return
    assert not _has_service(query), query


def _has_service(query: str) -> bool:
    try:
        solutions = _STORE.query(query)
        assert isinstance(solutions, ox.QuerySolutions)
        list(solutions)
    except OSError as fault:
        return "port 9" in str(fault)
    except (SyntaxError, ValueError, RuntimeError):
        pass
    return False


def test_the_oracle_detects_queries_of_other_servers() -> None:
    assert _has_service(f"PREFIX : {ELSEWHERE} SELECT * {{ SERVICE:x{{}} }}")
