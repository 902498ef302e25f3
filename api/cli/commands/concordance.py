"""`concordance`: words in their context, the other language beside them."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.options import Games, Json, Within, joined, library_of
from corpus.errors import InputError
from rulestone.limits import LINES, OFFSET, whole

Query = Annotated[list[str], typer.Argument(metavar="QUERY", help="Words in any language, or with --regex an expression of RE2.")]
Regex = Annotated[bool, typer.Option("--regex", help="The query is a regular expression (RE2), in any case.")]
Book = Annotated[str | None, typer.Option(help="Only that book: mtg/cr.")]
Edition = Annotated[str | None, typer.Option(help="Only that edition; all: every one. Without it the current ones.")]
Part = Annotated[str | None, typer.Option(help="Only these, separated by commas: text, heading, headword, example, note.")]
Beside = Annotated[str | None, typer.Option(help="The language beside each line: ja, zh, zh-Hant or en.")]
File = Annotated[str | None, typer.Option("-o", "--output", help="File to write: lines as .csv or .tsv, by its ending.")]


def concordance(
    context: typer.Context,
    query: Query,
    regex: Regex = False,
    game: Games = None,
    book: Book = None,
    edition: Edition = None,
    part: Part = None,
    within: Within = None,
    beside: Beside = None,
    limit: Annotated[str | None, typer.Option(help="Lines (20; 10000 into a file).")] = None,
    offset: Annotated[str | None, typer.Option(help="Lines passed over.")] = None,
    output: File = None,
    as_json: Json = False,
) -> int:
    """Show where words stand in the books, each line with the other language beside it; exit 1 if nowhere."""
    ending = _ending(output) if output else ""
    if ending and as_json:
        raise InputError("-o writes a table, --json prints a body; give one of the two")
    body = library_of(context).concordance(
        joined(query),
        regex=regex,
        games=game,
        book=book,
        edition=edition,
        parts=part,
        within=within,
        beside=beside,
        limit=whole("limit", limit or (LINES.most if ending else None), LINES),
        offset=whole("offset", offset, OFFSET),
    )
    if output:
        from api.cli.files import write

        write([library_of(context).table_of(body, ending)], Path(output))
    elif as_json:
        say_json(body)
    else:
        from api.text.translation.concordance import pages

        say(pages(body, width()))
    return 0 if body["total"] else 1


def _ending(output: str) -> str:
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending in ("csv", "tsv"):
        return ending
    raise InputError("{file}: expected a name that ends with .csv or .tsv", file=output)
