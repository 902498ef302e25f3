"""Sixty malicious queries, sent to a server at the same time: `python -m bench.speed.attacks`.

Meanwhile `/healthz` is polled and must answer within 100 ms; afterwards the memory of the server and its processes must be back to
its initial size.
"""

import os
import statistics
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.measure import RULESTONE, report_figure, run_command
from bench.speed.serving import fetch, memory_megabytes, probe_health, running_server, serve_command
from corpus.media import NTRIPLES, RESULTS_JSON

SLOWEST, GROWN = 100.0, 150.0
"""Maximum milliseconds for `/healthz`, and maximum growth of memory in megabytes."""
_PROBE_SECONDS = 0.05


def attack_queries() -> list[str]:
    """The queries: too deep, too long, too many, too large, elsewhere, and no queries at all."""
    return [*_deep_queries(), *_product_queries(), *_large_queries(), *_path_queries(), *_service_queries(), *_broken_queries()]


def _deep_queries() -> list[str]:
    return [
        "SELECT * " + "{" * 5000 + "?s ?p ?o" + "}" * 5000,
        "SELECT * " + "{" * 500 + "?s ?p ?o" + "}" * 500,
        "SELECT * { ?s ?p " + "[ ?p " * 5000 + "?o" + " ]" * 5000 + " }",
        "SELECT * { ?s ?p " + "(" * 30_000 + ")" * 30_000 + " }",
        "SELECT * { ?s ?p ?o FILTER(" + "(" * 5000 + "?o" + ")" * 5000 + ") }",
        "SELECT * { ?s ?p ?o FILTER(" + "!" * 60_000 + "?o) }",
        "SELECT * { ?s ?p ?o FILTER(" + "- " * 30_000 + "?o) }",
        "SELECT * { ?s " + "(" * 10_000 + "<urn:p>" + ")" * 10_000 + " ?o }",
        "SELECT * { ?s " + "^" * 30_000 + "<urn:p> ?o }",
        "SELECT * { " + "OPTIONAL { " * 5000 + "}" * 5000 + " }",
        "SELECT * { ?s ?p ?o FILTER EXISTS " + "{ FILTER EXISTS " * 2000 + "{}" + "}" * 2000 + " }",
        "SELECT (" + "IF(" * 8000 + "1" + ",1,1)" * 8000 + " AS ?x) {}",
    ]


def _product_queries() -> list[str]:
    triples = [f"?s{nth} ?p{nth} ?o{nth}" for nth in range(6)]
    some = " . ".join(triples[:3])
    return [
        f"SELECT * {{ {some} }} ORDER BY ?o0 ?o1 ?o2",
        f"SELECT DISTINCT * {{ {some} }}",
        f"SELECT (COUNT(*) AS ?n) {{ {some} }}",
        f"SELECT (COUNT(DISTINCT CONCAT(STR(?s0), STR(?s1), STR(?s2))) AS ?n) {{ {some} }}",
        f"SELECT ?o0 (GROUP_CONCAT(?o1) AS ?all) {{ {some} }} GROUP BY ?o0",
        f"SELECT * {{ {some} FILTER(STR(?o0) > STR(?o1) && STR(?o1) > STR(?o2)) }}",
        f"CONSTRUCT {{ ?s0 ?p1 ?o2 }} {{ {some} }}",
        f"CONSTRUCT {{ ?s0 ?p0 [ ?p1 ?o1 ] }} {{ {some} }}",
        f"ASK {{ {some} FILTER(STR(?o0) = CONCAT(STR(?o1), STR(?o2), 'x')) }}",
        f"DESCRIBE ?s0 ?s1 ?s2 {{ {some} }}",
        f"SELECT * {{ {' . '.join(triples)} }} ORDER BY DESC(?o5)",
        "SELECT * { GRAPH ?a { ?s ?p ?o } GRAPH ?b { ?t ?q ?r } FILTER(?a != ?b) } ORDER BY ?o ?r",
        "SELECT * { { SELECT * { ?s ?p ?o } ORDER BY ?o } { SELECT * { ?t ?q ?r } ORDER BY ?r } } ORDER BY ?s",
        f"SELECT * {{ {triples[0]} MINUS {{ {triples[1]} . {triples[2]} FILTER(?s1 != ?s2) }} }} ORDER BY ?o0",
    ]


def _large_queries() -> list[str]:
    doublings = " ".join(f"BIND(CONCAT(?x{nth}, ?x{nth}) AS ?x{nth + 1})" for nth in range(40))
    return [
        f"SELECT * {{ BIND('xxxxxxxx' AS ?x0) {doublings} }}",
        f"SELECT (STRLEN(?x40) AS ?n) {{ BIND('xxxxxxxx' AS ?x0) {doublings} }}",
        "SELECT (REPLACE(GROUP_CONCAT(?o), '.', '$0$0$0$0$0$0$0$0') AS ?x) { ?s ?p ?o }",
        "SELECT (GROUP_CONCAT(CONCAT(STR(?s), STR(?p), STR(?o), STR(?t))) AS ?x) { ?s ?p ?o . ?t ?q ?r }",
        "SELECT * { ?s ?p ?o FILTER(REGEX(STR(?o), '(((((a{1,30}){1,30}){1,30}){1,30}){1,30})')) }",
        "SELECT * { ?s ?p ?o FILTER(REGEX(STR(?o), '^(a|a|a|a|a)*$') || REGEX(STR(?o), '(.*)*x')) } ORDER BY ?o",
        "SELECT * { VALUES (?a ?b) { " + "(1 2) " * 8000 + "} VALUES (?c ?d) { (3 4) (5 6) } } ORDER BY ?a",
        "SELECT " + " ".join(f"?v{nth}" for nth in range(8000)) + " { ?s ?p ?o }",
        "SELECT * { ?s ?p ?o FILTER(?o IN (" + ", ".join(map(str, range(9000))) + ")) }",
        "SELECT * { ?s ?p ?o } #" + "x" * 60_000,
        "SELECT * { ?s ?p ?o } LIMIT 99999999999999999999999",
        "SELECT (SHA512(GROUP_CONCAT(SHA512(STR(?o)))) AS ?x) { ?s ?p ?o . ?t ?q ?r }",
    ]


def _path_queries() -> list[str]:
    return [
        "SELECT * { ?s (!<urn:x>)* ?o } ORDER BY ?o",
        "SELECT * { ?s (!<urn:x>|^!<urn:x>)+ ?o }",
        "SELECT (COUNT(*) AS ?n) { ?s (<urn:a>|!<urn:a>)*/(<urn:a>|!<urn:a>)* ?o }",
        "SELECT * { ?s ((!<urn:x>)*)* ?o }",
        "SELECT * { ?s !(<urn:x>|^<urn:y>)+ ?o . ?o (!<urn:z>)+ ?s }",
    ]


def _service_queries() -> list[str]:
    server = "<http://127.0.0.1:9/>"
    return [
        f"SELECT * {{ SERVICE {server} {{ ?s ?p ?o }} }}",
        f"SELECT * {{ SERVICE SILENT {server} {{ ?s ?p ?o }} }}",
        f"PREFIX : {server} SELECT * {{ SERVICE:x {{ ?s ?p ?o }} }}",
        f"PREFIX a: {server} SELECT * {{ SERVICEa:x {{ ?s ?p ?o }} }}",
        f"PREFIX : {server} SELECT * {{ SERVICESILENT:x {{ ?s ?p ?o }} }}",
        f"SELECT * {{ # hidden\rSERVICE {server} {{ ?s ?p ?o }} }}",
        f"SELECT * {{ BIND('a\\u0027' AS ?x) SERVICE {server} {{}} BIND(\"'\" AS ?y) }}",
        "LOAD <http://127.0.0.1:9/>",
    ]


def _broken_queries() -> list[str]:
    return [
        "",
        "DROP ALL",
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "\x00" * 1000,
        "'" * 60_000,
        '"""' * 20_000,
        "SELECT * { ?s ?p '\ud7ff\uffff' }",
        "x" * 65_000,
        "x" * 200_000,
    ]


def ask(port: int, query: str) -> int:
    """The status of a response, which is read completely."""
    headers = {"Content-Type": "application/sparql-query", "Accept": f"{RESULTS_JSON}, {NTRIPLES}"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/sparql", query.encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            answer.read()
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        refused.read()
        return refused.code


def _warm_up(port: int) -> None:
    """Makes every process load its data; requests are distributed over the processes."""
    for _ in range(12):
        assert ask(port, "ASK {}") == 200
        fetch(port, "/v1/search?q=graveyard")


def stays_healthy(home: Path) -> bool:
    """Whether the server stayed healthy."""
    queries, stop = attack_queries(), threading.Event()
    with running_server(*serve_command(home)) as server, ThreadPoolExecutor(len(queries) + 1) as pool:
        _warm_up(server.port)
        before, start = memory_megabytes(str(home)), time.perf_counter()
        health_probe = pool.submit(probe_health, server.port, _PROBE_SECONDS, stop=stop)
        statuses = list(pool.map(lambda query: ask(server.port, query), queries))
        stop.set()
        health, took = health_probe.result(), time.perf_counter() - start
        well = ask(server.port, "ASK {}") == 200
        time.sleep(2)
        after = memory_megabytes(str(home))
    ends = ", ".join(f"{statuses.count(status)} × {status}" for status in sorted(set(statuses)))
    behind = f"p50 {statistics.median(health):.1f}, {len(health)} times in {took:.0f} s; {ends}"
    quick = report_figure(f"/healthz under {len(queries)} attacks", max(health), SLOWEST, "ms", behind)
    small = report_figure("memory after them", after - before, GROWN, "MB", f"{before:.0f} MB before")
    return quick and small and well and not any(status >= 500 and status != 503 for status in statuses)


def main() -> bool:
    """Whether a server withstands them."""
    os.environ.setdefault("RULESTONE_MODEL", "static")
    with tempfile.TemporaryDirectory() as scratch:
        run_command([RULESTONE, "build", "--later"], Path(scratch))
        return stays_healthy(Path(scratch))


if __name__ == "__main__":
    sys.exit(not main())
