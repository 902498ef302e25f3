"""Builds the graphs of an edition beside its records: our glosses, and the terms that it defines. Deterministic."""

from collections.abc import Iterator

import pyoxigraph as ox

from corpus.address import NS, graph_iri, rule_iri
from corpus.contract import RuleRecord
from corpus.model import Authority
from ingest import define
from ingest.merge import Edition
from ingest.record import Recorder

_GLOSS, _ASKED = ox.NamedNode(f"{NS}gloss"), ox.NamedNode(f"{NS}askedAs")


def recorded(edition: Edition) -> tuple[list[RuleRecord], dict[str, bytes]]:
    """The records of an edition in document order, and the other graphs as sorted N-Quads."""
    defined = define.concepts(edition)
    records = [record for _, record in Recorder(edition, defined).records()]
    return records, dict(_beside(edition, defined))


def _beside(edition: Edition, defined: list[define.BookConcept]) -> Iterator[tuple[str, bytes]]:
    official = [lang for lang, authority in edition.authorities.items() if authority is Authority.OFFICIAL]
    graphs = {graph_iri(define.GRAPHS, edition.key): define.quads(edition.key, defined, official)}
    graphs[graph_iri(edition.key, "digest")] = _glosses(edition)
    for graph, quads in graphs.items():
        if lines := ox.serialize(quads, format=ox.RdfFormat.N_QUADS):
            yield graph, b"\n".join(sorted(set(lines.splitlines()))) + b"\n"


def _glosses(edition: Edition) -> Iterator[ox.Quad]:
    graph = ox.NamedNode(graph_iri(edition.key, "digest"))
    for rule in edition.rules.values():
        if rule.gloss:
            subject = ox.NamedNode(rule_iri(edition.key, rule.locator))
            for lang, words in sorted(rule.gloss.words.items()):
                yield ox.Quad(subject, _GLOSS, ox.Literal(words, language=lang), graph)
            for lang, questions in sorted(rule.gloss.asked.items()):
                yield from (ox.Quad(subject, _ASKED, ox.Literal(question, language=lang), graph) for question in questions)
