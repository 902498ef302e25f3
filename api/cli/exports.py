"""`export` and `sparql`: the whole knowledge base, or what a query asks of it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from api.cli import console
from api.cli.files import write
from api.cli.options import library_of
from corpus.errors import InputError
from rulestone.faults import os_faults

_LARGEST = 1 << 20
"""Bytes that a query may have at most."""


def export(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="jsonl, nquads, turtle or sssom.")],
    output: Annotated[str | None, typer.Option("-o", "--output", help="File to write; else standard output.")] = None,
) -> None:
    """Write the whole knowledge base to standard output or to a file."""
    write(library_of(context).export(kind), Path(output) if output else None)


def sparql(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|-", help="File with a query; - reads standard input.")],
    seconds: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds that the query may take.")] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="SPARQL 1.1 JSON results instead of TSV.")] = False,
) -> int:
    """Answer a SPARQL 1.1 query over everything: TSV, or N-Triples for CONSTRUCT; exit 1 if nothing is found."""
    answer = library_of(context).sparql(_query(source), as_json=as_json, seconds=seconds)
    console.write([answer.body])
    return 0 if answer.found else 1


def _query(source: str) -> str:
    """The text of a file, or of standard input for `-`. Raises InputError where it is no UTF-8 text."""
    if source != "-" and not Path(source).is_file():
        raise InputError("there is no file {file}; expected a file with a SPARQL query, or - for standard input", file=source)
    with os_faults(f"read {source}"):
        data = sys.stdin.buffer.read(_LARGEST + 1) if source == "-" else Path(source).read_bytes()
    if len(data) > _LARGEST:
        raise InputError("the query has more than {megabytes} MB; expected a SPARQL query", megabytes=_LARGEST >> 20)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError(
            "the query in {file} is no UTF-8 text (byte {place}); save it as UTF-8", file=source, place=fault.start
        ) from fault
