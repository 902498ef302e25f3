"""A pair of editions as quads: one named graph with what is stated, one with its steps for looking up. Deterministic."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pyoxigraph as ox

from corpus.address import NS, RDF_TYPE, EditionKey, graph_iri, thread_iri
from corpus.store.threads.body import PairSteps
from corpus.store.threads.order import Pair
from corpus.store.threads.step import Kind, Step

VERSION_OF = "http://purl.org/dc/terms/isVersionOf"
_VERSION_OF = ox.NamedNode(VERSION_OF)
_REVISION_OF = ox.NamedNode("http://www.w3.org/ns/prov#wasRevisionOf")
_TYPE = ox.NamedNode(RDF_TYPE)
_XSD = "http://www.w3.org/2001/XMLSchema#"

_TRUE = ox.Literal("true", datatype=ox.NamedNode(f"{_XSD}boolean"))
PROPERTIES = ("stepKind", "similarity", "before", "after", "onlyReferences", "proposedStep")
"""What is stated of a step."""

Threads = dict[str, frozenset[str]]
"""Rule → the threads that it belongs to: one, but for a merged rule."""


def graph_name(old: EditionKey, new: EditionKey, *parts: str) -> str:
    """The name of the graph of a pair; with `records` of the one that is looked up."""
    return graph_iri("threads", old, new.edition, *parts)


def all_steps(pair: PairSteps, old: Iterable[str], new: Iterable[str]) -> list[Step]:
    """Every step of a pair, those of rules that stayed as they are too, by the addresses of the rules of both editions."""
    told = [step for iri in new for step in pair.before(iri)]
    return [*told, *(step for iri in old for step in pair.after(iri) if step.new is None)]


def nquads(pair: Pair, steps: Sequence[Step], threads: Mapping[str, frozenset[str]], body: str) -> dict[str, bytes]:
    """The graphs of a pair as sorted N-Quads. `steps` are all its steps by addresses, `threads` those of every rule in them."""
    name, record = graph_name(*pair), graph_name(*pair, "records")
    kept = ox.Quad(ox.NamedNode(name), ox.NamedNode(f"{NS}steps"), ox.Literal(body), ox.NamedNode(record))
    graph = ox.NamedNode(name)
    stated = [quad for step in steps for quad in _stated(step, pair, threads, graph)]
    return {name: _written(stated), record: _written([kept])}


def follow(steps: Sequence[Step], threads: Threads) -> None:
    """Adds the threads of the new edition's rules to those of the old one's; a rule without a past begins one of its own."""
    for step in steps:
        if step.old is not None and step.old not in threads:
            threads[step.old] = frozenset([thread_iri(step.old)])
        if step.new is not None:
            inherited = threads[step.old] if step.old is not None else frozenset([thread_iri(step.new)])
            threads[step.new] = threads.get(step.new, frozenset()) | inherited


def _stated(step: Step, pair: Pair, threads: Mapping[str, frozenset[str]], graph: ox.NamedNode) -> Iterator[ox.Quad]:
    for iri in (step.old, step.new):
        if iri is not None:
            yield from (ox.Quad(ox.NamedNode(iri), _VERSION_OF, ox.NamedNode(version), graph) for version in threads[iri])
    if step.old is not None and step.new is not None:
        yield ox.Quad(ox.NamedNode(step.new), _REVISION_OF, ox.NamedNode(step.old), graph)
    if step.kind is not Kind.SAME:
        yield from _step(step, pair, graph)


def _step(step: Step, pair: Pair, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    """What a step is, at an address of its own."""
    ends = [iri for iri in (step.old, step.new) if iri is not None]
    locators = "+".join(iri[len(pair[iri != step.old].iri) + 1 :] for iri in ends)
    subject = ox.NamedNode(f"{graph.value}#{locators}")
    yield ox.Quad(subject, _TYPE, ox.NamedNode(f"{NS}Step"), graph)
    said: dict[str, ox.NamedNode | ox.Literal | None] = {
        "stepKind": ox.Literal(step.kind.value),
        "similarity": ox.Literal(f"{step.similarity:g}", datatype=ox.NamedNode(f"{_XSD}decimal")),
        "before": ox.NamedNode(step.old) if step.old else None,
        "after": ox.NamedNode(step.new) if step.new else None,
        "onlyReferences": _TRUE if step.only_references else None,
        "proposedStep": _TRUE if step.proposed else None,
    }
    for name in PROPERTIES:
        if (value := said[name]) is not None:
            yield ox.Quad(subject, ox.NamedNode(f"{NS}{name}"), value, graph)


def _written(quads: Sequence[ox.Quad]) -> bytes:
    lines = ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""
    return b"\n".join(sorted(set(lines.splitlines()))) + b"\n"
