"""The whole knowledge base as a file: `rulestone export`."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from api.cli import console
from corpus.errors import InputError
from ontology.store.disk import os_faults, remove
from ontology.store.knowledge import Knowledge


def jsonl(knowledge: Knowledge) -> Iterator[bytes]:
    """One rule a line, edition by edition in document order."""
    for record in knowledge.records():
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def nquads(knowledge: Knowledge) -> Iterator[bytes]:
    """Every quad, sorted: the same knowledge gives the same bytes."""
    return (line.encode() + b"\n" for line in knowledge.store.dump())


def turtle(knowledge: Knowledge) -> Iterator[bytes]:
    """Every triple but the look-up records, in one graph."""
    from api.text.turtle import turtle

    yield turtle(knowledge.triples())


def sssom(_: Knowledge) -> Iterator[bytes]:
    """The mappings between concepts and between rules of two games as one SSSOM/TSV file, each read from both sides."""
    from ontology.sssom import FOLDERS, both_ways, shipped, write

    yield write(row for folder in FOLDERS for row in both_ways(shipped(folder))).encode()


KINDS: dict[str, Callable[[Knowledge], Iterator[bytes]]] = {"jsonl": jsonl, "nquads": nquads, "turtle": turtle, "sssom": sssom}


def kind_of(name: str) -> Callable[[Knowledge], Iterator[bytes]]:
    """The exporter of that name. Raises InputError for another name."""
    if name in KINDS:
        return KINDS[name]
    raise InputError(f"{name[:40]!r} is nothing that can be exported; expected {', '.join(KINDS)}")


def write(chunks: Iterable[bytes], output: Path | None) -> None:
    """Writes to standard output, or to a file that is whole or untouched.

    Raises EnvironmentFault where the disk refuses the file, InputError where a folder stands in its place.
    """
    if output is None:
        return console.write(chunks)
    if output.is_dir():
        raise InputError(f"{output} is a folder; give the name of a file with -o")
    draft = output.with_name(f".{output.name}.{os.getpid()}.tmp")
    with os_faults(f"write {output}"):
        try:
            with draft.open("wb") as file:
                file.writelines(chunks)
            draft.replace(output)
        finally:
            remove(draft)
