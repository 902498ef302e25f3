"""The graph on a SPARQL server: the same answers as from the embedded store, and one line for whatever goes wrong."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest

from corpus.errors import EnvironmentFault, InputError
from ontology.store.home import Home
from ontology.store.remote import RemoteStore
from rulestone import Library
from tests.support.commands import call

pytestmark = pytest.mark.slow


class _Endpoint(BaseHTTPRequestHandler):
    """As much of the SPARQL 1.1 Protocol as is needed, over a store in memory."""

    store: ox.Store

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        try:
            body = self._answer(form)
        except SyntaxError as fault:
            self._send(400, str(fault).encode())
        else:
            self._send(200, body)

    def _answer(self, form: dict[str, list[str]]) -> bytes:
        if "update" in form:
            self.store.update(form["update"][0])
            return b""
        graphs: list[ox.NamedNode | ox.BlankNode | ox.DefaultGraph] = [
            ox.NamedNode(iri) for iri in form.get("default-graph-uri", ())
        ]
        results = self.store.query(form["query"][0], default_graph=graphs or None)
        triples = isinstance(results, ox.QueryTriples)
        written = results.serialize(format=ox.RdfFormat.N_TRIPLES if triples else ox.QueryResultsFormat.JSON)  # type: ignore[arg-type]
        assert isinstance(written, bytes)
        return written

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A SPARQL server, which the environment names."""
    handler = type("Own", (_Endpoint,), {"store": ox.Store()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_address[1]}/sparql"
        monkeypatch.setenv("RULESTONE_STORE", address)
        try:
            yield address
        finally:
            server.shutdown()
            thread.join()


def answers(home: Path) -> list[str]:
    with Library.open(home, create=False) as library:
        asked = [library.rules("dm:400.3b"), library.search("graveyard"), library.cites("dm:400.3b"), library.term("墓地")]
        return [*map(json.dumps, asked), b"".join(library.export("jsonl")).decode()]


def test_a_server_answers_as_the_embedded_store(digest_home: Home, endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = call(digest_home.path, "show", "dm:400.3b")
    assert (refused.code, len(refused.err.splitlines())) == (3, 1)
    assert "rulestone push" in refused.err
    store = RemoteStore(endpoint)
    store.load(b"<https://w3id.org/rulestone/a> <https://w3id.org/rulestone/b> <urn:c> <https://w3id.org/rulestone/graph/old> .\n")
    store.load(b"<urn:a> <urn:b> <urn:c> <urn:somebody-else> .\n")
    assert f"quads written to {endpoint}" in call(digest_home.path, "push").out
    theirs = answers(digest_home.path)
    graphs = {row["g"] for row in store.select("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }")}
    assert "urn:somebody-else" in graphs
    assert "https://w3id.org/rulestone/graph/old" not in graphs
    monkeypatch.delenv("RULESTONE_STORE")
    assert theirs == answers(digest_home.path)


def test_what_is_not_well_formed_is_told(endpoint: str) -> None:
    with pytest.raises(InputError, match=r"not well-formed SPARQL 1\.1"):
        RemoteStore(endpoint).select("SELEKT")
    with pytest.raises(InputError, match="expected a SELECT query"):
        RemoteStore(endpoint).select("ASK {}")


def test_a_server_that_is_gone_is_one_line(digest_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="set RULESTONE_STORE"):
        RemoteStore.named()
    monkeypatch.setenv("RULESTONE_STORE", "http://127.0.0.1:9/sparql")
    with pytest.raises(EnvironmentFault, match="does not answer"):
        RemoteStore.named().holds()
    ended = call(digest_home.path, "show", "dm:400.3b")
    assert (ended.code, len(ended.err.splitlines())) == (3, 1)
