"""`diff` and `thread`: what changed between editions, and a rule through all of them."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import say, say_json, width
from api.cli.options import Json, Lang, Reference, Within, answer_language, joined, library_of
from corpus.errors import InputError

Book = Annotated[str, typer.Argument(metavar="BOOK", help="game/book, e.g. mtg/cr; or a game with one book.")]
Old = Annotated[str, typer.Argument(metavar="FROM", help="An edition, or a date, month or year: what was the newest then.")]
New = Annotated[str | None, typer.Argument(metavar="[TO]", help="A later edition; without it the newest.")]
Section = Annotated[str | None, typer.Option(help="Only what stands or stood in that section: 7, 701, glossary.")]
Page = Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write one HTML page that can be mailed.")]


def diff(
    context: typer.Context,
    book: Book,
    old: Old,
    new: New = None,
    section: Section = None,
    lang: Lang = None,
    html: Page = None,
    as_json: Json = False,
) -> None:
    """Show what changed from one edition of a book to a later one, section by section and word by word."""
    if html is not None and as_json:
        raise InputError("--html writes a page, --json prints a body; give one of the two")
    body = library_of(context).changes(book, old, new, section=section, lang=answer_language(lang))
    if html is not None:
        from api.cli.files import write
        from api.text.pages.changes import page

        write([page(body)], Path(html))
    elif as_json:
        say_json(body)
    else:
        from api.text.changes import pages

        say(pages(body, width()))


def thread(context: typer.Context, ref: Reference, within: Within = None, as_json: Json = False) -> None:
    """Show a rule through the editions of its book: where it stood, and when its words changed."""
    answer_language(None, within)
    body = library_of(context).thread(joined(ref), within=within)
    if as_json:
        say_json(body)
    else:
        from api.text.changes import versions

        say(versions(body))
