"""`grounds`: which rules rulings rest on, where that is not sure; and what a curator says of it."""

from typing import Annotated

import typer

from api.cli.console import say, say_json
from api.cli.options import Json, library_of
from api.cli.progress import progress
from corpus.errors import InputError


def grounds(
    context: typer.Context,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="A curator's table to add; without it one is printed.")] = None,
    game: Annotated[str | None, typer.Option(help="The one game to look at.")] = None,
    below: Annotated[str | None, typer.Option(help="Print what is less sure than that, 0.5 without it.")] = None,
    as_json: Json = False,
) -> None:
    """Print the proposed rules that are not sure, as a table to fill in; or add such a table with verdicts."""
    from api.text import grounds as text

    library = library_of(context)
    if file is not None:
        if game or below:
            raise InputError("give either a FILE to add, or --game and --below for what is to be printed")
        with progress() as report:
            added = library.judge(file, progress=report)
        return say_json(added) if as_json else say(text.added(added))
    body = library.grounds(below=_share(below), game=game)
    return say_json(body) if as_json else say(text.table(body))


def _share(given: str | None) -> float | None:
    try:
        return None if given is None else float(given)
    except ValueError:
        raise InputError("below {given}: expected a probability from 0 to 1", given=given) from None
