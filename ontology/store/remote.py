"""A store on another server: any SPARQL 1.1 engine that speaks the SPARQL 1.1 Protocol (https://www.w3.org/TR/sparql11-protocol/).

`RULESTONE_STORE` names its query endpoint, `RULESTONE_STORE_UPDATE` the one for updates, where that is another.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Self, cast

import pyoxigraph as ox

from corpus.address import BASE, NS
from corpus.errors import EnvironmentFault, InputError
from ontology.store.engine import Solution, selected

QUERY, UPDATE = "RULESTONE_STORE", "RULESTONE_STORE_UPDATE"
SECONDS = 60.0
"""How long a query may take."""
_HOLDS = f"{BASE}graph/bundle/records"
"""Named graph that says which bundle's knowledge the server holds; graphs of records are left out of what is exported."""
_JSON, _TRIPLES = "application/sparql-results+json", "application/n-triples"
_BOOLEAN = ox.NamedNode("http://www.w3.org/2001/XMLSchema#boolean")
_WORDS = {"0": "false", "1": "true"}
_LINES = 2000
"""Quads in one update."""
_EVERYTHING = f"""SELECT ?g ?s ?p ?o WHERE {{
  GRAPH ?g {{ ?s ?p ?o }} FILTER (STRSTARTS(STR(?g), "{BASE}") && ?g != <{_HOLDS}>)
}}"""


def holding(seal: str) -> "RemoteStore":
    """The server that the environment names. Raises EnvironmentFault where it holds another bundle than the one with that seal."""
    store = RemoteStore.named()
    if store.holds() != seal:
        store.close()
        raise EnvironmentFault("the store at {address} holds another knowledge base; run: rulestone push", address=store.address)
    return store


class RemoteStore:
    """A SPARQL 1.1 engine on a server. Thread-safe."""

    def __init__(self, query: str, update: str | None = None) -> None:
        """Addresses of the endpoints. Nothing is asked yet."""
        import httpx2

        self.address, self._update = query, update or query
        self._client: httpx2.Client = httpx2.Client(timeout=SECONDS, follow_redirects=True)

    @classmethod
    def named(cls) -> Self:
        """The one that the environment names. Raises InputError where it names none."""
        query = os.environ.get(QUERY)
        if not query:
            raise InputError("no store is named; set {setting} to the address of its SPARQL queries", setting=QUERY)
        return cls(query, os.environ.get(UPDATE))

    def select(self, query: str) -> list[Solution]:
        """See Store."""
        solutions, names = selected(self._results(query))
        return [{name: _value(term) for name in names if (term := solution[name]) is not None} for solution in solutions]

    def construct(self, query: str) -> Iterator[str]:
        """See Store."""
        for quad in ox.parse(self._asked(query, _TRIPLES), format=ox.RdfFormat.N_TRIPLES):
            yield f"{quad.triple} ."

    def ask(
        self, query: str, *, union: bool = False, default_graphs: Iterable[str] = (), named_graphs: Iterable[str] = ()
    ) -> object:
        """See Store. What the default graph is without FROM is the server's to say."""
        given = [("default-graph-uri", iri) for iri in default_graphs] + [("named-graph-uri", iri) for iri in named_graphs]
        if union and not given:
            given = [("default-graph-uri", row["g"]) for row in self.select("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }")]
        return self._results(query, given)

    def load(self, nquads: bytes) -> None:
        """See Store."""
        quads = iter(ox.parse(nquads, format=ox.RdfFormat.N_QUADS))
        while lines := list(islice(quads, _LINES)):
            data = "\n".join(f"GRAPH {quad.graph_name} {{ {quad.triple} }}" for quad in lines)
            self._changed(f"INSERT DATA {{ {data} }}")

    def drop(self, graphs: Iterable[str]) -> None:
        """See Store."""
        for graph in graphs:
            self._changed(f"DROP SILENT GRAPH <{graph}>")

    def dump(self) -> Iterator[str]:
        """See Store."""
        solutions = cast(ox.QuerySolutions, self._results(_EVERYTHING))
        return iter(sorted(f"{row['s']} {row['p']} {row['o']} {row['g']} ." for row in solutions))

    def holds(self) -> str | None:
        """Which bundle's knowledge the server says that it holds."""
        rows = self.select(f"SELECT ?seal WHERE {{ GRAPH <{_HOLDS}> {{ <{_HOLDS}> <{NS}seal> ?seal }} }}")
        return rows[0]["seal"] if rows else None

    def replace(self, nquads: Iterable[bytes], seal: str) -> None:
        """Gives the server other knowledge in the place of all that it holds of ours, and at the end says whose it is."""
        ours = [row["g"] for row in self.select("SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s ?p ?o } }") if row["g"].startswith(BASE)]
        self.drop([_HOLDS, *ours])
        for piece in nquads:
            self.load(piece)
        self._changed(f'INSERT DATA {{ GRAPH <{_HOLDS}> {{ <{_HOLDS}> <{NS}seal> "{seal}" }} }}')

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    def _results(self, query: str, given: Iterable[tuple[str, str]] = ()) -> ox.QuerySolutions | ox.QueryBoolean:
        return ox.parse_query_results(self._asked(query, _JSON, given), format=ox.QueryResultsFormat.JSON)

    def _asked(self, query: str, media: str, given: Iterable[tuple[str, str]] = ()) -> bytes:
        return self._posted(self.address, [("query", query), *given], media)

    def _changed(self, update: str) -> None:
        self._posted(self._update, [("update", update)], "*/*")

    def _posted(self, address: str, form: list[tuple[str, str]], media: str) -> bytes:
        import httpx2

        fields: dict[str, list[str]] = {}
        for name, value in form:
            fields.setdefault(name, []).append(value)
        try:
            response = self._client.post(address, data=fields, headers={"Accept": media})
        except (httpx2.HTTPError, httpx2.InvalidURL) as fault:
            raise EnvironmentFault("the store at {address} does not answer: {fault}", address=address, fault=fault) from fault
        if response.status_code == 400 and form[0][0] == "query":
            raise InputError("the query is not well-formed SPARQL 1.1: {fault}", fault=" ".join(response.text.split())[:200])
        if not response.is_success:
            why = f"{response.status_code} {' '.join(response.text.split())[:200]}"
            raise EnvironmentFault("the store at {address} refuses: {fault}", address=address, fault=why)
        return response.content


def _value(term: object) -> str:
    """The lexical form of a term; a boolean always as words, of which Virtuoso makes figures."""
    value = str(getattr(term, "value", term))
    return _WORDS.get(value, value) if getattr(term, "datatype", None) == _BOOLEAN else value
