"""What `rulestone check` reports: dangling citations, broken SHACL shapes, violated rules of the graph."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from corpus.model import NS
from ontology.store import Store

if TYPE_CHECKING:
    from rdflib import Graph

_DANGLING = f"""
SELECT ?subject ?exact ?wanted WHERE {{
  GRAPH ?graph {{ ?subject <{NS}hasCitation> ?citation . ?citation <{NS}exact> ?exact ; <{NS}wanted> ?wanted }}
  FILTER NOT EXISTS {{ GRAPH ?graph {{ ?citation <{NS}target> ?target }} }}
}}"""
_FACTS = f"""
CONSTRUCT {{ ?s ?p ?o }} WHERE {{
  GRAPH ?graph {{ ?s ?p ?o }}
  FILTER(!STRENDS(STR(?graph), "/records") && ?p != <{NS}gloss>)
}}"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    kind: str  # dangling-citation | shape | violation
    subject: str  # IRI
    message: str  # one line: what was found, what was expected


def findings(store: Store) -> Iterator[Finding]:
    """Everything that is wrong with a bundle's graph, in a stable order."""
    yield from dangling(store)
    yield from violations(store)
    yield from broken_shapes(store)


def dangling(store: Store) -> Iterator[Finding]:
    """Citations that name no rule of their edition."""
    rows = sorted({(row["subject"], row["exact"], row["wanted"]) for row in store.select(_DANGLING)})
    for subject, exact, wanted in rows:
        yield Finding("dangling-citation", subject, f"cites {exact!r}, but its edition has no {wanted}")


def violations(store: Store) -> Iterator[Finding]:
    """Rows of the `*-violation.rq` queries; the first line of each file says what must hold."""
    folder = files("ontology").joinpath("violations")
    for query in sorted(folder.iterdir(), key=lambda one: one.name):
        words = query.read_text(encoding="utf-8")
        expected = words.splitlines()[0].removeprefix("#").strip()
        for subject in sorted(row["subject"] for row in store.select(words)):
            yield Finding("violation", subject, expected)


def broken_shapes(store: Store) -> Iterator[Finding]:
    """What breaks a shape of shapes.ttl (SHACL Core, checked by pySHACL over the text graphs)."""
    from pyshacl import validate
    from rdflib import Graph
    from rdflib.namespace import SH

    data = Graph().parse(data="\n".join(store.construct(_FACTS)), format="nt")
    _, report, _ = validate(data, shacl_graph=shapes(), inplace=True, advanced=False)
    found = []
    for result in report.subjects(SH.focusNode):
        subject, message = report.value(result, SH.focusNode), report.value(result, SH.resultMessage)
        found.append(Finding("shape", str(subject), " ".join(str(message).split())))
    yield from sorted(found, key=lambda one: (one.subject, one.message))


def shapes() -> "Graph":
    """The shapes as a graph."""
    from rdflib import Graph

    return Graph().parse(data=files("ontology").joinpath("shapes.ttl").read_text(encoding="utf-8"), format="turtle")
