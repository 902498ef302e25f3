"""The whole knowledge base in one piece: `rulestone export`."""

from collections.abc import Callable, Iterator

from corpus.errors import InputError
from ontology.knowledge import Knowledge


def jsonl(knowledge: Knowledge) -> Iterator[bytes]:
    """One rule a line, edition by edition in document order; then one ruling a line, older answers too, by address."""
    from corpus.editions.whole import everything, line

    return map(line, everything(knowledge))


def nquads(knowledge: Knowledge) -> Iterator[bytes]:
    """Every quad, sorted: the same knowledge gives the same bytes."""
    return (line.encode() + b"\n" for line in knowledge.quads())


def turtle(knowledge: Knowledge) -> Iterator[bytes]:
    """Every triple but the look-up records, in one graph."""
    from rulestone.answers.linked.turtle import turtle

    yield turtle(knowledge.triples())


def sssom(_: Knowledge) -> Iterator[bytes]:
    """The mappings between concepts and between rules of two games as one SSSOM/TSV file, each read from both sides."""
    from ontology.shipped import mappings
    from ontology.sssom import FOLDERS, both_ways, write

    yield write(row for folder in FOLDERS for row in both_ways(mappings(folder))).encode()


KINDS: dict[str, Callable[[Knowledge], Iterator[bytes]]] = {"jsonl": jsonl, "nquads": nquads, "turtle": turtle, "sssom": sssom}


def exporter(kind: str) -> Callable[[Knowledge], Iterator[bytes]]:
    """The exporter of that name. Raises InputError for another name."""
    if kind in KINDS:
        return KINDS[kind]
    raise InputError("{given!r} cannot be exported; expected {kinds}", given=kind[:40], kinds=", ".join(KINDS))
