"""`/sparql` for people: a form, the answer as a table, downloads, and example questions."""

import json
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from api.web.rendering import library_of, page, path_with_query, request_reader
from corpus.address import ID, OA, RS, SKOS
from corpus.errors import RulestoneError
from corpus.languages import language_of
from corpus.media import RESULTS_JSON, TURTLE
from rulestone.limits import SPARQL_LIMITS

PREFIXES = {
    "rs": RS,
    "skos": SKOS,
    "oa": OA,
    "prov": "http://www.w3.org/ns/prov#",
    "dcterms": "http://purl.org/dc/terms/",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""Prefixes that pages use to abbreviate addresses."""
MAX_ROWS = 200
"""Number of solutions or triples that a page shows; the files have more."""
_TABLES, _GRAPHS = ("csv", "tsv", "json", "xml"), ("turtle", "ntriples")


@dataclass(frozen=True, slots=True)
class SolutionCell:
    """A value as shown on a page: the full address beside its abbreviation, or words with their language."""

    words: str
    iri: str | None = None
    lang: str | None = None

    @property
    def is_ours(self) -> bool:
        """Whether this server has a page of it."""
        return self.iri is not None and self.iri.startswith(ID)


@dataclass(frozen=True, slots=True)
class SolutionTable:
    """The solutions of a query: its variables, and a row of cells for each solution."""

    names: list[str]
    rows: list[list[SolutionCell | None]]


def sparql(request: Request) -> Response:
    """The query page; with `query`, the answer. The reason for refusing a query is shown beside it."""
    query, editions = request.query_params.get("query", ""), request.query_params.get("editions", "current")
    values: dict[str, Any] = {
        "query": query,
        "editions": editions,
        "prefixes": PREFIXES,
        "examples": _example_queries(request),
        "limits": SPARQL_LIMITS,
        "answer": None,
        "reason": None,
        "table": None,
        "files": [],
    }
    if not query:
        return page(request, "sparql.html", **values)
    try:
        answer = library_of(request).sparql(
            query,
            media=(RESULTS_JSON, TURTLE),
            rows=MAX_ROWS,
            size=int(SPARQL_LIMITS.bytes),
            seconds=SPARQL_LIMITS.seconds,
            editions=editions,
        )
    except RulestoneError as error:
        return page(request, "sparql.html", error.status, **values | {"reason": error.message})
    is_table = answer.media == RESULTS_JSON
    editions_option = editions if editions != "current" else None
    values["files"] = [
        (kind, path_with_query("/sparql", query=query, format=kind, editions=editions_option))
        for kind in (_TABLES if is_table else _GRAPHS)
    ]
    return page(request, "sparql.html", **values | {"answer": answer, "table": _result_table(answer.body) if is_table else None})


def _example_queries(request: Request) -> list[tuple[str, str, str]]:
    """Example queries in the reader's language if available, with the address of each."""
    lang = language_of(request_reader(request).lang)
    return [
        (example.words[lang], lang, path_with_query("/sparql", query=example.query)) for example in library_of(request).examples()
    ]


def _result_table(body: bytes) -> SolutionTable:
    """Solutions, or `true` or `false` as a table of one cell."""
    results = json.loads(body)
    if "boolean" in results:
        return SolutionTable(["ASK"], [[SolutionCell(str(results["boolean"]).lower())]])
    names = results["head"]["vars"]
    rows = results["results"]["bindings"]
    return SolutionTable(names, [[_result_cell(row[name]) if name in row else None for name in names] for row in rows])


def _result_cell(term: dict[str, Any]) -> SolutionCell:
    if term["type"] == "uri":
        return SolutionCell(_shorten_iri(term["value"]), term["value"])
    return SolutionCell(str(term["value"]), lang=term.get("xml:lang"))


def _shorten_iri(iri: str) -> str:
    if iri.startswith(ID):
        return iri.removeprefix(ID)
    prefix = next((prefix for prefix, whole in PREFIXES.items() if iri.startswith(whole)), None)
    return f"{prefix}:{iri.removeprefix(PREFIXES[prefix])}" if prefix else iri
