"""`publish`, `pull` and `push`: one home is written to, others follow it; its graph goes to a SPARQL server."""

import os
from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import say, say_json, speaking
from api.cli.options import Json, library_of
from corpus.messages import message


def publish(
    context: typer.Context,
    target: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder that other homes read, or a web server.")],
    as_json: Json = False,
) -> None:
    """Write the current bundle to a folder that other homes can follow."""
    body = library_of(context).publish(target)
    if as_json:
        say_json(body)
        return
    told = message(
        "{target}: {files} files, {size} MB; follow it with: rulestone serve --from {target}",
        target=body["target"],
        files=body["files"],
        size=round(body["bytes"] / 1e6),
    )
    say([told.said(speaking())])


def pull(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A folder, or an http(s) address, that is published to.")],
) -> None:
    """Copy what is published, unless it is there already; from then on this home follows that source."""
    library = library_of(context)
    changed = library.pull(source)
    told = message("copied from {source}", source=source) if changed else message("nothing new at {source}", source=source)
    say([told.said(speaking())])


def push(context: typer.Context) -> None:
    """Write the graph to the SPARQL server that RULESTONE_STORE names, and the index to Milvus as RULESTONE_INDEX names it."""
    library, store, index = library_of(context), os.environ.get("RULESTONE_STORE"), os.environ.get("RULESTONE_INDEX")
    if store or not index:
        say([message("{quads} quads written to {address}", quads=library.push(), address=store).said(speaking())])
    if index:
        say([message("{passages} passages written to {address}", passages=library.push_index(), address=index).said(speaking())])
