"""The labels that a person took in: one small table beside the bundles of a home, which every build reads."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from io import StringIO
from typing import NamedTuple

import pyoxigraph as ox

from corpus.address import NS, SKOS, XL, graph_iri
from corpus.store.home import Home
from corpus.store.home.disk import write_file

FILE = "curated.tsv"
GRAPH = graph_iri("terms", "curator")
STATUSES = ("preferred", "admitted", "deprecated")


class Curated(NamedTuple):
    """A label, what it names, whether it is to be used, and who says so."""

    concept: str  # IRI
    lang: str
    label: str
    status: str  # one of STATUSES
    by: str
    note: str = ""


def curated(home: Home) -> list[Curated]:
    """Every label that was taken in, sorted."""
    file = home.path / FILE
    if not file.is_file():
        return []
    rows = csv.DictReader(StringIO(file.read_text(encoding="utf-8")), dialect="excel-tab")
    return [Curated(*(row[name] or "" for name in Curated._fields)) for row in rows]


def keep(home: Home, labels: Iterable[Curated]) -> None:
    """Writes the table anew. Call it inside `home.writing()`."""
    text = StringIO()
    writer = csv.writer(text, "excel-tab")
    writer.writerow(Curated._fields)
    writer.writerows(sorted(set(labels)))
    write_file(home.path / FILE, text.getvalue().encode())


def nquads(labels: Sequence[Curated]) -> bytes:
    """The graph of some labels, sorted: each is a name of its concept, and a node says who took it in and how."""
    quads = sorted({str(quad): quad for label in labels for quad in _quads(label)}.items())
    return ox.serialize((quad for _, quad in quads), format=ox.RdfFormat.N_QUADS) or b""


def _quads(label: Curated) -> Iterator[ox.Quad]:
    graph, concept = ox.NamedNode(GRAPH), ox.NamedNode(label.concept)
    node = ox.NamedNode(f"{label.concept}#curated-{blake2b(f'{label.lang} {label.label}'.encode(), digest_size=6).hexdigest()}")
    words = ox.Literal(label.label, language=label.lang)
    kind = "hiddenLabel" if label.status == STATUSES[-1] else "altLabel"
    yield ox.Quad(concept, ox.NamedNode(f"{SKOS}{kind}"), words, graph)
    yield ox.Quad(node, ox.NamedNode(f"{NS}curates"), concept, graph)
    yield ox.Quad(node, ox.NamedNode(f"{XL}literalForm"), words, graph)
    yield ox.Quad(node, ox.NamedNode(f"{NS}curatedAs"), ox.Literal(label.status), graph)
    yield ox.Quad(node, ox.NamedNode(f"{NS}curatedBy"), ox.Literal(label.by), graph)
