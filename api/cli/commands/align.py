"""`align`: which rule of one text is which of another."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.files import write
from api.cli.options import Json, library_of
from corpus.errors import InputError

_TEXT = "game/book/edition:language, e.g. fow/cr/undated:ja; the newest edition and its one language where left out."
Old = Annotated[str | None, typer.Argument(metavar="A", help=_TEXT)]
New = Annotated[str | None, typer.Argument(metavar="B", help="The other text, named likewise.")]
Table = Annotated[str | None, typer.Option("--tsv", metavar="FILE", help="Write a table to check in a spreadsheet.")]
Page = Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write a page to check by eye.")]
Apply = Annotated[str | None, typer.Option("--apply", metavar="FILE", help="Take a checked table into the knowledge base.")]


def align(
    context: typer.Context,
    old: Old = None,
    new: New = None,
    tsv: Table = None,
    html: Page = None,
    apply: Apply = None,
    as_json: Json = False,
) -> int:
    """Tell which rule of one text is which of another, whatever their languages and numbers; exit 1 where none is."""
    if apply is not None:
        if old is not None or tsv is not None or html is not None:
            raise InputError("--apply takes a checked table and nothing else")
        return _apply(context, apply, as_json=as_json)
    if old is None or new is None:
        raise InputError("give two texts, e.g. rulestone align fow/cr/undated:ja fow/cr:en, or --apply FILE")
    library = library_of(context)
    body = library.align(old, new)
    if tsv is not None:
        write([library.alignment_table(body).encode("utf-8", "replace")], Path(tsv))
    if html is not None:
        from api.text.pages.alignment import page

        write([page(body)], Path(html))
    if as_json:
        say_json(body)
    else:
        from api.text.translation.alignment import lines

        say(lines(body, width(), links=tsv is None and html is None))
    return 0 if body["counts"]["linked"] else 1


def _apply(context: typer.Context, file: str, *, as_json: bool) -> int:
    body = library_of(context).apply_alignment(file)
    if as_json:
        say_json(body)
    else:
        from api.text.translation.alignment import applied

        say(applied(body))
    return 0
