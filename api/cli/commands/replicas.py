"""`push`: the graph goes to a SPARQL server, the index to Milvus."""

import os

import typer

from api.cli.console import say, speaking
from api.cli.options import library_of
from corpus.messages import message


def push(context: typer.Context) -> None:
    """Write the graph to the SPARQL server that RULESTONE_STORE names, and the index to Milvus as RULESTONE_INDEX names it."""
    library, store, index = library_of(context), os.environ.get("RULESTONE_STORE"), os.environ.get("RULESTONE_INDEX")
    if store or not index:
        say([message("{quads} quads written to {address}", quads=library.push(), address=store).said(speaking())])
    if index:
        say([message("{passages} passages written to {address}", passages=library.push_index(), address=index).said(speaking())])
